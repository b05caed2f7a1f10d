import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openElf } from '../symbols/debug-files.ts';
import type { Repository } from './git.ts';
import { localSymbolFiles } from './local-files.ts';
import { NOTE_ENDING, withoutCompression } from './companions.ts';

/**
 * What `iolens record` notes beside a recording, because the recording's text has no place for it: which revision of the
 * sources was checked out, and which build of the program ran. Stands in `RECORDING.iolens.json`.
 */
export interface RecordingNote {
  readonly schema: 'iolens/recorded@1';
  /** Full name of the revision; '' when the folder is in no git work tree. */
  readonly revision: string;
  /** Root of the work tree of which that is a revision; absent in notes that were made before it was kept. */
  readonly root?: string;
  /** Files of the work tree that had changes which were not committed. */
  readonly changed: readonly string[];
  /** Build ids of programs by their absolute paths. */
  readonly buildIds: Readonly<Record<string, string>>;
}

/** A note that is larger than this was not written by us. */
const LARGEST_NOTE = 4 << 20;

/** Looks at the sources and the program; to be called before the program starts. */
export async function noteFor(
  command: readonly string[],
  folder: string,
  repository: Repository | undefined,
): Promise<RecordingNote> {
  const revision = (await repository?.head(folder)) ?? '';
  const changed = revision === '' ? [] : ((await repository?.changedFiles(folder)) ?? []);
  const root = revision === '' ? undefined : await repository?.rootOf(folder);
  return {
    schema: 'iolens/recorded@1',
    revision,
    ...(root !== undefined && { root }),
    changed,
    buildIds: await buildIdsOf(command, folder),
  };
}

/** Build ids of what the command line names as files: the program, or the one that a launcher starts. */
async function buildIdsOf(command: readonly string[], folder: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const word of command) {
    if (!word.includes('/')) continue;
    const file = path.resolve(folder, word);
    // Without its build id a program is told by what it holds: a damaged one is no reason to record nothing.
    const binary = await openElf(localSymbolFiles, file).catch(() => undefined);
    const id = (await binary?.elf.buildId().catch(() => '')) ?? '';
    if (id !== '') ids[file] = id;
    await binary?.source.close();
  }
  return ids;
}

/** Puts the note beside the recording. One that cannot be written is done without: the recording is what was wanted. */
export async function writeNote(recording: string, note: RecordingNote): Promise<void> {
  if (note.revision === '' && Object.keys(note.buildIds).length === 0) return;
  await writeFile(`${recording}${NOTE_ENDING}`, `${JSON.stringify(note, null, 2)}\n`).catch(() => undefined);
}

/** The note beside a recording; undefined when there is none, or none that can be understood. */
export async function readNote(recordings: readonly string[]): Promise<RecordingNote | undefined> {
  for (const recording of recordings) {
    for (const name of new Set([recording, withoutCompression(recording)])) {
      const file = `${name}${NOTE_ENDING}`;
      const status = await stat(file).catch(() => undefined);
      if (status?.isFile() !== true || status.size > LARGEST_NOTE) continue;
      const note = await readFile(file, 'utf8').then(parseNote, () => undefined);
      if (note !== undefined) return note;
    }
  }
  return undefined;
}

/** Notes travel with recordings, so they are as untrusted as these. */
export function parseNote(text: string): RecordingNote | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { schema, revision, root, changed, buildIds } = value as Partial<Record<keyof RecordingNote, unknown>>;
  if (schema !== 'iolens/recorded@1' || typeof revision !== 'string') return undefined;
  const ids = typeof buildIds === 'object' && buildIds !== null ? Object.entries(buildIds) : [];
  return {
    schema,
    revision,
    ...(typeof root === 'string' && { root }),
    changed: Array.isArray(changed) ? changed.filter((name): name is string => typeof name === 'string') : [],
    buildIds: Object.fromEntries(ids.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
  };
}
