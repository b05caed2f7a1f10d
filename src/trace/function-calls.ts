import { IntegerColumn, NumberColumn } from './columns.ts';
import { NONE } from './events.ts';
import type { StreamIndex } from './indices.ts';

/** What the program does while it is in a function (region role and paradigm of OTF2). */
export const FUNCTION_ROLES = ['computation', 'communication', 'synchronisation', 'I/O', 'metadata'] as const;
export type FunctionRole = (typeof FUNCTION_ROLES)[number];

/** A function, or another region of the source that was entered and left. */
export interface FunctionDefinition {
  readonly name: string;
  readonly role: FunctionRole;
  /** Who recorded it: `user`, `compiler`, `MPI`, `OpenMP`, … as the format names it; '' when it does not. */
  readonly paradigm: string;
  /** Where it is defined, '' and 0 when the recording does not say. */
  readonly sourceFile: string;
  readonly sourceLine: number;
}

/**
 * Calls of functions as they were entered and left, I/O functions among them: what remains of a function's time without
 * that of the functions it called is its own. Rows of a stream stand in the order in which they were entered.
 */
export class FunctionCallTable {
  readonly functions: FunctionDefinition[] = [];
  /** Nanoseconds from the trace's origin. */
  readonly start = new NumberColumn();
  /** Nanoseconds; NaN when the recording does not hold the end. */
  readonly duration = new NumberColumn();
  /** Index into `Trace.streams`. */
  readonly stream = new IntegerColumn<StreamIndex>();
  /** Index into `functions`. */
  readonly function = new IntegerColumn();
  /** Row of the call that made this one, or NONE. */
  readonly caller = new IntegerColumn();

  get length(): number {
    return this.start.length;
  }

  /** Makes room for so many calls in all. */
  reserve(calls: number): void {
    for (const column of [this.start, this.duration, this.stream, this.function, this.caller]) column.reserve(calls);
  }

  /** Adds a call that was entered; how long it takes is set when it is left. */
  enter(start: number, stream: StreamIndex, called: number, caller: number = NONE): number {
    // Written column by column, each by its own kind: half of the events of a recording come through here.
    const row = this.start.length;
    if (row === this.start.values.length) {
      for (const column of [this.start, this.duration, this.stream, this.function, this.caller]) column.makeRoom();
    }
    this.start.values[row] = start;
    this.duration.values[row] = NaN;
    this.stream.values[row] = stream;
    this.function.values[row] = called;
    this.caller.values[row] = caller;
    const length = row + 1;
    this.start.length = length;
    this.duration.length = length;
    this.stream.length = length;
    this.function.length = length;
    this.caller.length = length;
    return row;
  }
}
