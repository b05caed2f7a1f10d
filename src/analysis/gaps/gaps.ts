import { EVENT_FLAGS, NONE, type EventChunk } from '../../trace/events.ts';
import type { StackNode, StreamIndex } from '../../trace/indices.ts';
import type { RecordingPart, Stream, Trace } from '../../trace/trace.ts';
import { forEachByStart } from '../dfg/event-order.ts';

/** What stands at an end of a gap: a recorded call. */
export interface GapEnd {
  /** `open`, or '' for the process's own begin or end. */
  readonly name: string;
  /** NONE when the recording has no stack of it. */
  readonly node: StackNode;
}

/** The process's begin, or its end; its key is none of a call. */
const OF_PROCESS: GapEnd = { name: '', node: NONE };
const KEY_OF_PROCESS = -1;

/** All stretches between the same two calls in which a process or thread makes no recorded call. Nanoseconds, as recorded. */
export interface Gap {
  readonly after: GapEnd;
  readonly before: GapEnd;
  readonly times: number;
  readonly longestNs: number;
  /** Of each process and thread that has some of it. */
  readonly ofStreams: ReadonlyMap<StreamIndex, number>;
}

interface Gaps {
  /** In the order in which they were seen first. */
  readonly gaps: readonly Gap[];
  /** Gaps that are shorter are no gaps: a tracer stops the program for that long at a call. 0 without a tracer. */
  readonly leastNs: number;
}

/** Nanoseconds: a stop of strace that takes a call stack lasts half a millisecond and more (docs/recording.md). */
const LEAST_UNDER_TRACER = 1e6;
/** Parts of other calls, and what goes on while the program does something else. */
const BESIDE = EVENT_FLAGS.restarted | EVENT_FLAGS.part | EVENT_FLAGS.nonBlocking;

/**
 * Where the program computes, or waits in a way that is not recorded: what lies between its calls, without the messages and
 * barriers in it that were recorded. Where ranks are known, of these alone: their launcher waits for them. One pass by time.
 */
export function gapsOf(trace: Trace): Gaps {
  const sums = new GapSums(trace);
  forEachByStart(trace.events, (chunk, from, to) => {
    for (let i = from; i < to; i++) sums.addEvent(chunk, i);
  });
  return sums.finish();
}

/** Two indices of ends fit into a number. */
const MOST_ENDS = 2 ** 26;

/** A gap as it is added up; its ends are indices. */
interface Pair {
  readonly after: number;
  readonly before: number;
  times: number;
  longestNs: number;
  readonly ofStreams: Map<StreamIndex, number>;
}

class GapSums {
  private readonly leastNs: number;
  /** By stream: the last end that is known, and what ended there. */
  private readonly end: Float64Array;
  private readonly last: Int32Array;
  /** By stream: its process's begin was taken for its first end. */
  private readonly hasBegun: Uint8Array;
  /** By stream: what lies between the messages since its last call. */
  private readonly pending: Float64Array;
  private readonly ends: GapEnd[] = [];
  private readonly endIndices = new Map<number, number>();
  private readonly pairs = new Map<number, Pair>();
  private readonly functions: FunctionsOfStreams;
  /** Parts whose calls were only counted from a moment on. */
  private readonly isTallied: ReadonlySet<number>;
  /** By stream. */
  private readonly counts: readonly boolean[];

  constructor(private readonly trace: Trace) {
    const count = trace.streams.length;
    this.leastNs = trace.form.tracerStopsProgram ? LEAST_UNDER_TRACER : 0;
    this.end = new Float64Array(count).fill(NaN);
    this.last = new Int32Array(count).fill(NONE);
    this.pending = new Float64Array(count);
    this.hasBegun = new Uint8Array(count);
    this.isTallied = new Set(trace.tallied?.map(({ part }) => part));
    const hasRanks = trace.streams.some(({ rank }) => rank !== undefined);
    this.counts = trace.streams.map(({ rank }) => !hasRanks || rank !== undefined);
    this.functions = new FunctionsOfStreams(trace);
  }

  addEvent(chunk: EventChunk, i: number): void {
    const start = chunk.start[i]!;
    if (chunk.flags[i]! & BESIDE || !(start >= 0)) return;
    const stream = chunk.stream[i]!;
    if (!this.counts[stream]) return;
    this.addFunctions(stream, start);
    const node = chunk.stack[i]!;
    const call = chunk.call[i]!;
    const names = this.trace.calls.names;
    const at = this.endOf((node + 1) * names.length + call, () => ({ name: names[call]!, node }));
    this.add(stream, start, chunk.flags[i]! & EVENT_FLAGS.neverReturned ? NaN : chunk.duration[i]!, at);
  }

