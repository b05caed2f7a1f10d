import { machine } from '#machine';
import type { Accounting } from '../../fleet/scheduler/accounting.ts';
import { readAccounting } from '../../fleet/scheduler/read-accounting.ts';
import { readOtf2Profile } from '../../fleet/workflow/otf2-profile.ts';
import type { RecordingFacts } from '../../fleet/workflow/recording-facts.ts';
import { FORMAT_TRAITS, formatNamed } from '../../readers/format-traits.ts';
import { FOLDER_FORMATS, HEAD_BYTES, recogniseFormat } from '../../readers/registry.ts';
import { namedPart } from '../../readers/strace/part-name.ts';
import type { FormatName } from '../../trace/format-traits.ts';
import { messageOf } from '../../base/error-message.ts';
import { isCompanion, withoutStackSamples } from '../reading/companions.ts';
import { folderRecordingAt } from '../reading/folder-recording.ts';
import { LocalRecordingFile } from '../reading/recording-files.ts';

/** Folders within folders that are looked into. */
const MOST_DEPTH = 8;
/** Files that are looked at: a folder with more is no folder of a workflow. */
const MOST_FILES = 50_000;
/** A table or profile stands in memory as a whole. */
const MOST_TABLE_BYTES = 256 * 2 ** 20;
/** Endings of packed files, behind those of recordings. */
const PACKED = /\.(gz|xz|bz2|zst)$/;

/** A recording that was found and not yet read. */
export interface FoundRecording {
  /** Absolute; what opens it. */
  readonly paths: readonly string[];
  /** Relative to the folder of the workflow. */
  readonly place: string;
}

/** What lies in the folder of a workflow. */
interface WorkflowFolder {
  readonly accountings: readonly Accounting[];
  readonly profiles: readonly RecordingFacts[];
  readonly recordings: readonly FoundRecording[];
  /** Files that were looked at. */
  readonly files: number;
  readonly notes: readonly string[];
}

/**
 * Looks at everything in a folder and the folders within it, by content: tables of the batch system, recordings, profiles.
 * What is none of these is passed over.
 * @param root absolute; a file stands for itself.
 * @throws Error in words for the user when it cannot be read.
 */
export async function lookIntoFolder(root: string, signal?: AbortSignal): Promise<WorkflowFolder> {
  const { kind } = await machine.files.status(root).catch((error: unknown) => {
    throw new Error(`${root}: ${messageOf(error)}`, { cause: error });
  });
  const walk = new Walk(signal);
  if (kind === 'folder') await walk.folder(root, '', 0);
  else await walk.file(root, root.split('/').at(-1)!);
  return walk;
}

class Walk implements WorkflowFolder {
  readonly accountings: Accounting[] = [];
  readonly profiles: RecordingFacts[] = [];
  readonly recordings: FoundRecording[] = [];
  readonly notes: string[] = [];
  files = 0;
  /** Files of one run by what they have in common. */
  private readonly groups = new Map<string, { paths: string[]; place: string }>();

  constructor(private readonly signal: AbortSignal | undefined) {}

  async folder(folder: string, place: string, depth: number): Promise<void> {
    const entries = await machine.files.list(folder).catch((error: unknown) => {
      this.notes.push(`${place === '' ? folder : place}: ${messageOf(error)}`);
      return [];
    });
    const names = entries.filter(({ kind }) => kind === 'file' || kind === 'link').map(({ name }) => name);
    const { parts, folders } = await this.folderRecordings(folder, place, names.sort());
    for (const name of withoutStackSamples(names)) {
      if (!parts.has(name) && !isCompanion(name)) await this.file(within(folder, name), within(place, name));
    }
    for (const { name, kind } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (kind !== 'folder' || folders.has(name) || name.startsWith('.')) continue;
      if (depth < MOST_DEPTH) await this.folder(within(folder, name), within(place, name), depth + 1);
      else this.notes.push(`${within(place, name)}: not looked into, for it lies ${MOST_DEPTH} folders deep`);
    }
  }

