import fs from 'node:fs';
import path from 'node:path';
import { formatBytes } from '../../base/quantities.ts';
import { messageOf } from '../../base/error-message.ts';
import { CancelledError } from '../worker/worker-protocol.ts';
import { TrialError } from './trial-error.ts';

/** What is never copied: history, packages, recordings. */
const LEFT_OUT = new Set(['.git', '.hg', '.svn', 'node_modules', '.iolens']);
/** A folder with one of these is a build's, and holds its own path: it is made anew. */
export const BUILD_MARKS = ['CMakeCache.txt', 'meson-private'];
/** In the folder of the sources itself only what holds its path is left out. */
const BUILD_NAMES = new Set(['CMakeCache.txt', 'CMakeFiles']);

interface CopyOptions {
  /** Files and folders that are none of the program's, such as the recording. */
  readonly without: readonly string[];
  /** Build folders, too: the copy stands at the place that is written in them. */
  readonly takesBuilds: boolean;
  /** Copies that will be made, this one with them: so much room has to be there. */
  readonly copies: number;
  readonly signal: AbortSignal;
}

interface Copying extends Omit<CopyOptions, 'without' | 'copies'> {
  readonly root: string;
  readonly target: string;
  readonly without: ReadonlySet<string>;
  readonly leftOut: string[];
}

/**
 * Copies a folder with what git does not know, too, but without history. Links into the folder lead into the copy.
 * @param target an empty folder.
 * @returns what was left out, relative to the folder.
 * @throws TrialError when it cannot be copied, or the copies have no room.
 */
export async function copyFolder(
  root: string,
  target: string,
  { without, takesBuilds, copies, signal }: CopyOptions,
): Promise<string[]> {
  const copying = { root, target, without: new Set(without), takesBuilds, leftOut: [], signal };
  try {
    const bytes = copies * sizeBelow('', copying);
    const { bavail, bsize } = fs.statfsSync(path.dirname(target));
    if (bytes > bavail * bsize)
      throw new TrialError(
        `${copies} copies of ${root} need ${formatBytes(bytes)}, and ${path.dirname(target)} has ${formatBytes(bavail * bsize)}: set TMPDIR to a folder with more room`,
      );
    copying.leftOut.length = 0;
    await copyEntries('', copying);
  } catch (error) {
    if (error instanceof TrialError || error instanceof CancelledError) throw error;
    throw new TrialError(`${root} cannot be copied: ${messageOf(error)}`);
  }
  return copying.leftOut;
}

/** The entries of a folder that are copied; what is left out is noted. */
function entriesOf(name: string, { root, without, takesBuilds, leftOut }: Copying): fs.Dirent[] {
  const entries = fs.readdirSync(path.join(root, name), { withFileTypes: true });
  return entries.filter((entry) => {
    const inside = path.join(name, entry.name);
    const place = path.join(root, inside);
    const isBuild =
      (entry.isDirectory() && BUILD_MARKS.some((mark) => fs.existsSync(path.join(place, mark)))) ||
      (name === '' && BUILD_NAMES.has(entry.name));
    const isOther = !entry.isDirectory() && !entry.isFile() && !entry.isSymbolicLink();
    const isLeftOut = LEFT_OUT.has(entry.name) || (isBuild && !takesBuilds) || isOther || without.has(place);
    if (isLeftOut) leftOut.push(inside);
    return !isLeftOut;
  });
}

function sizeBelow(name: string, copying: Copying): number {
  let sum = 0;
  for (const entry of entriesOf(name, copying)) {
    const inside = path.join(name, entry.name);
    if (entry.isDirectory()) sum += sizeBelow(inside, copying);
    else if (entry.isFile()) sum += fs.lstatSync(path.join(copying.root, inside)).size;
  }
  return sum;
}

async function copyEntries(name: string, copying: Copying): Promise<void> {
  const from = path.join(copying.root, name);
  const to = path.join(copying.target, name);
  fs.mkdirSync(to, { mode: 0o700, recursive: true });
  for (const entry of entriesOf(name, copying)) {
    if (copying.signal.aborted) throw new CancelledError('the trial was interrupted');
    const inside = path.join(name, entry.name);
    if (entry.isDirectory()) await copyEntries(inside, copying);
    else if (entry.isSymbolicLink()) copyLink(inside, copying);
    else await copyFile(path.join(copying.root, inside), path.join(copying.target, inside));
  }
  const { mode, atime, mtime } = fs.statSync(from);
  fs.chmodSync(to, (mode & 0o7777) | 0o700);
  fs.utimesSync(to, atime, mtime);
}

/** With its date: what make looks at. */
export async function copyFile(from: string, to: string): Promise<void> {
  await fs.promises.copyFile(from, to, fs.constants.COPYFILE_FICLONE);
  const { atimeMs, mtimeMs } = fs.statSync(from);
  fs.utimesSync(to, atimeMs / 1000, mtimeMs / 1000);
}

/** A link that leads out of the folder leads to the same place from the copy. */
function copyLink(name: string, { root, target }: Copying): void {
  const leads = fs.readlinkSync(path.join(root, name));
  const place = path.resolve(path.dirname(path.join(root, name)), leads);
  const within = path.relative(root, place);
  const isOurs = within !== '..' && !within.startsWith(`..${path.sep}`);
  const link = path.join(target, name);
  const ours = path.isAbsolute(leads) ? path.relative(path.dirname(link), path.join(target, within)) || '.' : leads;
  fs.symlinkSync(isOurs ? ours : place, link);
}
