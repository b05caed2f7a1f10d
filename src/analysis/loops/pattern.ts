import type { FileIndex, StreamIndex } from '../../trace/indices.ts';

/**
 * What a stream does, as nested repeats of calls (Knüpfer et al., "DIOS", section 4 and figures 6 to 8).
 */

/**
 * A number that may change with the iterations of the loops around it: base + Σ steps[k] × iteration of loop k, the
 * outermost loop first, iterations counted from 0. No steps: it is the same each time.
 */
export interface AffineNumber {
  readonly base: number;
  readonly steps: readonly number[];
  /** What another stream of the group adds: times its number minus that of the group's first; absent for 0. */
  readonly perStream?: number;
}

/** A path whose digits count with the iterations: `out.0007.dat` is { before: 'out.', digits: 4, after: '.dat' }. */
export interface NumberedPath {
  /** Of two numbers the first one, with the text in front of it; it may be the same each time. */
  readonly outer?: { readonly before: string; readonly number: AffineNumber; readonly digits: number };
  readonly before: string;
  readonly number: AffineNumber;
  /** Digits at least, filled up with zeros. */
  readonly digits: number;
  readonly after: string;
}

/** One call, with the arguments that tell it from others, and what it cost over all iterations and streams of the group. */
export interface CallPattern {
  readonly kind: 'call';
  /** Times it is made one after the other with the same arguments, within one iteration. */
  readonly count: number;
  /** Index into `Trace.calls`. */
  readonly call: number;
  /** Index into LAYERS. */
  readonly layer: number;
  /** Where it is used: index into `Trace.files`, NONE for none, or paths that count. */
  readonly file: FileIndex | NumberedPath;
  /** The handle, numbered per stream as descriptors are: the lowest number that is free when it is opened; NONE for none. */
  readonly slot: number;
  /** Undefined where the call has none, it is not known, or it follows from the calls before (no seek in between). */
  readonly offset: AffineNumber | undefined;
  /** It goes on where the calls before left the handle: behind the last transfer, or where an open or a seek put it. */
  readonly follows: boolean;
  /** Bytes asked for; undefined where the call has none. */
  readonly requested: AffineNumber | undefined;
  /** `EventChunk.argument`; undefined where it is NaN. */
  readonly argument: number | undefined;
  /** Bits of EVENT_FLAGS that belong to the call itself: append, collective, nonBlocking. */
  readonly flags: number;
  /** Index into `Trace.errors`. */
  readonly error: number;
  /** Innermost node of the stack in `Trace.stacks`, or NONE. */
  readonly stack: number;
  /** Events that it stands for, over all iterations of the loops around it and all streams of the group. */
  readonly events: number;
  readonly bytes: number;
  /** Nanoseconds. */
  readonly timeNs: number;
  /** Row of the first event, in the group's first stream. */
  readonly firstEvent: number;
}

/** Something between processes that orders their I/O: a message, a barrier, a collective call. */
export interface SynchronisationPattern {
  readonly kind: 'synchronisation';
  readonly count: number;
  /** `send`, `receive`, or the name of the collective operation. */
  readonly operation: string;
  /** Rank of the stream at the other end, or its pid where it has none; undefined for collectives. It may change with the iterations. */
  readonly peer: AffineNumber | undefined;
  readonly communicator: number;
  /** Row in `Trace.messages`, of the first. */
  readonly firstMessage: number;
}

/** A group of calls that is repeated. */
export interface LoopPattern {
  readonly kind: 'loop';
  readonly count: number;
  readonly body: readonly Pattern[];
  /** Events that it stands for, over all iterations and all streams of the group. */
  readonly events: number;
  readonly bytes: number;
  readonly timeNs: number;
}

export type Pattern = CallPattern | SynchronisationPattern | LoopPattern;

/** The pattern of streams that do the same; files, offsets, sizes and peers may differ by a multiple of their number. */
export interface StreamPattern {
  /** Indices into `Trace.streams`: the first is the one that `patterns` shows. */
  readonly streams: readonly StreamIndex[];
  /** Number of each of them: its rank, which threads of a rank share; without ranks its place here. */
  readonly numbers: readonly number[];
  readonly patterns: readonly Pattern[];
  /** Calls (and synchronisations) of one stream, all iterations counted, and patterns that stand for them. */
  readonly length: number;
  readonly size: number;
}
