import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { archiveFiles } from '../../../src/readers/otf2/otf2-folder.ts';
import { readOtf2 } from '../../../src/readers/otf2/otf2-reader.ts';
import type { RecordingFile } from '../../../src/trace/byte-source.ts';
import type { Trace } from '../../../src/trace/trace.ts';
import { memoryFile } from '../memory-file.ts';

/** The files of the archive in a folder, by their names, in the order that its reader wants. */
export async function archiveBytes(folder: string): Promise<Map<string, Uint8Array>> {
  const list = (inner: string): Promise<string[]> => readdir(path.join(folder, inner)).catch(() => []);
  const names = (await archiveFiles((await list('')).sort(), async (inner) => (await list(inner)).sort(), ''))!;
  const bytes = new Map<string, Uint8Array>();
  for (const name of names) bytes.set(name, await readFile(path.join(folder, name)));
  return bytes;
}

export function archiveOf(bytes: ReadonlyMap<string, Uint8Array>): RecordingFile[] {
  return [...bytes].map(([name, content]) => memoryFile(name, content));
}

export async function readArchive(folder: string): Promise<Trace> {
  return readOtf2(archiveOf(await archiveBytes(folder)));
}
