import type { RecordingFile } from '../../trace/byte-source.ts';
import { UnreadableRecordingError, type ReadOptions, type Trace } from '../../trace/trace.ts';
import { readRecords, type RecordSink } from '../text/read-records.ts';
import type { RecordStreamLimits } from '../text/record-stream.ts';
import { OutputLines } from './output-lines.ts';
import { TextRecording } from './text-recording.ts';

interface ReadLimits extends RecordStreamLimits {
  /** Segments that are kept. */
  mostEvents: number;
}

/** A compressed file of a megabyte can hold a thousand times as much text. */
const MOST_EVENTS = 200_000_000;

/**
 * Reads the output of darshan-parser and darshan-dxt-parser: that of one log, in one file or several. Damage is reported and
 * passed over; what is sound is kept.
 *
 * @throws UnreadableRecordingError when no file holds such output.
 * @throws the signal's reason when reading is aborted.
 */
export async function readDarshanText(
  files: readonly RecordingFile[],
  options: ReadOptions = {},
  limits: Partial<ReadLimits> = {},
): Promise<Trace> {
  if (files.length === 0) throw new UnreadableRecordingError('no file of darshan-parser was given');
  const recording = new TextRecording(files, options);
  const lines = new OutputLines(recording);
  const sink = sinkOf(recording, lines, limits.mostEvents ?? MOST_EVENTS);
  const sizes = files.map(({ size }) => size);
  const total = sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + size!, 0);
  let done = 0;
  for (const [part, file] of files.entries()) {
    lines.beginFile(file.name, part);
    await readRecords(file, options, limits, sink, (position) =>
      options.progress?.(total === undefined ? undefined : Math.min(1, (done + position) / (total || 1))),
    );
    lines.finishOutput();
    done += file.size ?? 0;
  }
  if (lines.understood === 0 || (recording.hasOldRows && recording.isEmpty)) throw unreadable(files, recording);
  return recording.build();
}

function sinkOf(recording: TextRecording, lines: OutputLines, mostEvents: number): RecordSink {
  return {
    read: (bytes, start, end) => lines.read(bytes, start, end),
    skip: (bytes) => lines.skipLine(bytes),
    fail: (what, lost) => lines.reportFile(what, lost),
    full: () =>
      recording.builder.events.length > mostEvents ? 'the text holds more segments than are kept' : undefined,
  };
}

function unreadable(files: readonly RecordingFile[], recording: TextRecording): UnreadableRecordingError {
  const names = files.length === 1 ? files[0]!.path : `none of the ${files.length} files`;
  if (recording.hasOldRows) {
    return new UnreadableRecordingError(`${names}: output of Darshan 2 is not read; Darshan 3 came in 2015`);
  }
  const [first] = recording.builder.damage.list();
  const cause = first?.what ?? 'it is empty';
  return new UnreadableRecordingError(
    `${names}: no output of darshan-parser or darshan-dxt-parser was found (${cause})`,
  );
}
