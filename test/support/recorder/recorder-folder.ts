import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { RECORDER } from '../../../src/readers/recorder/recorder-format.ts';
import { readRecorder } from '../../../src/readers/recorder/recorder-reader.ts';
import type { RecordingFile } from '../../../src/trace/byte-source.ts';
import type { Trace } from '../../../src/trace/trace.ts';
import { memoryFile } from '../memory-file.ts';

/** The content of a directory by name. */
export type FolderContent = ReadonlyMap<string, Uint8Array>;

export function contentOfFolder(folder: string): Map<string, Uint8Array> {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(entries.map(({ name }) => [name, new Uint8Array(readFileSync(path.join(folder, name)))]));
}

/** The files of a directory that belong to a Recorder recording, as opening it finds them. */
export async function recorderFiles(content: FolderContent): Promise<RecordingFile[]> {
  const names = await RECORDER.filesOf([...content.keys()], () => Promise.resolve([]), '');
  return (names ?? []).map((name) => memoryFile(name, content.get(name)!));
}

export async function readFolder(content: FolderContent): Promise<Trace> {
  return readRecorder(await recorderFiles(content));
}
