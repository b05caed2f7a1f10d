import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openElf } from '../../symbols/debug-files.ts';
import { NOTE_ENDING } from './companions.ts';
import { companionOf } from './kept/recording-head.ts';
import type { Repository } from '../sources/git.ts';
import { localSymbolFiles } from '../machine/local-files.ts';
import type { RecordingNote } from './recording-note.ts';

/** A note that says nothing yet. */
export const EMPTY_NOTE: RecordingNote = { schema: 'iolens/recorded@1', revision: '', changed: [], buildIds: {} };

/** Looks at the sources and the program; to be called before the program starts. */
export async function noteFor(
  command: readonly string[],
  folder: string,
  repository: Repository | undefined,
): Promise<RecordingNote> {
  const head = (await repository?.head(folder)) ?? '';
  const found = head === '' ? [] : await repository?.changedFiles(folder);
  // Where it cannot be told what was changed, the revision says nothing of the files.
  const revision = found === undefined ? '' : head;
  const changed = found ?? [];
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

/** A line for each thing that is noted. */
function inLines(note: RecordingNote): string {
  const lines = Object.entries(note).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/**
 * Puts the note beside the recording, and says in it whose it is, unless that is a folder, in which no other run is recorded.
 * One that cannot be written is done without: the recording is what was wanted.
 */
export async function writeNote(recording: string, note: RecordingNote): Promise<void> {
  const { revision, life, load, storage, processFiles } = note;
  const isEmpty = revision === '' && [life, load, storage, processFiles].every((part) => part === undefined);
  if (isEmpty && Object.keys(note.buildIds).length === 0) return;
  const of = await companionOf(recording).catch(() => undefined);
  const text = inLines({ ...note, ...(of && { of }) });
  await writeFile(`${recording}${NOTE_ENDING}`, `${text}\n`).catch(() => undefined);
}
