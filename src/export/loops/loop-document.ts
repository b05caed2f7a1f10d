/** `iolens patterns --format json`, and what the editor shows of loops. */

/** A number that may count: base + Σ steps × iteration + perStream × (the stream's number − that of the first). */
export interface CountingNumber {
  readonly base: number;
  /** For each loop around it, outermost first; empty when it is the same each time. */
  readonly steps: readonly number[];
  readonly perStream: number;
  /** The same for people: `0 += 640`, `7 + 1000x + 640y`. */
  readonly text: string;
}

export interface LoopSite {
  /** On this machine where it is here, else as recorded. */
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly isHere: boolean;
}

interface LoopCosts {
  /** Of all iterations and of all streams of the group. */
  readonly events: number;
  readonly bytes: number;
  readonly timeNs: number;
}

export interface LoopCall extends LoopCosts {
  readonly kind: 'call';
  readonly count: number;
  readonly call: string;
  readonly layer: string;
  /** Of the file; `{x}` stands for a variable in it. '' for none. */
  readonly path: string;
  /** Handles numbered per stream as descriptors are; −1 for none. */
  readonly slot: number;
  /** null where it has none or it follows from the calls before. */
  readonly offset: CountingNumber | null;
  readonly requested: CountingNumber | null;
  readonly argument: number | null;
  readonly flags: readonly ('append' | 'collective' | 'nonBlocking')[];
  /** '' for success. */
  readonly error: string;
  readonly site: LoopSite | null;
}

export interface LoopSynchronisation {
  readonly kind: 'synchronisation';
  readonly count: number;
  /** `send`, `receive`, or the name of the collective operation. */
  readonly operation: string;
  readonly peer: CountingNumber | null;
}

export interface Loop extends LoopCosts {
  readonly kind: 'loop';
  readonly count: number;
  /** null where the body needs none. */
  readonly variable: { readonly name: string; readonly from: number; readonly to: number } | null;
  /** `34 × [ read 10000 B ; write 10000 B ]`, at most a few lines of the body. */
  readonly text: string;
  /** Place of its first call that has one. */
  readonly site: LoopSite | null;
  /** What all of its calls have in common: '' and null for nothing. */
  readonly commonPath: string;
  readonly commonSite: LoopSite | null;
  /** How its transfers lie in their files; null where they have no common way. */
  readonly access: LoopAccessDocument | null;
  readonly body: readonly LoopLine[];
  /** Lines of the body, where `body` was left out. */
  readonly bodyLines: number;
}

/** See `analysis/loops/loop-access`. */
interface LoopAccessDocument {
  readonly kind: 'contiguous' | 'appended' | 'strided' | 'backward' | 'repeated';
  /** Bytes from one iteration to the next, on average. */
  readonly stepBytes: number;
  /** Transfers of one iteration, the bytes that they ask for (those that they move, where that changes), and those that they move, on average. */
  readonly transfers: number;
  readonly bytes: number;
  readonly movedBytes: number;
  /** Each iteration asks for the same, and moves it. */
  readonly isSteady: boolean;
}

export type LoopLine = Loop | LoopCall | LoopSynchronisation;

interface LoopStream {
  readonly host: string;
  readonly process: number;
  readonly thread: number;
  readonly rank: number | null;
}

/** Streams that do the same. */
export interface LoopGroup extends LoopCosts {
  readonly streams: readonly LoopStream[];
  /** What `perStream` is counted by: `rank`, or `process`, the place in `streams` from 0; and the number of the first one. */
  readonly countedBy: string;
  readonly firstNumber: number;
  /** Calls of one stream, and lines that stand for them. */
  readonly length: number;
  readonly size: number;
  readonly patterns: readonly LoopLine[];
  /** Lines that are not among `patterns`, the last ones; absent where all are. */
  readonly linesLeftOut?: number;
}

export interface RecordingLoops {
  readonly recording: string;
  readonly calls: string;
  readonly groups: readonly LoopGroup[];
}

export interface LoopsDocument {
  readonly schema: 'iolens/patterns@1';
  readonly recordings: readonly RecordingLoops[];
}
