import type { GrowingFile } from '../trace/byte-source.ts';
import type { ReadOptions, Trace } from '../trace/trace.ts';

/** Reads a recording while it is written: each call of `read` takes in what was appended (docs/decisions/0079). */
export interface GrowingReader {
  /** How much was understood so far; 0 while there is nothing that could be shown. */
  readonly understood: number;
  /** Whether `finish` gives what reading the complete files gives; else they are to be read once more. */
  readonly isExact: boolean;
  /** Adds files that appeared. */
  add(files: readonly GrowingFile[]): void;
  /**
   * Reads what was appended to the files.
   * @returns whether there is more to be seen than before.
   * @throws the signal's reason when reading is aborted; it can be called again.
   */
  read(options?: Pick<ReadOptions, 'signal' | 'progress'>): Promise<boolean>;
  /** What was read so far; it stays as it is while reading goes on. Two snapshots are right at a time. */
  snapshot(): Trace;
  /**
   * All that could be read, when nothing more is written. Nothing can be asked of the reader then.
   * @throws UnreadableRecordingError when there is nothing.
   */
  finish(): Promise<Trace>;
  close(): Promise<void>;
}
