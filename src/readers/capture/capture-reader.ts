import type { ByteStream, RecordingFile } from '../../trace/byte-source.ts';
import { messageOf } from '../../base/error-message.ts';
import { DamageLog, type Damage } from '../../trace/damage.ts';
import { UnreadableRecordingError, type ReadOptions, type Trace } from '../../trace/trace.ts';
import { CaptureBuilder } from './capture-builder.ts';
import { CHUNK_KIND, chunksOf } from './chunks.ts';
import { FileDefinitions, type ProcessDefinition } from './definitions.ts';
import { filesIn } from './merged/merged-files.ts';
import { parentsFirst } from './process-order.ts';
import { processKey, ProcessReader, type ProcessFile, type Relatives } from './process-reader.ts';

interface ReadLimits {
  /** Calls that are kept. */
  mostEvents: number;
}

/** Calls that are kept unless it is said otherwise. */
export const MOST_EVENTS = 200_000_000;
/** Files that are open at once while their first definitions are read. */
const OPEN_AT_ONCE = 16;
/** What is read of a file to find out whose it is. */
const HEAD_BYTES = 1 << 15;

/**
 * Reads a recording of the recorder library: one file for each program that a process ran. Damage is reported and passed
 * over; what is sound is kept.
 *
 * @throws UnreadableRecordingError when no file can be read, or one is of a later version of the format.
 * @throws the signal's reason when reading is aborted.
 */
export async function readCapture(
  files: readonly RecordingFile[],
  options: ReadOptions = {},
  limits: Partial<ReadLimits> = {},
): Promise<Trace> {
  const builder = new CaptureBuilder(options);
  const sources = parentsFirst(await readHeads(files, builder.damage, options.signal));
  if (sources.length === 0) throw unreadable(files, builder);
  const relatives = new RecordedRelatives(sources);
  const total = sources.reduce((sum, { file }) => sum + (file.size ?? 0), 0);
  let done = 0;
  for (const source of sources) {
    options.signal?.throwIfAborted();
    const { file } = source;
    if (builder.events.length > (limits.mostEvents ?? MOST_EVENTS)) {
      builder.damage.add('file', file.name, 'the recording holds more calls than are kept', 'the whole file');
      continue;
    }
    const reader = new ProcessReader(builder, source, relatives, options);
    try {
      await reader.read(file, (position) =>
        options.progress?.(total === 0 ? undefined : Math.min(1, (done + position) / total)),
      );
    } catch (error) {
      options.signal?.throwIfAborted();
      builder.damage.add('file', file.name, messageOf(error), 'what could not be read of it');
    }
    done += file.size ?? 0;
  }
  return builder.build(sources[0]!.process);
}

/** The file of a process, and what it says of it. */
export interface RecordedProcess extends ProcessFile {
  readonly file: RecordingFile;
}

/** The files of processes in a recording, those within merged files too. */
export async function processFilesOf(
  files: readonly RecordingFile[],
  signal?: AbortSignal,
): Promise<{ processes: readonly RecordedProcess[]; damage: readonly Damage[] }> {
  const damage = new DamageLog();
  const processes = await readHeads(files, damage, signal);
  return { processes, damage: damage.list() };
}

/** What the files say of their processes. */
async function readHeads(
  files: readonly RecordingFile[],
  damage: DamageLog,
  signal: AbortSignal | undefined,
): Promise<RecordedProcess[]> {
  const heads: RecordedProcess[][] = [];
  let next = 0;
  const look = async (file: RecordingFile): Promise<RecordedProcess[]> => {
    signal?.throwIfAborted();
    try {
      const process = await readProcess(await file.open());
      if (process === 'merged') {
        const members = await filesIn(file, damage);
        return (await inTurn(members, look)).flat();
      }
      if (process !== undefined) return [{ file, process }];
      damage.add('file', file.name, 'it does not say whose calls it holds', 'the whole file');
    } catch (error) {
      signal?.throwIfAborted();
      damage.add('file', file.name, messageOf(error), 'the whole file');
    }
    return [];
  };
  const work = async (): Promise<void> => {
    while (next < files.length) {
      const at = next++;
      heads[at] = await look(files[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(OPEN_AT_ONCE, files.length) }, work));
  return heads.flat();
}

async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/**
 * What a file says of its process; undefined when it does not (yet); 'merged' where it is of several.
 * @param stream the file from its beginning; it is closed.
 * @throws UnreadableRecordingError when it is no file of the recorder library, or one of a later version.
 */
export async function readProcess(stream: ByteStream): Promise<ProcessDefinition | 'merged' | undefined> {
  try {
    const definitions = new FileDefinitions(() => undefined);
    for await (const { kind, payload } of chunksOf(stream, () => undefined, HEAD_BYTES)) {
      if (kind === CHUNK_KIND.member) return 'merged';
      if (kind === CHUNK_KIND.definitions) definitions.read(payload);
      if (definitions.process !== undefined) return definitions.process;
    }
    return undefined;
  } finally {
    await stream.close();
  }
}

class RecordedRelatives implements Relatives {
  readonly inherited: Relatives['inherited'] = new Map();
  /** When the last program of a process began. */
  private readonly last = new Map<string, bigint>();

  constructor(sources: readonly ProcessFile[]) {
    for (const { process } of sources) {
      const key = processKey(process.host, process.pid);
      if (process.monotonicClock > (this.last.get(key) ?? -1n)) this.last.set(key, process.monotonicClock);
    }
  }

  isRecorded(host: string, pid: number): boolean {
    return this.last.has(processKey(host, pid));
  }

  hasSuccessor({ host, pid, monotonicClock }: ProcessDefinition): boolean {
    return this.last.get(processKey(host, pid))! > monotonicClock;
  }
}

export function unreadable(
  files: readonly { readonly path: string }[],
  builder: CaptureBuilder,
): UnreadableRecordingError {
  const [first] = builder.damage.list();
  const names = files.length === 1 ? files[0]!.path : `none of the ${files.length} files`;
  const why = first === undefined ? 'there is no file' : `${first.where}: ${first.what}`;
  return new UnreadableRecordingError(`${names}: no recording of the recorder library could be read (${why})`);
}
