import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, readlink, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Which files of a work tree differ from git's index, found out without git: it would run the filters that a repository
 * names for its files.
 */

/** Files and bytes that are read at the most; those whose dates git knows are not read. */
const MOST_FILES = 50_000;
const MOST_BYTES = 2 ** 31;
/** Files larger than this have no ends of lines that anybody wants converted. */
const LARGEST_TEXT = 16 << 20;
/** Files whose dates are asked for at once. */
const AT_ONCE = 256;

const SYMBOLIC_LINK = '120000';
const SUBMODULE = '160000';
/** It is left out of the work tree on purpose (sparse checkouts). */
const SKIPPED = 1 << 30;

/** A file as git's index has it. */
interface IndexEntry {
  readonly mode: string;
  /** Name of its content. */
  readonly object: string;
  readonly stage: string;
  readonly name: string;
  /** What `ls-files --debug` says of it; '' when that cannot be read: then the file is. */
  readonly state: string;
}

/**
 * Names of the files whose content differs; undefined when that cannot be told in the time, or without reading too much.
 * @param listing of `git ls-files --stage --debug -z`.
 * @param index the file that holds the index.
 * @param until milliseconds since 1970.
 */
export async function differingFiles(
  root: string,
  listing: string,
  index: string,
  until: number,
): Promise<string[] | undefined> {
  const entries = entriesOf(listing)?.filter(({ mode }) => mode !== SUBMODULE);
  if (entries === undefined) return undefined;
  const written = Math.floor(((await stat(index).catch(() => undefined))?.mtimeMs ?? 0) / 1000);
  const differing = new Set<string>();
  let files = 0;
  let bytes = 0;
  for (let first = 0; first < entries.length; first += AT_ONCE) {
    const some = entries.slice(first, first + AT_ONCE);
    const statuses = await Promise.all(some.map(({ name }) => statusOf(path.join(root, name))));
    for (const [at, entry] of some.entries()) {
      const status = statuses[at];
      if (status === undefined) {
        if ((flagsOf(entry) & SKIPPED) === 0) differing.add(entry.name);
        continue;
      }
      if (entry.stage === '0' && isUntouched(entry, status, written)) continue;
      bytes += Number(status.size);
      if (++files > MOST_FILES || bytes > MOST_BYTES || Date.now() > until) return undefined;
      if (entry.stage !== '0' || !(await hasContent(path.join(root, entry.name), status, entry)))
        differing.add(entry.name);
    }
  }
  return [...differing];
}

function statusOf(file: string): Promise<BigIntStats | undefined> {
  return lstat(file, { bigint: true }).catch(() => undefined);
}

/** `100644 OBJECT 0<tab>NAME<nul>` with lines of `  mtime: 12:34` and more behind it; undefined when it is not that. */
function entriesOf(listing: string): IndexEntry[] | undefined {
  const pattern = /(\d{6}) ([0-9a-f]{40,64}) ([0-3])\t([^\0]+)\0((?: {2}[^\n\0]*\n)*)/y;
  const entries: IndexEntry[] = [];
  let end = 0;
  for (let match = pattern.exec(listing); match !== null; match = pattern.exec(listing)) {
    const [, mode, object, stage, name, state] = match;
    entries.push({ mode: mode!, object: object!, stage: stage!, name: name!, state: state! });
    end = pattern.lastIndex;
  }
  return end === listing.length ? entries : undefined;
}

function flagsOf({ state }: IndexEntry): number {
  return Number.parseInt(/flags: ([0-9a-f]+)/.exec(state)?.[1] ?? '0', 16);
}

/**
 * Whether a file is the one that git saw last, as git itself takes it: what was written in the second of the index, or later,
 * may have been written again since.
 */
function isUntouched({ state }: IndexEntry, status: BigIntStats, indexSecond: number): boolean {
  const known = /ctime: (\d+):(\d+)\n +mtime: (\d+):(\d+)\n.*\bino: (\d+)\n[^]*\bsize: (\d+)/.exec(state);
  if (known === null) return false;
  const [changed, changedPart, modified, modifiedPart, inode, size] = known.slice(1).map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const second = 1_000_000_000n;
  return (
    Number(modified) < indexSecond &&
    status.mtimeNs === modified * second + modifiedPart &&
    status.ctimeNs === changed * second + changedPart &&
    BigInt.asUintN(32, status.ino) === inode &&
    BigInt.asUintN(32, status.size) === size
  );
}

async function hasContent(file: string, status: BigIntStats, { mode, object }: IndexEntry): Promise<boolean> {
  if (status.isSymbolicLink()) {
    if (mode !== SYMBOLIC_LINK) return false;
    const target = await readlink(file, { encoding: 'buffer' }).catch(() => undefined);
    return target !== undefined && nameOf(target, object) === object;
  }
  if (!status.isFile() || mode === SYMBOLIC_LINK) return false;
  if (status.size > LARGEST_TEXT) return (await nameOfFile(file, object)) === object;
  const content = await contentOf(file, LARGEST_TEXT);
  if (content === undefined) return false;
  return nameOf(content, object) === object || nameOf(withPlainEnds(content), object) === object;
}

/** A text with the ends of lines that git stores, where it was told to convert them. */
function withPlainEnds(content: Buffer): Buffer {
  return content.includes('\r\n')
    ? Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
    : content;
}

/** The name that git gives to content, by the hash that another name was made with. */
function nameOf(content: Buffer, like: string): string {
  return hashOf(content.length, like).update(content).digest('hex');
}

function hashOf(size: number, like: string): ReturnType<typeof createHash> {
  return createHash(like.length === 40 ? 'sha1' : 'sha256').update(`blob ${size}\0`);
}

async function nameOfFile(file: string, like: string): Promise<string> {
  const handle = await opened(file);
  try {
    const hash = hashOf((await handle?.stat())?.size ?? 0, like);
    if (handle !== undefined)
      for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return '';
  } finally {
    await handle?.close();
  }
}

/** What a regular file holds; undefined when it is none, holds more than that, or cannot be read. Links are not followed. */
export async function contentOf(file: string, most: number): Promise<Buffer | undefined> {
  const handle = await opened(file);
  try {
    const status = await handle?.stat();
    return status?.isFile() === true && status.size <= most ? await handle?.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** A pipe that took a file's name is not waited for. */
function opened(file: string): Promise<Awaited<ReturnType<typeof open>> | undefined> {
  return open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
}
