import type { Operation } from '../../trace/calls.ts';

/** Something that stands on call stacks: a function, or at their ends the recorded call itself. */
export interface CallPlace {
  /** The function, the library of one whose name is not known, or the call (`write`, `H5Dwrite`). */
  readonly name: string;
  /** `rest`: calls without a stack, and what was too small to be told apart. */
  readonly kind: 'program' | 'library' | 'call' | 'rest';
  /** What a call does; '' for all others. */
  readonly operation: Operation | '';
  /** Source file as on this machine where it is here, else as recorded; '' where it is not known. */
  readonly file: string;
  readonly isHere: boolean;
  /** Path of the executable or library, as recorded; '' for calls. */
  readonly module: string;
}

/**
 * All call stacks of a recording merged from their outermost frames inwards, as columns over nodes: a node stands for a
 * place that was reached in one way, callers before what they call, and node 0 for the whole. Amounts are a node's own,
 * without what it called: time, bytes and calls lie in the recorded calls at the ends.
 */
export interface CallTree {
  readonly places: readonly CallPlace[];
  /** Node of the caller; -1 of node 0. */
  readonly parent: readonly number[];
  /** Index into `places`. */
  readonly place: readonly number[];
  /** Line of the function from which it calls on, counted from 1; 0 where it is not known. */
  readonly line: readonly number[];
  /** Nanoseconds that all processes spent together: of a call without those of the lower layers that it made. */
  readonly timeNs: readonly number[];
  readonly bytes: readonly number[];
  /** Each transfer once: the requests that reach files. */
  readonly calls: readonly number[];
  /** Whether times are those of the run without its tracer, as they were recorded, or not known. */
  readonly times: 'untraced' | 'recorded' | 'unknown';
  /** False where no recorded call has a stack. */
  readonly hasStacks: boolean;
}

/** What a tree can be weighed by. */
export const CALL_MEASURES = ['timeNs', 'bytes', 'calls'] as const;
export type CallMeasure = (typeof CALL_MEASURES)[number];
