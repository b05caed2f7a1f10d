import type { RecordingFile } from '../../trace/byte-source.ts';
import { UnreadableRecordingError, type ReadOptions, type Trace } from '../../trace/trace.ts';
import { BLANK, NEWLINE } from '../text/bytes.ts';
import { readRecords, type RecordSink } from '../text/read-records.ts';
import type { RecordStreamLimits } from '../text/record-stream.ts';
import { DfTracerBuilder } from './dftracer-builder.ts';
import { ProcessFile } from './process-file.ts';

interface ReadLimits extends RecordStreamLimits {
  /** Events of one file that are kept: they stand in memory until it is read. */
  mostEvents: number;
}

const MOST_EVENTS = 50_000_000;
const COMMA = 44;
const LIST = 91;
/** Lines that are looked at, in front of which nothing else stands. */
const MOST_LINES = 4;
/** The beginning of every event that DFTracer writes; other traces of this kind begin with the name. */
const EVENT = /^\{"id": ?"?\d+"?, ?"name": ?".*?", ?"cat": ?"[^"]*", ?"pid": ?"?\d+/;

/** Whether text holds events as DFTracer writes them (`.pfw`): a list whose elements stand in lines of their own. */
export function looksLikeDfTracer(head: Uint8Array): boolean {
  const decoder = new TextDecoder('latin1');
  let from = 0;
  for (let line = 0; line < MOST_LINES && from < head.length; line++) {
    const newline = head.indexOf(NEWLINE, from);
    const end = newline < 0 ? head.length : newline;
    let at = from;
    while (at < end && (head[at] === BLANK || head[at] === COMMA || head[at] === LIST)) at++;
    if (at < end && head[at] !== 13) return EVENT.test(decoder.decode(head.subarray(at, Math.min(end, at + 4096))));
    from = end + 1;
  }
  return false;
}

/**
 * Reads what DFTracer wrote: one file, or one for each process. Damage is reported and passed over; what is sound is kept.
 *
 * @throws UnreadableRecordingError when no file holds a single event.
 * @throws the signal's reason when reading is aborted.
 */
export async function readDfTracer(
  files: readonly RecordingFile[],
  options: ReadOptions = {},
  limits: Partial<ReadLimits> = {},
): Promise<Trace> {
  const builder = new DfTracerBuilder(options);
  const total = files.reduce<number | undefined>(
    (sum, file) => (sum === undefined || file.size === undefined ? undefined : sum + file.size),
    0,
  );
  let done = 0;
  for (const [part, file] of files.entries()) {
    const { name, path } = file;
    builder.parts.push({ name, path, commandId: '', host: '', launchId: '', run: '' });
    const lines = new ProcessFile(builder, part, name);
    await readRecords(file, options, limits, sinkOf(lines, limits), (position) =>
      options.progress?.(total === undefined ? undefined : Math.min(1, (done + position) / (total || 1))),
    );
    lines.finish();
    done += file.size ?? 0;
  }
  if (builder.understood === 0) throw unreadable(files, builder);
  return builder.build();
}

function sinkOf(lines: ProcessFile, limits: Partial<ReadLimits>): RecordSink {
  const most = limits.mostEvents ?? MOST_EVENTS;
  return {
    read: (bytes, start, end) => lines.read(bytes, start, end),
    skip: (bytes) => {
      lines.line++;
      lines.report('long-line', `a line of ${bytes} bytes is too long for an event`, 'this line');
    },
    fail: (what, lost) => lines.report('file', what, lost),
    full: () => (lines.events > most ? 'the file holds more events than are kept' : undefined),
  };
}

function unreadable(files: readonly RecordingFile[], builder: DfTracerBuilder): UnreadableRecordingError {
  const names = files.length === 1 ? files[0]!.path : `none of the ${files.length} files`;
  const cause = builder.damage.list()[0]?.what ?? 'it is empty';
  return new UnreadableRecordingError(`${names}: no event of DFTracer was found (${cause})`);
}
