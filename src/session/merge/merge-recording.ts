import { access, mkdir, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createDeflate } from 'node:zlib';
import { addToGroup } from '../../base/grouping.ts';
import { processFilesOf, type RecordedProcess } from '../../readers/capture/capture-reader.ts';
import { fileHeader, MERGED_VERSION } from '../../readers/capture/chunks.ts';
import { memberHeader, wholeWords } from '../../readers/capture/merged/merged-files.ts';
import { neededParts, type NeededParts } from '../../readers/capture/merged/needed-parts.ts';
import { CALIBRATION_ENDING, NOTE_ENDING, PLACES_ENDING } from '../reading/companions.ts';
import { companionOf } from '../reading/kept/recording-head.ts';
import { recogniseRecording } from '../reading/recognise-recording.ts';

/** What is merged cannot be, in words for the user. */
export class MergeError extends Error {
  override name = 'MergeError';
}

interface MergedFile {
  readonly file: string;
  /** Files of processes that it holds. */
  readonly processes: number;
  readonly bytes: number;
}

interface Merged {
  readonly files: readonly MergedFile[];
  /** Of the files that were merged. */
  readonly bytes: number;
  /** Files that were left out, and why. */
  readonly damage: readonly string[];
}

interface MergeOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (share: number) => void;
}

const READ_BYTES = 1 << 20;
const MOST_NAME = 200;

/**
 * Writes one file for each host into a folder, which holds the files of its processes: thousands of small files are dear on
 * a parallel file system. Several nodes may write into the same folder at once.
 * @param paths a recording of the recorder library; it stays as it is.
 * @throws MergeError when it is none, or a process still writes it, or the folder is its own or has such a file already.
 */
export async function mergeRecording(
  paths: readonly string[],
  folder: string,
  { signal, progress }: MergeOptions = {},
): Promise<Merged> {
  const recognised = await recogniseRecording(paths, signal);
  if (recognised.format.name !== 'iolens')
    throw new MergeError(`${paths[0]!}: only recordings of the recorder library (app.iolens) can be merged`);
  // Beside the files of its processes a merged one would tell each call again.
  const own = recognised.files.find(({ path: file }) => path.dirname(path.resolve(file)) === path.resolve(folder));
  if (own !== undefined)
    throw new MergeError(
      `${folder} holds the recording itself (${own.name}): name another folder for the merged files`,
    );
  const { processes, damage } = await processFilesOf(recognised.files, signal);
  const byHost = new Map<string, RecordedProcess[]>();
  for (const each of processes) addToGroup(byHost, `${safeName(each.process.host)}.iorec`, each);
  await mkdir(folder, { recursive: true });
  for (const name of byHost.keys()) await refuseExisting(path.join(folder, name));
  const files: MergedFile[] = [];
  let done = 0;
  for (const [name, members] of byHost) {
    const onMember = (): void => progress?.(++done / processes.length);
    files.push(await writeMerged(path.join(folder, name), members, onMember, signal));
  }
  const unread = await copyCompanions(path.dirname(path.resolve(recognised.files[0]!.path)), folder, files);
  const bytes = recognised.files.reduce((sum, { size }) => sum + (size ?? 0), 0);
  const lost = [...recognised.damage, ...damage].map(({ where, what }) => `${where}: ${what}`);
  return { files, bytes, damage: [...lost, ...unread] };
}

/** Hosts are named by the recording. */
function safeName(host: string): string {
  const name = host.replaceAll(/[^\w.-]/g, '_').slice(0, MOST_NAME);
  return name === '' || name.startsWith('.') ? `host${name}` : name;
}

async function refuseExisting(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new MergeError(`${file} is there already: name another folder, or remove it`);
}

async function writeMerged(
  file: string,
  members: readonly RecordedProcess[],
  onMember: () => void,
  signal: AbortSignal | undefined,
): Promise<MergedFile> {
  // It gets its name when it is whole.
  const partial = `${file}.${process.pid}.part`;
  const handle = await open(partial, 'wx');
  try {
    await handle.write(fileHeader(MERGED_VERSION), 0, undefined, 0);
    let position = fileHeader(MERGED_VERSION).length;
    for (const [number, member] of members.entries()) {
      signal?.throwIfAborted();
      position = await writeMember(handle, position, member, number);
      onMember();
    }
    await handle.close();
    await rename(partial, file);
    return { file, processes: members.length, bytes: position };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}

/** @returns where the next one begins. */
async function writeMember(
  handle: FileHandle,
  position: number,
  { file, process: owner }: RecordedProcess,
  number: number,
): Promise<number> {
  const needed = await neededParts(file);
  if (!needed.hasEnded && owner.host === hostname() && isRunning(owner.pid))
    throw new MergeError(
      `${file.path} is still being written by process ${owner.pid}: merge when the program has ended`,
    );
  const begin = position + memberHeader(file.name, 0, number).length;
  let at = begin;
  const packed = Readable.from(piecesOf(file, needed), { objectMode: false }).pipe(createDeflate());
  for await (const piece of packed as AsyncIterable<Uint8Array>) {
    await handle.write(piece, 0, undefined, at);
    at += piece.length;
  }
  await handle.write(memberHeader(file.name, at - begin, number), 0, undefined, position);
  const end = begin + wholeWords(at - begin);
  if (end > at) await handle.write(new Uint8Array(end - at), 0, undefined, at);
  return end;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The bytes of a file but for those that say nothing more. */
async function* piecesOf(file: RecordedProcess['file'], { left }: NeededParts): AsyncGenerator<Uint8Array> {
  const stream = await file.open();
  try {
    let position = 0;
    let next = 0;
    for (;;) {
      const piece = new Uint8Array(READ_BYTES);
      const length = await stream.read(piece);
      if (length === 0) return;
      const end = position + length;
      let at = position;
      for (; next < left.length && left[next]!.position < end; next++) {
        const { position: from, bytes } = left[next]!;
        if (from > at) yield piece.subarray(at - position, from - position);
        at = Math.min(end, Math.max(at, from + bytes));
        if (from + bytes > end) break;
      }
      if (at < end) yield piece.subarray(at - position, length);
      position = end;
    }
  } finally {
    await stream.close();
  }
}

/**
 * What lies beside the recording belongs to the merged files from now on.
 * @returns what of it cannot be read, in words for the user.
 */
async function copyCompanions(from: string, folder: string, files: readonly MergedFile[]): Promise<string[]> {
  const unread: string[] = [];
  for (const ending of [NOTE_ENDING, CALIBRATION_ENDING, PLACES_ENDING]) {
    const text = await readFile(path.join(from, `recording${ending}`), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const document = objectIn(text);
    if (document === undefined) {
      unread.push(`recording${ending}: no JSON object`);
      continue;
    }
    // There are other files now, and as many as there are hosts.
    delete document['processFiles'];
    if (document['of'] !== undefined) document['of'] = await companionOf(files[0]!.file);
    const target = path.join(folder, `recording${ending}`);
    // Another node has written its own.
    await writeFile(target, `${JSON.stringify(document)}\n`, { flag: 'wx' }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
  return unread;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
