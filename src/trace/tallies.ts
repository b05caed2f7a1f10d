import type { StackNode } from './indices.ts';

/** Calls of one function from one stack that were counted, and not recorded one by one. */
export interface Tally {
  /** As recorded (`pwrite`), and the layer that it belongs to, in words (`POSIX`, `MPI`). */
  readonly name: string;
  readonly layer: string;
  /** NONE when no stack is known. */
  readonly stack: StackNode;
  readonly calls: number;
  readonly failed: number;
  /** Moved by those that did not fail. */
  readonly bytes: number;
  /** Nanoseconds, of all and of the longest. */
  readonly timeNs: number;
  readonly longestNs: number;
  /** Calls by the power of two of their nanoseconds, and of their bytes; those that move none are in the first alone. */
  readonly times: PowerCounts;
  readonly sizes: PowerCounts;
}

/** How often something lay between 2^power and 2^(power + 1); 0 and 1 have the power 0. */
export type PowerCounts = readonly (readonly [power: number, count: number])[];

/** What a process did when it had recorded as many events as it might (`record --limit`). */
export interface TalliedProcess {
  /** Index into `Trace.parts`. */
  readonly part: number;
  /** Bytes of events after which calls were only counted. */
  readonly limitBytes: number;
  /** Nanoseconds for which events were recorded, from the start of the process. */
  readonly recordedNs: number;
  /** Nanoseconds of the process after that, as far as they are known. */
  readonly countedNs: number;
  /** By function and stack, no two alike. */
  readonly tallies: readonly Tally[];
}
