import type { RecordingFile } from '../../trace/byte-source.ts';
import { UnreadableRecordingError, type ReadOptions, type Trace } from '../../trace/trace.ts';
import { LineParser } from './line-parser.ts';
import { namedPart } from './part-name.ts';
import { ReaderTables } from './reader-tables.ts';
import { readRecords, type RecordSink } from '../text/read-records.ts';
import type { RecordStreamLimits } from '../text/record-stream.ts';
import { TraceBuilder } from './trace-builder.ts';

export interface ReadLimits extends RecordStreamLimits {
  /** Calls that are kept, 70 bytes of memory or of a temporary file each. */
  mostEvents: number;
  /** Bytes of text that are read without the compiled scanner. */
  withoutScanner: number;
}

/** A compressed file of a megabyte can hold a thousand times as much text. */
const MOST_EVENTS = 200_000_000;
const TOO_MANY = 'the recording holds more calls than are kept';

/**
 * Reads strace text: one file, or the files of one recording (`-ff`, or one file for each process as in the DFG paper).
 * Damage is reported and passed over; what is sound is kept.
 *
 * @throws UnreadableRecordingError when no file holds a single line of strace text.
 * @throws the signal's reason when reading is aborted.
 */
export async function readStrace(
  files: readonly RecordingFile[],
  options: ReadOptions = {},
  limits: Partial<ReadLimits> = {},
): Promise<Trace> {
  const builder = new TraceBuilder(options);
  const tables = new ReaderTables(builder, limits.withoutScanner);
  const total = files.reduce<number | undefined>(
    (sum, file) => (sum === undefined || file.size === undefined ? undefined : sum + file.size),
    0,
  );
  let done = 0;
  for (const file of inOrder(files)) {
    const size = file.size ?? 0;
    if (isFull(builder, limits)) {
      builder.damage.add('file', file.name, TOO_MANY, 'the whole file');
      continue;
    }
    const parser = new LineParser(builder, tables, namedPart(file.name, file.path));
    const sink = sinkOf(builder, parser, file.name, limits);
    await readRecords(file, options, limits, sink, (position) =>
      options.progress?.(
        total === undefined ? undefined : Math.min(1, (done + Math.min(position, size)) / (total || 1)),
      ),
    );
    parser.finish();
    done += size;
  }
  if (builder.understood === 0) throw unreadable(files, builder);
  return builder.build();
}

/** Parents before children, as far as pids tell: what a child inherits must be known when its file is read. */
export function inOrder<File extends Pick<RecordingFile, 'name' | 'path'>>(files: readonly File[]): File[] {
  const keyed = files.map((file) => ({ file, part: namedPart(file.name, file.path) }));
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  keyed.sort((a, b) => compare(a.part.run, b.part.run) || a.part.pid - b.part.pid || compare(a.part.path, b.part.path));
  return keyed.map(({ file }) => file);
}

function isFull(builder: TraceBuilder, limits: Partial<ReadLimits>): boolean {
  return builder.events.length > (limits.mostEvents ?? MOST_EVENTS);
}

/** Takes the records of one file into the trace. */
export function sinkOf(
  builder: TraceBuilder,
  parser: LineParser,
  name: string,
  limits: Partial<ReadLimits>,
): RecordSink {
  return {
    read: (bytes, start, end) => parser.parse(bytes, start, end),
    skip: (bytes) => {
      parser.passLine();
      parser.report('long-line', `a line of ${bytes} bytes is too long for a call`, 'this line');
    },
    fail: (what, lost) => {
      // Before the first line the file itself is the place.
      if (parser.lineNumber === 0) builder.damage.add('file', name, what, lost);
      else parser.report('file', what, lost);
    },
    full: () => (isFull(builder, limits) ? TOO_MANY : undefined),
  };
}

export function unreadable(
  files: readonly Pick<RecordingFile, 'path'>[],
  builder: TraceBuilder,
): UnreadableRecordingError {
  const names = files.length === 1 ? files[0]!.path : `none of the ${files.length} files`;
  const reports = builder.damage.list();
  const cause = reports.length === 0 ? 'it is empty' : reports[0]!.what;
  return new UnreadableRecordingError(`${names}: no system call of strace was found (${cause})`);
}