  finish(): Gaps {
    this.trace.streams.forEach((of, stream) => {
      const until = this.livedOf(of)?.endNs;
      if (until === undefined || this.isTallied.has(of.part) || this.last[stream] === NONE) return;
      this.addFunctions(stream, until);
      const rest = Math.max(0, until - this.end[stream]!) + this.pending[stream]!;
      if (rest > 0) this.addGap(stream, rest, this.atProcess());
    });
    const gaps = [...this.pairs.values()].map(({ after, before, ...sums }) => ({
      after: this.ends[after]!,
      before: this.ends[before]!,
      ...sums,
    }));
    return { gaps, leastNs: this.leastNs };
  }

  /** Messages and barriers are no gaps, where the recording has them. */
  private addFunctions(stream: number, before: number): void {
    this.functions.forEach(stream, before, (start, duration) => {
      const known = this.known(stream);
      if (start > known) this.pending[stream]! += start - known;
      const end = start + (duration > 0 ? duration : 0);
      if (!(end <= known)) this.end[stream] = end;
    });
  }

  private add(stream: number, start: number, duration: number, at: number): void {
    const known = this.known(stream);
    const gap = this.pending[stream]! + Math.max(0, start - known);
    if (gap > 0 && this.last[stream] !== NONE) this.addGap(stream, gap, at);
    else this.pending[stream] = 0;
    if (!(duration >= 0)) {
      // It may go on for any time, or for ever.
      if (Number.isNaN(known) || start >= known) {
        this.end[stream] = NaN;
        this.last[stream] = NONE;
      }
      return;
    }
    const end = start + duration;
    // Of calls within each other the outermost ends last.
    if (end > known || Number.isNaN(known) || this.last[stream] === NONE) {
      this.end[stream] = Number.isNaN(known) ? end : Math.max(known, end);
      this.last[stream] = at;
    }
  }

  /** The last end of a stream; at first when its process began. @returns NaN when that is unknown. */
  private known(stream: number): number {
    if (this.hasBegun[stream] === 0) {
      this.hasBegun[stream] = 1;
      const began = this.livedOf(this.trace.streams[stream]!)?.startNs;
      if (began !== undefined) {
        this.end[stream] = began;
        this.last[stream] = this.atProcess();
      }
    }
    return this.end[stream]!;
  }

  private livedOf({ pid, processId, part }: Stream): RecordingPart['lived'] {
    return pid === processId ? this.trace.parts[part]!.lived : undefined;
  }

  private atProcess(): number {
    return this.endOf(KEY_OF_PROCESS, () => OF_PROCESS);
  }

  private addGap(stream: number, ns: number, before: number): void {
    this.pending[stream] = 0;
    if (ns < this.leastNs) return;
    const after = this.last[stream]!;
    const key = after * MOST_ENDS + before;
    let pair = this.pairs.get(key);
    if (pair === undefined) {
      pair = { after, before, times: 0, longestNs: 0, ofStreams: new Map() };
      this.pairs.set(key, pair);
    }
    pair.times++;
    pair.longestNs = Math.max(pair.longestNs, ns);
    pair.ofStreams.set(stream, (pair.ofStreams.get(stream) ?? 0) + ns);
  }

  private endOf(key: number, made: () => GapEnd): number {
    let at = this.endIndices.get(key);
    if (at === undefined) {
      at = this.ends.push(made()) - 1;
      this.endIndices.set(key, at);
    }
    return at;
  }
}

/** Calls of functions that are no computing, by stream in the order in which they began. */
class FunctionsOfStreams {
  private readonly rows: (number[] | undefined)[] = [];
  private readonly at: (number | undefined)[] = [];

  constructor(private readonly trace: Trace) {
    const { functions } = trace;
    if (functions === undefined) return;
    for (let row = 0; row < functions.length; row++) {
      const { role } = functions.functions[functions.function.at(row)]!;
      if (role === 'communication' || role === 'synchronisation')
        (this.rows[functions.stream.at(row)] ??= []).push(row);
    }
  }

  /** Those that were not told before, and begin before a time. */
  forEach(stream: number, before: number, tell: (start: number, duration: number) => void): void {
    const rows = this.rows[stream];
    if (rows === undefined) return;
    const functions = this.trace.functions!;
    let at = this.at[stream] ?? 0;
    for (; at < rows.length && functions.start.at(rows[at]!) < before; at++) {
      const row = rows[at]!;
      tell(functions.start.at(row), functions.duration.at(row));
    }
    this.at[stream] = at;
  }
}
