import { machine } from '#machine';
import { FOLDER_FORMATS, type FolderFormat } from '../../readers/registry.ts';
import type { RecordingFile } from '../../trace/byte-source.ts';
import { LocalRecordingFile } from './recording-files.ts';

/** A recording that is a folder of files. */
interface FolderRecording {
  readonly format: FolderFormat;
  readonly files: readonly RecordingFile[];
}

/**
 * The recording that a folder is, or that a file of one stands for.
 * @returns undefined when it is no recording of such a format.
 * @throws UnreadableRecordingError, or an Error in words for the user.
 */
export async function folderRecordingAt(location: string): Promise<FolderRecording | undefined> {
  if (location === '-' || FOLDER_FORMATS.length === 0) return undefined;
  const place = machine.files.absolute(location).replace(/(?<=.)\/+$/, '');
  const name = place.slice(place.lastIndexOf('/') + 1);
  const { kind } = await machine.files.status(location).catch(() => ({ kind: 'other' as const }));
  if (kind === 'other') return undefined;
  const formats = kind === 'folder' ? FOLDER_FORMATS : FOLDER_FORMATS.filter((format) => format.isEntry(name));
  if (formats.length === 0) return undefined;
  const folder = kind === 'folder' ? place : place.slice(0, -name.length).replace(/(?<=.)\/$/, '');
  const entries = await namesIn(folder);
  const list = (inner: string): Promise<string[]> => namesIn(within(folder, inner)).catch(() => []);
  for (const format of formats) {
    const names = await format.filesOf(entries, list, kind === 'folder' ? '' : name);
    if (names === undefined) continue;
    return { format, files: names.map((file) => new LocalRecordingFile(within(folder, file), undefined, file)) };
  }
  return undefined;
}

function within(folder: string, name: string): string {
  return `${folder.replace(/\/$/, '')}/${name}`;
}

/** Names of the regular files of a folder; links are as good as what they lead to, which is seen when they are opened. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await machine.files.list(folder);
  return entries.flatMap(({ name, kind }) => (kind === 'file' || kind === 'link' ? [name] : [])).sort();
}
