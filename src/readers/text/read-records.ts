import { WrongChecksumError, type RecordingFile } from '../../trace/byte-source.ts';
import { messageOf } from '../../base/error-message.ts';
import type { ReadOptions } from '../../trace/trace.ts';
import { RecordStream, type RecordStreamLimits } from './record-stream.ts';

/** What takes the records of a text file. */
export interface RecordSink {
  /** Runs of whole records; the bytes are valid during the call only. */
  read(bytes: Uint8Array, start: number, end: number): void;
  /** A line of so many bytes was too long to be kept. */
  skip(bytes: number): void;
  /** The file cannot be opened, or not read to its end; what was read before has been handed out. */
  fail(what: string, lost: string): void;
  /** Why no more is taken; undefined while there is room. */
  full(): string | undefined;
}

/**
 * Hands the records of a text file out, one run after the other.
 *
 * @param progress gets the stored bytes that were read.
 * @throws the signal's reason when reading is aborted; nothing else.
 */
export async function readRecords(
  file: RecordingFile,
  options: Pick<ReadOptions, 'signal'>,
  limits: Partial<RecordStreamLimits>,
  sink: RecordSink,
  progress: (position: number) => void,
): Promise<void> {
  let stream;
  try {
    stream = await file.open();
  } catch (error) {
    sink.fail(`cannot be opened: ${messageOf(error)}`, 'the whole file');
    return;
  }
  const records = new RecordStream(stream, limits, file.size);
  try {
    await handOut(records, options, sink, () => progress(stream.position));
  } finally {
    await records.close();
  }
}

/**
 * Hands out what a stream of records has now.
 *
 * @param progress is called behind each run.
 * @returns false when nothing more is to be had of it: the sink was told why, or the stream is at its end.
 * @throws the signal's reason when reading is aborted; nothing else.
 */
export async function handOut(
  records: RecordStream,
  options: Pick<ReadOptions, 'signal'>,
  sink: RecordSink,
  progress: () => void,
): Promise<boolean> {
  try {
    for (;;) {
      options.signal?.throwIfAborted();
      const run = await records.next();
      if (run === undefined) return records.isGrowing;
      if (run.skipped > 0) sink.skip(run.skipped);
      sink.read(run.bytes, run.start, run.end);
      progress();
      const full = sink.full();
      if (full !== undefined) throw new Error(full);
    }
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    if (error instanceof WrongChecksumError) sink.fail(error.message, 'nothing, but any of it may be wrong');
    else sink.fail(`cannot be read further: ${messageOf(error)}`, 'the rest of the file');
    return false;
  }
}
