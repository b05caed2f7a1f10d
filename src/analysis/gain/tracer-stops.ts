import { OPERATION } from '../../trace/calls.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { Gaps } from './gaps.ts';
import type { Lanes } from './lanes.ts';
import { Unwinding } from './unwinding.ts';

/** What a program does each time shows also in the shortest times between calls: busy processors spare some of them. */
const SHORTEST = 0.02;
/** Of fewer each may have waited for a processor. */
const FEWEST = 8;
/** Looking at a stack takes no longer than the shorter times behind it, and than its frames do elsewhere; and varies so much. */
const SHORTER = 0.25;
const UNWINDING_VARIES = 1.5;
const NEARLY_ALL = 0.999;
/** Places that are looked at by themselves; programs make most of their calls from few. */
const MOST_PLACES = 500;
const BELOW_NONE = NONE - 1;
/** Where no process of a program begins a call for so long, it computes, sleeps or waits; nanoseconds. */
const PAUSE = 5e6;
/** Unless the tracer looks at the stack of the call before: in a process that has just begun it takes a few times as long. */
const LOOKING_FIRST = 4;
/** Pauses that are looked at one by one. */
const MOST_PAUSES = 200_000;

/** What shows of a tracer that stops the program at each call: all calls, also those that count for no finding. */
export class TracerStops {
  /** Between the calls of a stream, by the place of the call before: what a program does behind one call it does not behind another. */
  private readonly gapsOfPlace = new Map<number, Gaps>();
  /** The same, and `others`, by the node of a stack, and by the negative number of a function. */
  private readonly gapsOfNode: (Gaps | undefined)[];
  private readonly gapsOfFunction: (Gaps | undefined)[] = [];
  /** Behind the calls of all further places. */
  private readonly others = new Gaps();
  readonly unwinding: Unwinding;
  /** Of calls that do not wait for the storage by what they are. */
  private readonly durations = new Gaps();
  private readonly callsOfLane: Float64Array;
  /** End of the last call of each stream, and its place: its stack, or its function below NONE where there is none. */
  private readonly ends: Float64Array;
  private readonly places: Int32Array;
  /** When a process was last seen to do something: the end of a short call, or the begin of one that may wait for another. */
  private latest = NaN;
  /** The place of that call, and the pauses so far by the place before them. */
  private latestPlace = NONE;
  private readonly pausePlaces: number[] = [];
  private readonly pauses: number[] = [];
  private morePaused = 0;

  constructor(
    private readonly trace: Trace,
    callSites: CallSites,
    private readonly lanes: Lanes,
  ) {
    this.unwinding = new Unwinding(trace, callSites);
    this.gapsOfNode = new Array<Gaps | undefined>(trace.stacks.nodes);
    this.callsOfLane = new Float64Array(lanes.count);
    this.ends = new Float64Array(trace.streams.length).fill(NaN);
    this.places = new Int32Array(trace.streams.length).fill(NONE);
  }

  see(chunk: EventChunk, i: number): void {
    const stream = chunk.stream[i]!;
    const start = chunk.start[i]!;
    this.callsOfLane[this.lanes.of[stream]!]!++;
    const gap = start - this.ends[stream]!;
    const before = this.places[stream]!;
    this.gapsBehind(before).add(gap);
    this.unwinding.see(before, gap);
    const node = chunk.stack[i]!;
    const call = chunk.call[i]!;
    const place = node === NONE ? BELOW_NONE - call : node;
    this.places[stream] = place;
    const recorded = chunk.duration[i]!;
    const duration = recorded > 0 ? recorded : 0;
    this.ends[stream] = start + duration;
    this.seeAny(start, duration, place);
    const operation = this.trace.calls.operation[call];
    if (operation !== OPERATION.sync) this.durations.add(duration);
  }

  private seeAny(start: number, duration: number, place: number): void {
    const pause = start - this.latest;
    if (pause > PAUSE && this.pauses.length < MOST_PAUSES) {
      this.pauses.push(pause);
      this.pausePlaces.push(this.latestPlace);
    } else if (pause > PAUSE) this.morePaused += pause;
    const seen = duration > PAUSE ? start : start + duration;
    if (seen <= this.latest) return;
    this.latest = seen;
    this.latestPlace = place;
  }

  /**
   * Nanoseconds in which no process of the program began a call, each time for longer than the tracer may have looked at a
   * stack; of a recording in the order of time.
   */
  get pausedNs(): number {
    return this.pauses.reduce((sum, pause, i) => {
      const looking = this.lookingBehind(this.pausePlaces[i]!);
      return pause > PAUSE + LOOKING_FIRST * looking ? sum + pause : sum;
    }, this.morePaused);
  }

  /** How long the tracer looks at a stack behind the calls of a place, in the shorter times. */
  private lookingBehind(place: number): number {
    const gaps = this.gapsOfPlace.get(place);
    if (place === NONE || gaps === undefined) return this.others.count === 0 ? 0 : this.others.quantile(SHORTER);
    const looking = this.unwinding.of(place);
    return gaps.count < FEWEST ? looking : Math.min(gaps.quantile(SHORTER), looking);
  }

  /**
   * What lies between the calls, but for long times: `total`; what the tracer does not take of it: `all`; and what the
   * program does each time, which shows also in the shortest times: `always`. Nanoseconds of all streams.
   *
   * @param stop how long a tracer stops the program that does not look at its stack.
   * @param slack what is longer by more than that is long.
   */
  beyond(stop: number, slack: number): { total: number; all: number; always: number } {
    const beyond = { total: 0, all: 0, always: 0 };
    for (const [place, gaps] of [...this.gapsOfPlace, [NONE, this.others] as const]) {
      const isKnown = gaps.count >= FEWEST;
      const looking = place === NONE ? gaps.quantile(SHORTER) : this.unwinding.of(place);
      const most = stop + UNWINDING_VARIES * (isKnown ? Math.min(gaps.quantile(SHORTER), looking) : looking);
      beyond.total += gaps.total(most + slack);
      beyond.all += gaps.beyond(most, most + slack);
      if (isKnown) beyond.always += gaps.count * Math.max(0, gaps.quantile(SHORTEST) - most);
    }
    return beyond;
  }

  private gapsBehind(place: number): Gaps {
    // Every call asks: a list answers faster than a map.
    return place < 0
      ? (this.gapsOfFunction[-place] ??= this.foundGaps(place))
      : (this.gapsOfNode[place] ??= this.foundGaps(place));
  }

  private foundGaps(place: number): Gaps {
    if (this.gapsOfPlace.size >= MOST_PLACES) return this.others;
    const gaps = new Gaps();
    this.gapsOfPlace.set(place, gaps);
    return gaps;
  }

  /** What next to no call takes longer than; nanoseconds. */
  get longestNs(): number {
    return this.durations.quantile(NEARLY_ALL);
  }

  get calls(): number {
    return this.callsOfLane.reduce((all, calls) => all + calls, 0);
  }

  /** Calls of the lane that makes most. */
  get mostCalls(): number {
    return this.callsOfLane.reduce((most, calls) => Math.max(most, calls), 0);
  }
}
