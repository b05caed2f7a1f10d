import { addToGroup } from '../../base/grouping.ts';
import { FOLDER_FORMATS, FORMATS, HEAD_BYTES, recogniseFormat, type Format } from '../../readers/registry.ts';
import type { PackedSource, RecordingFile } from '../../trace/byte-source.ts';
import { DamageLog, type Damage } from '../../trace/damage.ts';
import { messageOf } from '../../base/error-message.ts';
import { UnreadableRecordingError } from '../../trace/trace.ts';
import { isCompanion } from './companions.ts';
import type { PositionedStream } from './compression/decompress.ts';
import { PackedBytes } from './compression/unpack.ts';
import { folderRecordingAt } from './folder-recording.ts';
import { MemorySource } from '../machine/local-source.ts';
import { filesAt, streamAt, type FilesAt } from './recording-files.ts';

/** Files that are open at once; more do not make a disk or a file server faster. */
const OPEN_AT_ONCE = 16;
/** Bytes of small files that are kept, so that they need not be opened again. */
const MOST_KEPT_BYTES = 1 << 26;
/** Names that a note lists. */
const MOST_NAMES = 5;

/** The files of a recording, and what was found beside them. */
export interface RecognisedRecording {
  readonly format: Pick<Format, 'name' | 'read' | 'grow'>;
  readonly files: readonly RecordingFile[];
  /** What was left out and why, for the user. */
  readonly notes: readonly string[];
  /** Files that may belong to the recording and cannot be read. */
  readonly damage: readonly Damage[];
}

/**
 * Finds out the format of a recording by the first bytes of its files. A folder may hold other files as well.
 *
 * @param given the files at these paths, where they are known.
 * @throws UnreadableRecordingError, or an Error in words for the user, when nothing is a recording.
 */
export async function recogniseRecording(
  paths: readonly string[],
  signal?: AbortSignal,
  given?: readonly RecordingFile[],
): Promise<RecognisedRecording> {
  if (given === undefined && paths.length === 1) {
    const folder = await folderRecordingAt(paths[0]!);
    if (folder !== undefined) return { ...folder, notes: [], damage: [] };
  }
  const found =
    given === undefined ? await Promise.all(paths.map(filesAt)) : [{ files: given, folders: [], others: [] }];
  const files = found.flatMap((at) => at.files);
  const looks = await lookAtAll(files, signal);
  const byFormat = new Map<Format, RecordingFile[]>();
  for (const { format, file } of looks) {
    if (format === undefined) continue;
    addToGroup(byFormat, format, file);
  }
  const [best] = [...byFormat].sort(([, a], [, b]) => b.length - a.length);
  if (best === undefined) throw nothingFound(paths, found, looks);
  const [format, recognised] = best;
  const log = new DamageLog();
  for (const { file, problem } of looks) if (problem !== '') log.add('file', file.path, problem, 'the whole file');
  return { format, files: recognised, notes: notesOn(format, found, looks), damage: log.list() };
}

/** What a look at the beginning of a file showed. */
interface Look {
  readonly file: RecordingFile;
  readonly format?: Format | undefined;
  readonly isEmpty: boolean;
  /** Why it cannot be read; '' when it can. */
  readonly problem: string;
}

async function lookAtAll(files: readonly RecordingFile[], signal: AbortSignal | undefined): Promise<Look[]> {
  const looks: Look[] = [];
  const budget = { bytes: MOST_KEPT_BYTES };
  let next = 0;
  const work = async (): Promise<void> => {
    const scratch = new Uint8Array(HEAD_BYTES);
    while (next < files.length) {
      signal?.throwIfAborted();
      const at = next++;
      looks[at] = await lookAt(files[at]!, scratch, budget);
    }
  };
  await Promise.all(Array.from({ length: Math.min(OPEN_AT_ONCE, files.length) }, work));
  return looks;
}

