import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import type { Content } from '../../analysis/trials/outcome.ts';
import { copyFile } from './copied-folder.ts';

/** Contents up to this size are kept, so that what varies by itself can be told from what does not. */
const LARGEST_KEPT = 4 << 20;
const MOST_KEPT = 256 << 20;
const PIECE = 1 << 20;

/** What tells whether something was written. */
interface EntryState {
  readonly kind: 'file' | 'folder' | 'link';
  readonly size: number;
  readonly modifiedMs: number;
  /** Changes with every write, also where dates are set back. */
  readonly changedNs: bigint;
  readonly inode: bigint;
}

/** Everything below a folder, by its path in it. */
export type FolderState = ReadonlyMap<string, EntryState>;

export function folderState(root: string): FolderState {
  const found = new Map<string, EntryState>();
  const look = (name: string): void => {
    for (const entry of fs.readdirSync(path.join(root, name), { withFileTypes: true })) {
      const inside = path.join(name, entry.name);
      const status = fs.lstatSync(path.join(root, inside), { bigint: true });
      const kind = status.isDirectory() ? 'folder' : status.isSymbolicLink() ? 'link' : 'file';
      found.set(inside, {
        kind,
        size: Number(status.size),
        modifiedMs: Number(status.mtimeNs / 1000n) / 1000,
        changedNs: status.ctimeNs,
        inode: status.ino,
      });
      if (kind === 'folder') look(inside);
    }
  };
  look('');
  return found;
}

/** What is new, written, or gone since. A folder's own date tells of its entries, which are listed themselves. */
export function changesSince(before: FolderState, now: FolderState): string[] {
  const changed = [...now].filter(([name, entry]) => {
    const known = before.get(name);
    if (known === undefined) return true;
    if (known.kind === 'folder' && entry.kind === 'folder') return false;
    return known.kind !== entry.kind || known.changedNs !== entry.changedNs || known.inode !== entry.inode;
  });
  return [...changed.map(([name]) => name), ...[...before.keys()].filter((name) => !now.has(name))];
}

/** Reads what runs left behind. What is the same in all runs, as most is, is kept once. */
export class ReadContents {
  private readonly known = new Map<string, Content>();
  private kept = 0;

  /** What stands at those of the paths below a folder that are wanted; all where no glob says which. */
  below(root: string, names: readonly string[], globs: readonly string[]): Map<string, Content> {
    const isWanted = globs.length === 0 ? () => true : picomatch([...globs], { dot: true });
    return new Map(names.filter((name) => isWanted(name)).map((name) => [name, this.at(path.join(root, name))]));
  }

  at(file: string): Content {
    const status = fs.lstatSync(file, { throwIfNoEntry: false });
    if (status === undefined) return { kind: 'removed', size: 0, hash: '', bytes: undefined };
    if (status.isDirectory()) return { kind: 'folder', size: 0, hash: '', bytes: undefined };
    if (status.isSymbolicLink()) return { kind: 'link', size: 0, hash: fs.readlinkSync(file), bytes: undefined };
    if (!status.isFile()) return { kind: 'file', size: 0, hash: 'no regular file', bytes: undefined };
    if (status.size > LARGEST_KEPT || this.kept > MOST_KEPT)
      return { kind: 'file', size: status.size, hash: hashOf(file), bytes: undefined };
    const bytes = fs.readFileSync(file);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const known = this.known.get(hash);
    if (known !== undefined) return known;
    const content: Content = { kind: 'file', size: bytes.length, hash, bytes };
    this.known.set(hash, content);
    this.kept += bytes.length;
    return content;
  }
}

function hashOf(file: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(PIECE);
  const descriptor = fs.openSync(file, 'r');
  try {
    for (;;) {
      const read = fs.readSync(descriptor, piece);
      if (read === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, read));
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Copies what stands in no folder that files could be put back from: what was built. */
export async function keepOthers(root: string, source: string, kept: string): Promise<void> {
  for (const [name, entry] of folderState(root)) {
    if (entry.kind !== 'file' || isAsCopied(path.join(source, name), entry)) continue;
    const place = path.join(kept, name);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    await copyFile(path.join(root, name), place);
  }
}

/**
 * Puts back what a run changed, so that the next one begins with the same files.
 * @param sources folders with the files as they were: the one that was copied, where the file is still the same there, and
 *   what was kept of the copy.
 * @returns what could not be put back.
 */
export async function putBack(
  root: string,
  sources: readonly string[],
  before: FolderState,
  changed: readonly string[],
): Promise<string[]> {
  const lost: string[] = [];
  // What stands in new folders goes with them; folders that went come before what stood in them.
  for (const name of [...changed].sort()) {
    const known = before.get(name);
    const place = path.join(root, name);
    const source = sources.map((folder) => path.join(folder, name)).find((file) => isAsCopied(file, known));
    if (known === undefined) fs.rmSync(place, { recursive: true, force: true });
    else if (known.kind === 'folder') fs.mkdirSync(place, { recursive: true });
    else if (source !== undefined) {
      fs.rmSync(place, { recursive: true, force: true });
      await copyFile(source, place);
    } else lost.push(name);
  }
  return lost;
}

function isAsCopied(file: string, state: EntryState | undefined): boolean {
  const now = fs.lstatSync(file, { throwIfNoEntry: false });
  if (now?.isFile() !== true || state?.kind !== 'file') return false;
  return now.size === state.size && Math.abs(now.mtimeMs - state.modifiedMs) < 1;
}
