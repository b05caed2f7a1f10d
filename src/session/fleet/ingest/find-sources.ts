import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { loadFormatOf } from '../../../fleet/server-load/load-source.ts';
import { STORE_FILE } from '../../../fleet/store/manifest.ts';
import { FORMAT_TRAITS } from '../../../readers/format-traits.ts';
import { FOLDER_FORMATS, HEAD_BYTES, recogniseFormat } from '../../../readers/registry.ts';
import { folderRecordingAt } from '../../reading/folder-recording.ts';
import { LocalRecordingFile } from '../../reading/recording-files.ts';
import { headOf } from '../file-head.ts';
import type { FoundSource } from '../source.ts';
import { groupsOf, serverDump, type FileGroup } from './source-groups.ts';

/** Files whose status is asked for at once: file servers answer many questions as fast as one. */
const AT_ONCE = 16;

interface FindOptions {
  /** Seconds since 1970: only what was written last from then on. */
  readonly since?: number;
  /** And before. */
  readonly until?: number;
  readonly signal?: AbortSignal;
}

/**
 * The sources in files and folders, with all folders in these. A file is a source; an archive of OTF2, a directory of
 * Recorder, the files of one run of strace or DFTracer and a dump of a server are one as a whole. Stores are left out, and
 * links to folders are not followed (what they lead to may contain the link).
 * @throws Error in words for the user when one of the given paths is not there.
 */
export async function* findSources(
  given: readonly string[],
  options: FindOptions = {},
): AsyncGenerator<FoundSource, void> {
  const { since = -Infinity, until = Infinity } = options;
  for (const place of withoutInner(given.map((name) => path.resolve(name)))) {
    const status = await stat(place).catch((error: unknown) => {
      throw new Error(`${place}: there is no such file or folder`, { cause: error });
    });
    const found = status.isDirectory() ? sourcesOf(place, options.signal) : fileSource(place);
    for await (const source of found) if (source.modified >= since && source.modified < until) yield source;
  }
}

/** Paths that lie in none of the others. */
function withoutInner(places: readonly string[]): string[] {
  const unique = [...new Set(places)];
  return unique.filter((place) => !unique.some((other) => other !== place && place.startsWith(withSlash(other))));
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}

async function* fileSource(file: string): AsyncGenerator<FoundSource, void> {
  const whole = await folderRecordingAt(file);
  yield await sourceAt(file, whole?.files.map((inner) => inner.path) ?? [file]);
}

async function* sourcesOf(folder: string, signal: AbortSignal | undefined): AsyncGenerator<FoundSource, void> {
  signal?.throwIfAborted();
  // A folder that vanished, or that may not be read, is as one without files.
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const names = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink()).map(({ name }) => name);
  if (names.includes(STORE_FILE)) return;
  const taken = new Set<string>();
  for await (const files of wholesOf(folder, names.sort())) {
    for (const file of files) taken.add(path.relative(folder, file).split('/')[0]!);
    yield await sourceAt(files[0] === undefined ? folder : wholePath(folder, names, files), files);
  }
  const rest = names.filter((name) => !taken.has(name));
  yield* filesOf(folder, await dividedGroups(folder, groupsOf(rest)), rest.length === names.length);
  const folders = entries.filter((entry) => entry.isDirectory() && !taken.has(entry.name)).map(({ name }) => name);
  for (const inner of folders.sort()) yield* sourcesOf(path.join(folder, inner), signal);
}

/** The recordings and dumps that a folder is, or that lie in it side by side, by their files. */
async function* wholesOf(folder: string, names: readonly string[]): AsyncGenerator<readonly string[], void> {
  const dump = serverDump(names);
  if (dump.length > 0) yield dump.map((name) => path.join(folder, name));
  const entries = names.filter((name) => FOLDER_FORMATS.some((format) => format.isEntry(name)));
  const seen = new Set<string>();
  for (const name of entries) {
    const whole = await folderRecordingAt(path.join(folder, name)).catch(() => undefined);
    const files = whole?.files.map((file) => file.path) ?? [];
    if (files.length === 0 || seen.has(files[0]!)) continue;
    seen.add(files[0]!);
    yield files;
  }
}

/** The folder, unless another recording of a folder lies beside this one. */
function wholePath(folder: string, names: readonly string[], files: readonly string[]): string {
  const own = new Set(files);
  const isEntry = (name: string): boolean => FOLDER_FORMATS.some((format) => format.isEntry(name));
  const others = names.filter((name) => isEntry(name) && !own.has(path.join(folder, name)));
  return others.length === 0 ? folder : files[0]!;
}

/** Groups whose names alone do not tell are taken apart where their recorder (strace) does not name files so. */
async function dividedGroups(folder: string, groups: readonly FileGroup[]): Promise<readonly (readonly string[])[]> {
  const divided: (readonly string[])[] = [];
  for (const { names, ifNamedAlike, ifLooks } of groups) {
    if (ifLooks && names.length > 1 && !(await isLook(path.join(folder, names[0]!)))) {
      divided.push(...(await dividedGroups(folder, groupsOf(names, false))));
      continue;
    }
    const isOne = names.length === 1 || !ifNamedAlike || (await areNamedAlike(path.join(folder, names[0]!)));
    divided.push(...(isOne ? [names] : names.map((name) => [name])));
  }
  return divided;
}

/** Whether the files of a run are named alike in the format of this one. */
async function areNamedAlike(file: string): Promise<boolean> {
  try {
    const stream = await new LocalRecordingFile(file).open();
    try {
      const head = new Uint8Array(HEAD_BYTES);
      const format = recogniseFormat(head.subarray(0, await stream.read(head)));
      return format !== undefined && FORMAT_TRAITS[format.name].filesOfRun === 'named alike';
    } finally {
      await stream.close();
    }
  } catch {
    return false;
  }
}

/** Whether a file holds counters of servers. */
async function isLook(file: string): Promise<boolean> {
  return headOf(new LocalRecordingFile(file)).then(
    (head) => loadFormatOf(head) !== undefined,
    () => false,
  );
}

async function* filesOf(
  folder: string,
  groups: readonly (readonly string[])[],
  isAll: boolean,
): AsyncGenerator<FoundSource, void> {
  const isWhole = isAll && groups.length === 1 && groups[0]!.length > 1;
  for (let at = 0; at < groups.length; at += AT_ONCE) {
    const some = groups.slice(at, at + AT_ONCE).map((names) => names.map((name) => path.join(folder, name)));
    const found = await Promise.all(some.map((files) => sourceAt(isWhole ? folder : files[0]!, files, true)));
    for (const source of found) if (source !== undefined) yield source;
  }
}

function sourceAt(place: string, files: readonly string[]): Promise<FoundSource>;
function sourceAt(place: string, files: readonly string[], onlyFiles: true): Promise<FoundSource | undefined>;
/** @param onlyFiles undefined for what is a link to a folder or a device. */
async function sourceAt(place: string, files: readonly string[], onlyFiles = false): Promise<FoundSource | undefined> {
  let bytes = 0;
  let modified = 0;
  for (const file of files) {
    // A link that leads nowhere is told when it is read.
    const status = await stat(file).catch(() => undefined);
    if (status === undefined) continue;
    if (onlyFiles && !status.isFile()) return undefined;
    bytes += status.size;
    modified = Math.max(modified, status.mtimeMs / 1000);
  }
  return { path: place, files, bytes, modified };
}
