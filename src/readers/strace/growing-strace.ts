import type { GrowingFile } from '../../trace/byte-source.ts';
import type { ReadOptions, Trace } from '../../trace/trace.ts';
import type { GrowingReader } from '../growing-reader.ts';
import { LineParser } from './line-parser.ts';
import { namedPart } from './part-name.ts';
import { handOut } from '../text/read-records.ts';
import { ReaderTables } from './reader-tables.ts';
import { RecordStream } from '../text/record-stream.ts';
import { inOrder, sinkOf, unreadable, type ReadLimits } from './strace-reader.ts';
import { TraceBuilder } from './trace-builder.ts';

/** What is kept of a file between two readings. */
interface Part {
  readonly file: GrowingFile;
  readonly records: RecordStream;
  readonly parser: LineParser;
  /** False when nothing more is to be had of it. */
  grows: boolean;
}

/**
 * Reads strace text while it is written: each call of `read` takes in what was appended. The last record of a file waits,
 * because its line or its call stack may be half-written, and calls that have not returned are no damage before the end.
 *
 * Of one file the result is exactly that of `readStrace` on the complete file. Of several files the rows of all stand in the
 * order in which they were read, and what a process inherits is known only when its parent's file was read before its own.
 */
export class GrowingStrace implements GrowingReader {
  private readonly builder: TraceBuilder;
  private readonly tables: ReaderTables;
  private readonly parts: Part[] = [];

  constructor(
    options: ReadOptions = {},
    private readonly limits: Partial<ReadLimits> = {},
  ) {
    this.builder = new TraceBuilder(options);
    this.tables = new ReaderTables(this.builder, limits.withoutScanner);
  }

  /** Lines that were understood: calls, signals, exits. */
  get understood(): number {
    return this.builder.understood;
  }

  /** Of several files the rows stand in the order in which they were read. */
  get isExact(): boolean {
    return this.parts.length === 1;
  }

  /** Adds files that appeared. */
  add(files: readonly GrowingFile[]): void {
    for (const file of inOrder(files)) {
      const parser = new LineParser(this.builder, this.tables, namedPart(file.name, file.path));
      this.parts.push({ file, records: new RecordStream(file.stream, this.limits, 0, true), parser, grows: true });
    }
  }

  /**
   * Reads what was appended to the files.
   * @returns whether there was a record among it.
   * @throws the signal's reason when reading is aborted; it can be called again.
   */
  async read(options: Pick<ReadOptions, 'signal' | 'progress'> = {}): Promise<boolean> {
    const total = this.parts.reduce((sum, { file }) => sum + file.more, 0);
    let left = total;
    let hasMore = false;
    for (const part of this.parts) {
      const { file, records } = part;
      if (!part.grows || file.more === 0) continue;
      left -= file.more;
      records.resume(file.more);
      await this.take(part, options, () => {
        hasMore = true;
        options.progress?.(1 - (left + file.more) / Math.max(1, total));
      });
    }
    return hasMore;
  }

  private async take(part: Part, options: Pick<ReadOptions, 'signal'>, progress: () => void): Promise<void> {
    const { file, records, parser } = part;
    const sink = sinkOf(this.builder, parser, file.name, this.limits);
    part.grows = await handOut(records, options, sink, progress);
  }

  /** What was read so far; it stays as it is while reading goes on. Two snapshots are right at a time. */
  snapshot(): Trace {
    return this.builder.snapshot();
  }

  /**
   * The whole trace, when nothing more is written: what waited is read to its end. Nothing can be asked of the reader then.
   * @throws UnreadableRecordingError when no file holds a single line of strace text.
   */
  async finish(options: Pick<ReadOptions, 'signal'> = {}): Promise<Trace> {
    for (const part of this.parts) {
      if (part.grows) {
        part.records.finish();
        await this.take(part, options, () => undefined);
      }
      part.parser.finish();
    }
    await this.close();
    if (this.builder.understood === 0) {
      throw unreadable(
        this.parts.map(({ file }) => file),
        this.builder,
      );
    }
    return this.builder.build();
  }

  async close(): Promise<void> {
    for (const { records } of this.parts) await records.close();
  }
}
