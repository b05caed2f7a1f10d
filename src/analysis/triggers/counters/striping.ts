import type { InsightFile, Recommendation } from '../insight.ts';
import { advising, type Sentence } from '../message.ts';
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
 * The size of stripes follows the requests where they are large, else the size of the file: the same for every finding, so
 * that no advice takes another back.
 *
 * @param mayResize also where only the size of the stripes does not fit the requests.
 */
export function stripingAdvice(
  view: CounterView,
  files: readonly InsightFile[],
  advice: Sentence,
  mayResize = false,
): Recommendation[] {
  const folders = foldersOf(view, files, mayResize);
  if (folders.length === 0) return [];
  const onLustre = folders.filter(({ isOnLustre }) => isOnLustre);
  // Lines to copy only where it is known that lfs takes them.
  return [{ audience: 'job', ...advising(advice), ...(onLustre.length > 0 && { snippet: stripedFolders(onLustre) }) }];
}

interface FoundFolder extends StripedFolder {
  readonly isOnLustre: boolean;
}

function foldersOf(view: CounterView, files: readonly InsightFile[], mayResize: boolean): FoundFolder[] {
  const lengths = lengthsOf(view, files);
  const requests = commonRequests(view, files);
  const folders = new Map<string, FoundFolder>();
  for (const { file } of files) {
    const path = view.path(file);
    const type = view.fileSystem(file);
    const slash = path.lastIndexOf('/');
    if (slash <= 0 || (type !== '' && type !== 'lustre')) continue;
    const length = lengths.get(file) ?? 0;
    const layout = view.layout(file);
    const whole = stripeFor(requests.get(file) ?? 0);
    if (mayResize && whole === undefined) continue;
    const stripeSize = whole ?? (length < GIB ? MIB : 4 * MIB);
    const before = layout?.stripeCount;
    // Advice never takes targets away.
    const stripeCount = Math.max(before ?? 0, Math.min(targetsFor(length), Math.ceil(length / stripeSize)));
    // Whole multiples of a stripe hold whole requests as well.
    const isWellStriped = before !== undefined && before >= stripeCount && layout!.stripeSize % stripeSize === 0;
    if (stripeCount < 2 || (before !== undefined && (isWellStriped || (!mayResize && before >= stripeCount)))) continue;
    const folder = path.slice(0, slash);
    const known = folders.get(folder);
    if (known !== undefined && known.stripeCount >= stripeCount) continue;
    const isOnLustre = type === 'lustre' || layout !== undefined;
    folders.set(folder, {
      folder,
      stripeSize,
      stripeCount,
      isOnLustre,
      ...(before !== undefined && { countBefore: before }),
    });
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

/** The size that most requests to a file have, as far as Darshan knows. */
function commonRequests(view: CounterView, files: readonly InsightFile[]): Map<number, number> {
  const requests = new Map(files.map(({ file }) => [file, 0]));
  view.module('POSIX')?.forEach((record) => {
    const request = requests.get(record.file);
    if (request !== undefined) requests.set(record.file, Math.max(request, known(record.get('POSIX_ACCESS1_ACCESS'))));
  });
  return requests;
}

/** A stripe that holds whole requests of a size, so that none is cut by a border; undefined when there is none. */
export function stripeFor(requestBytes: number): number | undefined {
  if (requestBytes < STRIPE_UNIT || requestBytes > 64 * MIB) return undefined;
  if (MIB % requestBytes === 0) return MIB;
  return requestBytes % STRIPE_UNIT === 0 && requestBytes > STRIPE_UNIT ? requestBytes : undefined;
}