async function lookAt(file: RecordingFile, scratch: Uint8Array, budget: { bytes: number }): Promise<Look> {
  let stream: PositionedStream;
  try {
    stream = await file.open();
  } catch (error) {
    return { file, isEmpty: false, problem: `cannot be opened: ${messageOf(error)}` };
  }
  // Standard input can be opened once, so it is read on from here; anything else need not stay open.
  const staysOpen = file.path === '-';
  let length = 0;
  let atEnd = false;
  let failure: Error | undefined;
  try {
    while (length < scratch.length && !atEnd) {
      const got = await stream.read(scratch.subarray(length));
      if (got === 0) atEnd = true;
      length += got;
    }
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  if (!staysOpen) await stream.close();
  // What does not look like a recording on standard input is left to the reader of the least certain format to report.
  const format = recogniseFormat(scratch.subarray(0, length)) ?? (staysOpen && length > 0 ? FORMATS.at(-1) : undefined);
  if (failure !== undefined && format === undefined) {
    return { file, isEmpty: false, problem: `cannot be read: ${failure.message}` };
  }
  const whole = atEnd && failure === undefined;
  if (format === undefined) return { file, isEmpty: whole && length === 0, problem: '' };
  if (!staysOpen && (!whole || length > budget.bytes)) return { file, format, isEmpty: false, problem: '' };
  budget.bytes -= length;
  const rest = staysOpen ? stream : undefined;
  return { file: new BegunFile(file, scratch.slice(0, length), rest, failure), format, isEmpty: false, problem: '' };
}

/** A file whose beginning was read. */
class BegunFile implements RecordingFile {
  readonly name: string;
  readonly path: string;
  readonly size: number | undefined;

  /**
   * @param rest what follows; undefined when the beginning is all there is.
   * @param failure why nothing follows, if something is wrong.
   */
  constructor(
    file: RecordingFile,
    private readonly beginning: Uint8Array,
    private readonly rest: PositionedStream | undefined,
    private readonly failure: Error | undefined,
  ) {
    this.name = file.name;
    this.path = file.path;
    this.size = file.size;
  }

  open(): Promise<PositionedStream> {
    const { beginning, rest, size, failure } = this;
    let given = 0;
    return Promise.resolve({
      get position() {
        return rest?.position ?? size ?? given;
      },
      read: (target: Uint8Array) => {
        const length = Math.min(target.length, beginning.length - given);
        if (length === 0 && failure !== undefined) return Promise.reject(failure);
        if (length === 0) return rest?.read(target) ?? Promise.resolve(0);
        target.set(beginning.subarray(given, given + length));
        given += length;
        return Promise.resolve(length);
      },
      close: () => rest?.close() ?? Promise.resolve(),
    });
  }

  async openAt(): Promise<PackedSource> {
    // What stands in memory already is not copied.
    const isWhole = this.rest === undefined && this.failure === undefined;
    return isWhole ? new PackedBytes(MemorySource.of(this.beginning)) : streamAt(await this.open());
  }
}

function notesOn(format: Format, found: readonly FilesAt[], looks: readonly Look[]): string[] {
  const notes: string[] = [];
  const say = (names: readonly string[], what: string): void => {
    if (names.length > 0) notes.push(`${listed(names)}: ${what}`);
  };
  const named = (wanted: (look: Look) => boolean): string[] => looks.filter(wanted).map(({ file }) => file.name);
  const isOther = (look: Look): boolean =>
    look.problem === '' && !look.isEmpty && look.format !== format && !isCompanion(look.file.name);
  say(named(isOther), `left out: no ${format.name} recording`);
  say(
    named(({ isEmpty }) => isEmpty),
    'left out: empty',
  );
  say(
    found.flatMap(({ others }) => others.map(([name, reason]) => `${shown(name)} (${reason})`)),
    'left out',
  );
  say(
    found.flatMap(({ folders }) => folders),
    'left out: what lies in a folder of the folder is a recording of its own',
  );
  return notes;
}

/** `a, b, c and 17 more` */
function listed(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMES).map(shown).join(', ');
  return names.length > MOST_NAMES ? `${first} and ${names.length - MOST_NAMES} more` : first;
}

/** A file may be called anything: control characters must not reach a terminal. */
function shown(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return name.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');
}

function nothingFound(
  paths: readonly string[],
  found: readonly FilesAt[],
  looks: readonly Look[],
): UnreadableRecordingError {
  const where = paths.join(', ');
  const folders = found.flatMap((at) => at.folders);
  const hint = folders.length === 0 ? '' : `; open a folder in it by itself: ${listed(folders)}`;
  if (looks.length === 0) return new UnreadableRecordingError(`${where}: the folder holds no files${hint}`);
  const bad = looks.find(({ problem }) => problem !== '');
  if (bad !== undefined) return new UnreadableRecordingError(`${bad.file.path}: ${bad.problem}${hint}`);
  if (looks.every(({ isEmpty }) => isEmpty)) {
    const what = looks.length === 1 ? 'the file is empty' : `all ${looks.length} files are empty`;
    return new UnreadableRecordingError(`${where}: ${what}${hint}`);
  }
  const known = [...FORMATS, ...FOLDER_FORMATS].map((format) => format.name).join(', ');
  const what = looks.length === 1 ? 'this is no' : `none of the ${looks.length} files is a`;
  return new UnreadableRecordingError(`${where}: ${what} recording of a known format (${known})${hint}`);
}
