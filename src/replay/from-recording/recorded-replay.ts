import type { ReplayOperation } from '../program.ts';

/** One operation of a replay with what the recording says of it and a program need not. */
export interface RecordedStep {
  readonly operation: ReplayOperation;
  /** When it began, in nanoseconds from the trace's origin; NaN when unknown. */
  readonly startNs: number;
  /** Offset in the file at which it reads or writes, also where it follows from the calls before; NaN when unknown. */
  readonly place: number;
}

/** What one recorded stream does, call by call. */
export interface RecordedTask {
  /** Index into `Trace.streams`. */
  readonly stream: number;
  readonly steps: readonly RecordedStep[];
}

/** A file that is there before the replay begins. */
export interface InputFile {
  /** Below the replay's folder. */
  readonly path: string;
  readonly bytes: number;
}

/** A recording as something that can be replayed: before its loops are found, and before advice is applied. */
export interface RecordedReplay {
  /** By rank. */
  readonly tasks: readonly RecordedTask[];
  readonly inputs: readonly InputFile[];
  /** Synchronisations between streams: as found, and as kept. */
  readonly synchronisations: { readonly found: number; readonly kept: number };
  /** What was left out or could not be said, in words for the user. */
  readonly notes: readonly string[];
}