  /** Recordings that are folders; returns the names of the files and folders that they consist of. */
  private async folderRecordings(
    folder: string,
    place: string,
    names: readonly string[],
  ): Promise<{ parts: ReadonlySet<string>; folders: ReadonlySet<string> }> {
    const parts = new Set<string>();
    const folders = new Set<string>();
    for (const name of names) {
      if (parts.has(name) || !FOLDER_FORMATS.some((format) => format.isEntry(name))) continue;
      const entry = within(folder, name);
      const found = await folderRecordingAt(entry).catch((error: unknown) => {
        this.notes.push(`${within(place, name)}: ${messageOf(error)}`);
        return undefined;
      });
      if (found === undefined) continue;
      this.recordings.push({ paths: [entry], place: within(place, name) });
      for (const file of found.files) {
        const [first, ...rest] = file.name.split('/');
        (rest.length > 0 ? folders : parts).add(first!);
      }
    }
    return { parts, folders };
  }

  async file(file: string, place: string): Promise<void> {
    this.signal?.throwIfAborted();
    if (++this.files > MOST_FILES) {
      if (this.files === MOST_FILES + 1)
        this.notes.push(`more than ${MOST_FILES} files: the others were not looked at`);
      return;
    }
    try {
      await this.look(file, place);
    } catch (error) {
      this.notes.push(`${place}: ${messageOf(error)}`);
    }
  }

  private async look(file: string, place: string): Promise<void> {
    // Only regular files are opened: a pipe would wait for ever.
    if ((await machine.files.status(file)).kind !== 'file') return;
    const { bytes: head, isWhole } = await beginningOf(file, HEAD_BYTES);
    const format = recogniseFormat(head);
    if (format !== undefined) this.recording(file, place, format.name);
    else if (head.length > 0 && !head.includes(0)) await this.table(file, place, isWhole ? head : undefined);
    else if (isNamedLikeRecording(file))
      this.notes.push(`${place}: ${head.length === 0 ? 'empty' : 'no known recording'}`);
  }

  private async table(file: string, place: string, whole: Uint8Array | undefined): Promise<void> {
    const name = file.split('/').at(-1)!;
    const bytes = whole ?? (await tableBytes(file));
    // A profile names a job as well, always job 0.
    const profile = readOtf2Profile(new TextDecoder().decode(bytes), place);
    const accounting = profile === undefined ? readAccounting(place, bytes) : undefined;
    if (profile !== undefined) this.profiles.push(profile);
    else if (accounting !== undefined) this.accountings.push(accounting);
    else if (isNamedLikeRecording(name)) this.notes.push(`${place}: no known recording`);
  }

  /** What one run wrote is one recording: the files of `strace -ff`, those of the processes under DFTracer. */
  private recording(file: string, place: string, format: FormatName): void {
    const folder = place.slice(0, place.lastIndexOf('/') + 1);
    const part = namedPart(file.split('/').at(-1)!, file);
    const run = part.commandId !== '' ? `${part.commandId}_` : Number.isNaN(part.pid) ? '' : part.run;
    const { filesOfRun } = FORMAT_TRAITS[format];
    const ofRun = filesOfRun === 'named alike' && run !== '';
    const key = ofRun ? run : filesOfRun === 'a file for each process' ? format : place;
    const group = this.groups.get(`${folder}\0${key}`);
    if (group !== undefined) {
      group.paths.push(file);
      return;
    }
    const found = { paths: [file], place: ofRun ? `${folder}${run}` : place };
    this.groups.set(`${folder}\0${key}`, found);
    this.recordings.push(found);
  }
}

/** Such a file that no reader knows is said to be none. */
function isNamedLikeRecording(file: string): boolean {
  return formatNamed(file.replace(PACKED, '')) !== undefined;
}

/** The first bytes of a file, unpacked. */
async function beginningOf(file: string, most: number): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const stream = await new LocalRecordingFile(file).open();
  const bytes = new Uint8Array(most);
  let length = 0;
  try {
    while (length < most) {
      const got = await stream.read(bytes.subarray(length));
      if (got === 0) return { bytes: bytes.subarray(0, length), isWhole: true };
      length += got;
    }
    return { bytes, isWhole: false };
  } finally {
    await stream.close();
  }
}

/** All of a text. @throws Error in words when it is too long to be a table. */
async function tableBytes(file: string): Promise<Uint8Array> {
  const { bytes, isWhole } = await beginningOf(file, MOST_TABLE_BYTES);
  if (!isWhole) throw new Error(`longer than ${MOST_TABLE_BYTES / 2 ** 20} MiB, and no known recording`);
  return bytes;
}

/** `a/b`. */
function within(folder: string, name: string): string {
  return folder === '' ? name : `${folder.replace(/\/$/, '')}/${name}`;
}
