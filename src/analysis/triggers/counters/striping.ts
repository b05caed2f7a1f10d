import type { InsightFile, Recommendation } from '../insight.ts';
import { stripedFolders, type StripedFolder } from '../job-snippets.ts';
import type { CounterView } from './counter-view.ts';
import { known, READ, WRITE } from './posix-counters.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Folders that a patch names. */
const MOST_FOLDERS = 3;

/** lfs takes sizes of stripes in multiples of this. */
const STRIPE_UNIT = 64 * 1024;

/**
 * Advice to spread files over more of Lustre's storage targets, as far as it can help: files of more than one stripe that
 * lie on Lustre (or nobody says where), and not on so many targets already.
 *
 * @param stripeSize bytes; by default it follows the size of the file.
 */
export function stripingAdvice(
  view: CounterView,
  files: readonly InsightFile[],
  text: string,
  stripeSize?: number,
): Recommendation[] {
  const folders = foldersOf(view, files, stripeSize);
  if (folders.length === 0) return [];
  return [{ audience: 'job', text, snippet: stripedFolders(folders) }];
}

function foldersOf(view: CounterView, files: readonly InsightFile[], wanted: number | undefined): StripedFolder[] {
  const lengths = lengthsOf(view, files);
  const folders = new Map<string, StripedFolder>();
  for (const { file } of files) {
    const path = view.path(file);
    const type = view.fileSystem(file);
    const slash = path.lastIndexOf('/');
    if (slash <= 0 || (type !== '' && type !== 'lustre')) continue;
    const length = lengths.get(file) ?? 0;
    const layout = view.layout(file);
    const stripeSize = wanted ?? (length < GIB ? MIB : 4 * MIB);
    const stripeCount = Math.min(targetsFor(length), Math.ceil(length / stripeSize));
    const before = layout?.stripeCount;
    const isWellStriped = before !== undefined && before >= stripeCount && layout!.stripeSize === stripeSize;
    if (stripeCount < 2 || (before !== undefined && (isWellStriped || (wanted === undefined && before >= stripeCount))))
      continue;
    const folder = path.slice(0, slash);
    const known = folders.get(folder);
    if (known !== undefined && known.stripeCount >= stripeCount) continue;
    folders.set(folder, { folder, stripeSize, stripeCount, ...(before !== undefined && { countBefore: before }) });
  }
  return [...folders.values()].slice(0, MOST_FOLDERS);
}

/** How many storage targets centres recommend for a shared file of a length (NERSC's table of striping). */
function targetsFor(length: number): number {
  if (length < GIB) return 4;
  if (length < 10 * GIB) return 8;
  return length < 100 * GIB ? 24 : 72;
}

/** Bytes up to the last one that was read or written. */
function lengthsOf(view: CounterView, files: readonly InsightFile[]): Map<number, number> {
  const lengths = new Map(files.map(({ file }) => [file, 0]));
  view.module('POSIX')?.forEach((record) => {
    const length = lengths.get(record.file);
    if (length === undefined) return;
    const last = Math.max(known(record.get(READ.lastByte)), known(record.get(WRITE.lastByte)));
    lengths.set(record.file, Math.max(length, last + 1));
  });
  return lengths;
}

/** A stripe that holds whole requests of a size, so that none is cut by a border; undefined when there is none. */
export function stripeFor(requestBytes: number): number | undefined {
  if (requestBytes <= 0 || requestBytes > 64 * MIB) return undefined;
  if (MIB % requestBytes === 0) return MIB;
  return requestBytes % STRIPE_UNIT === 0 && requestBytes > STRIPE_UNIT ? requestBytes : undefined;
}
