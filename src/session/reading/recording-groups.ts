import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import picomatch from 'picomatch';
import { isCompanion, withoutStackSamples } from './companions.ts';
import { namedPart } from '../../readers/strace/part-name.ts';

const MOST_DEPTH = 8;

/**
 * The recordings that a list of arguments means, each with its files. A glob stands for what it matches. Files that one
 * run wrote (`cid_host_rid.st` of one command, `name.PID` of one `strace -ff`, `.iorec` of one folder) are one recording; everything else is one
 * for itself. `NAME.stacks.strace` beside `NAME.strace` is no recording of its own; a file that is named twice counts once.
 *
 * @throws Error in words for the user when a glob matches nothing.
 */
export async function groupRecordings(given: readonly string[]): Promise<string[][]> {
  // What is named twice is one file, and counted once.
  const paths = new Map<string, string>();
  for (const name of given) {
    for (const found of await expanded(name)) {
      const place = found === '-' ? '-' : await realpath(found).catch(() => path.resolve(found));
      if (!paths.has(place)) paths.set(place, found);
    }
  }
  const groups = new Map<string, string[]>();
  for (const name of withoutStackSamples([...paths.values()])) {
    const key = await groupKey(name);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()];
}

/** What the recorder library writes, one for each process. */
const IOLENS_FILE = /\.iorec(\.(gz|xz|bz2|zst))?$/;

async function groupKey(name: string): Promise<string> {
  const status = await stat(name).catch(() => undefined);
  if (status?.isFile() !== true) return name;
  const folder = path.dirname(path.resolve(name));
  const part = namedPart(path.basename(name), name);
  if (IOLENS_FILE.test(name)) return `${folder}\0iolens`;
  if (part.commandId !== '') return `${folder}\0${part.commandId}`;
  return Number.isNaN(part.pid) ? name : `${folder}\0${part.run}`;
}

async function expanded(name: string): Promise<string[]> {
  if (name === '-') return [name];
  const status = await stat(name).catch(() => undefined);
  if (status?.isDirectory() === true) return recordingsOfFolder(name);
  // A file may be called like a glob.
  if (status !== undefined || !/[*?[{]/.test(name)) return [name];
  const { base, glob } = picomatch.scan(name);
  // A bracket that is never closed, say: a name, of a file that is not there.
  if (glob === '') return [name];
  const matches = picomatch(glob);
  const root = base === '' ? '.' : base;
  const found: string[] = [];
  await walk(root, '', 0, (relative) => {
    if (matches(relative) && !isCompanion(relative)) found.push(path.join(root, relative));
  });
  if (found.length === 0) throw new Error(`${name}: matches no file`);
  return found.sort();
}

const DARSHAN_LOG = /\.darshan(\.(gz|xz|bz2|zst))?$/;
const STRACE_FILE = /\.(st|strace|txt|log|\d+)(\.(gz|xz|bz2|zst))?$/;

/** Each Darshan log of a folder is a recording of its own; everything else in it is one together. */
async function recordingsOfFolder(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).sort();
  const logs = names.filter((name) => DARSHAN_LOG.test(name)).map((name) => path.join(folder, name));
  if (logs.length === 0) return [folder];
  return names.some((name) => STRACE_FILE.test(name)) ? [...logs, folder] : logs;
}

async function walk(root: string, relative: string, depth: number, visit: (file: string) => void): Promise<void> {
  const entries = await readdir(path.join(root, relative), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (entry.isDirectory()) {
      if (depth < MOST_DEPTH) await walk(root, name, depth + 1, visit);
    } else visit(name);
  }
}
