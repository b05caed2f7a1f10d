import { getOrCreate } from '../../base/grouping.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import { FileExtents } from './file-extents.ts';
import { FileHistories, type NeededFile, type StreamState } from './file-histories.ts';
import { IoEvents, type TakesPart } from './io-events.ts';
import type { JointCalls } from './joint-calls.ts';
import { Knowledge, type Vector } from './knowledge.ts';
import { messageItems, sidesOf, type Meeting, type MessageItem } from './message-items.ts';
import { StreamHeap } from './stream-heap.ts';
import { withoutTrailing, type Synchronisation } from './synchronisations.ts';

/** Vectors of what streams know of each other take the square of their number. */
const MOST_STREAMS = 4096;

/** How the calls of streams on files depend on each other (Knüpfer et al., section 2). */
export interface Dependencies {
  readonly events: IoEvents;
  /** All calls (numbers of `events`) in one order that keeps that of each stream and of all synchronisations. */
  readonly order: Int32Array;
  /** What orders streams and is not implied by the others; in an order in which each comes after what it depends on. */
  readonly synchronisations: readonly Synchronisation[];
  /** Synchronisations that were recorded or found, before the redundant ones were left out. */
  readonly found: number;
  /** Files that have to be there before the program begins. */
  readonly needed: readonly NeededFile[];
  /** What could not be used, in words for the user. */
  readonly notes: readonly string[];
}

/**
 * Finds what orders the calls of different streams: messages where the recording has them, and files that one stream hands
 * over to another where no message does. The result has no cycle, whatever the clocks did: it is found along one order
 * of all calls.
 *
 * @param jointly finds the calls that streams make together: none of them may then wait for what comes behind such a call
 * of another. Without it each stream's calls are its own.
 * @throws RangeError when there are more streams than can be compared, or their joint calls contradict each other.
 */
export function findDependencies(
  trace: Trace,
  takesPart: TakesPart,
  jointly?: (events: IoEvents) => JointCalls,
): Dependencies {
  const events = new IoEvents(trace, takesPart);
  return new DependencyFinder(trace, events, jointly?.(events)).find();
}

/** What is known of a meeting while it is under way. */
interface MeetingState {
  arrived: number[];
  isOver: boolean;
  calls: number;
  known: Vector | undefined;
  readonly waiting: number[];
}

class DependencyFinder {
  private readonly next: Int32Array;
  private readonly nextItem: Int32Array;
  private readonly heap = new StreamHeap();
  private readonly blocked = new Map<number, MessageItem>();
  private readonly meetings = new Map<Meeting, MeetingState>();
  private readonly knowledge: Knowledge;
  private readonly histories: FileHistories;
  private readonly synchronisations: Synchronisation[] = [];
  private readonly order: Int32Array;
  private ordered = 0;
  private found = 0;
  private contradictions = 0;
  private readonly items: ReadonlyMap<number, readonly MessageItem[]>;
  private readonly unmatched: number;
  /** Streams that have come to a joint call which others have not come to yet, with that call. */
  private readonly gathering = new Map<number, number>();
  private readonly extents: FileExtents;

  constructor(
    trace: Trace,
    private readonly events: IoEvents,
    private readonly joint: JointCalls | undefined,
  ) {
    const streams = trace.streams.length;
    ({ ofStream: this.items, unmatched: this.unmatched } = messageItems(trace));
    let active = 0;
    for (let stream = 0; stream < streams; stream++) if (events.count(stream) > 0 || this.items.has(stream)) active++;
    if (active > MOST_STREAMS)
      throw new RangeError(`the recording has ${active} streams; dependencies are found among ${MOST_STREAMS} at most`);
    this.knowledge = new Knowledge(streams);
    this.histories = new FileHistories(events, trace.files);
    this.extents = new FileExtents(events);
    this.next = events.first.slice();
    this.nextItem = new Int32Array(streams);
    this.order = new Int32Array(events.length);
  }

  find(): Dependencies {
    const { events } = this;
    const streams = this.nextItem.length;
    for (let stream = 0; stream < streams; stream++) this.schedule(stream);
    for (;;) {
      const stream = this.heap.pop();
      if (stream !== undefined) this.advance(stream);
      else if (!this.release()) break;
    }
    return {
      events,
      order: this.order,
      synchronisations: withoutTrailing(this.synchronisations, (stream) => events.count(stream)),
      found: this.found,
      needed: this.histories.neededFiles,
      notes: this.notes(),
    };
  }

  private notes(): string[] {
    const notes: string[] = [];
    const { unmatched, contradictions } = this;
    if (unmatched > 0) notes.push(`${unmatched} recorded messages have no other end: they order nothing`);
    if (contradictions > 0)
      notes.push(`${contradictions} recorded synchronisations contradict each other and were left out`);
    const acting = this.nextItem.reduce((count, _, stream) => count + (this.events.count(stream) > 0 ? 1 : 0), 0);
    if (!this.events.comparable && acting > 1)
      notes.push('the recording has no times: what its files hand over to each other is not known');
    return notes;
  }

  private item(stream: StreamIndex): MessageItem | undefined {
    return this.items.get(stream)?.[this.nextItem[stream]!];
  }

  /** When a stream goes on; NaN when it is at its end. */
  private timeOf(stream: StreamIndex): number {
    const k = this.next[stream]!;
    const start = k < this.events.first[stream + 1]! ? this.events.start[k]! : NaN;
    const item = this.item(stream);
    if (item === undefined) return start;
    if (Number.isNaN(start)) return Number.isNaN(item.time) ? 0 : item.time;
    return item.time > start ? start : Math.min(start, Number.isNaN(item.time) ? start : item.time);
  }

  private schedule(stream: StreamIndex): void {
    const time = this.timeOf(stream);
    if (!Number.isNaN(time)) this.heap.push(time, stream);
  }

  /** Lets a stream go on until another is before it, or it has to wait. */
  private advance(stream: StreamIndex): void {
    const { events } = this;
    for (;;) {
      const time = this.timeOf(stream);
      if (Number.isNaN(time)) return;
      if (time > this.heap.earliest) {
        this.heap.push(time, stream);
        return;
      }
      const k = this.next[stream]!;
      const item = this.item(stream);
      const isCall = k < events.first[stream + 1]! && (item === undefined || item.time > events.start[k]!);
      if (isCall) {
        if (!this.callOf(stream, k)) return;
      } else if (this.meet(item!)) this.nextItem[stream]!++;
      else {
        this.blocked.set(stream, item!);
        return;
      }
    }
  }

  /** Calls that a stream has made so far. */
  private calls(stream: StreamIndex): number {
    return this.next[stream]! - this.events.first[stream]!;
  }

  /** @returns whether the stream goes on. */
  private callOf(stream: StreamIndex, k: number): boolean {
    const members = this.joint?.membersOf(k);
    if (members === undefined) {
      this.order[this.ordered++] = k;
      this.waitFor(k, this.histories.tell(k));
      this.histories.done(k, this.knowledge.of(stream));
      if (this.joint !== undefined) this.extents.add(k);
      this.next[stream]!++;
      return true;
    }
    this.gathering.set(stream, k);
    const streams = members.map((member) => this.events.stream[member]!);
    if (!members.every((member, i) => this.gathering.get(streams[i]!) === member)) return false;
    this.jointCall(members, streams);
    for (const one of streams) {
      this.gathering.delete(one);
      this.next[one]!++;
      if (one !== stream) this.schedule(one);
    }
    return true;
  }

  /**
   * All members' calls at once: none depends on another of them. What one needs of another from before is met by a
   * barrier of all, for MPI-IO does not promise that its collective calls are one.
   */
  private jointCall(members: readonly number[], streams: readonly StreamIndex[]): void {
    const { events, histories, knowledge } = this;
    const among = new Set(streams);
    const calls = (stream: StreamIndex): number => this.calls(stream);
    let needsBarrier = false;
    let timeNs = NaN;
    for (const k of members) {
      this.order[this.ordered++] = k;
      const others = new Map<number, StreamState>();
      const sources = histories.tell(k);
      const meets = this.extents.meets(k, streams);
      for (const [source, use] of sources) {
        if (!among.has(source)) others.set(source, use);
        else if (meets && events.comparable && !knowledge.has(events.stream[k]!, source, use.calls, use.known)) {
          needsBarrier = true;
          timeNs = Number.isNaN(timeNs) ? use.end : Math.max(timeNs, use.end);
        }
      }
      this.waitFor(k, others);
    }
    if (needsBarrier) {
      this.found++;
      knowledge.share(streams, calls);
      const points = streams.map((stream) => ({ stream, calls: calls(stream) }));
      const file = events.file[members[0]!]!;
      this.synchronisations.push({ cause: 'file', operation: '', file, signals: points, waits: points, timeNs });
      this.extents.metFor(file, among);
    }
    for (const k of members) {
      histories.done(k, knowledge.of(events.stream[k]!));
      this.extents.add(k);
    }
  }

  private waitFor(k: number, sources: ReadonlyMap<number, StreamState>): void {
    const { events, knowledge } = this;
    if (sources.size === 0 || !events.comparable) return;
    const stream = events.stream[k]!;
    // The latest first: it may know of the others.
    const uses = [...sources].sort(([, a], [, b]) => b.end - a.end);
    for (const [source, use] of uses) {
      this.found++;
      if (knowledge.has(stream, source, use.calls, use.known)) continue;
      knowledge.learn(stream, source, use.calls, use.known);
      this.synchronisations.push({
        cause: 'file',
        operation: '',
        file: events.file[k]!,
        signals: [{ stream: source, calls: use.calls }],
        waits: [{ stream, calls: this.calls(stream) }],
        timeNs: use.end,
      });
    }
  }

  private stateOf(meeting: Meeting): MeetingState {
    const state = getOrCreate(this.meetings, meeting, () => ({
      arrived: [],
      isOver: false,
      calls: 0,
      known: undefined,
      waiting: [],
    }));
    return state;
  }

  /** @returns whether the stream goes on. */
  private meet(item: MessageItem): boolean {
    const { stream, kind, meeting } = item;
    const state = this.stateOf(meeting);
    if (kind === 'send') {
      if (meeting.members.length < 2) return true;
      state.isOver = true;
      state.calls = this.calls(stream);
      state.known = this.knowledge.of(stream);
      this.goOn(state);
      return true;
    }
    if (kind === 'receive') {
      if (state.isOver) this.received(item, state);
      else state.waiting.push(stream);
      return state.isOver;
    }
    if (state.isOver) return true;
    state.arrived.push(stream);
    if (state.arrived.length < meeting.members.length) {
      state.waiting.push(stream);
      return false;
    }
    state.isOver = true;
    this.gathered(item);
    this.goOn(state);
    return true;
  }

  /** Lets those go on that waited for a meeting. */
  private goOn(state: MeetingState): void {
    for (const stream of state.waiting.splice(0)) {
      const item = this.blocked.get(stream)!;
      this.blocked.delete(stream);
      if (item.kind === 'receive') this.received(item, state);
      this.nextItem[stream]!++;
      this.schedule(stream);
    }
  }

  private received({ stream, meeting, time }: MessageItem, { calls, known }: MeetingState): void {
    const sender = meeting.members[0]!;
    this.found++;
    if (this.knowledge.has(stream, sender, calls, known)) return;
    this.knowledge.learn(stream, sender, calls, known);
    this.synchronisations.push({
      cause: 'message',
      operation: '',
      file: NONE,
      signals: [{ stream: sender, calls }],
      waits: [{ stream, calls: this.calls(stream) }],
      timeNs: time,
    });
  }

  private gathered({ meeting, time }: MessageItem): void {
    const { knowledge } = this;
    const { operation } = meeting;
    const { signals, waits } = sidesOf(meeting);
    const calls = (stream: StreamIndex): number => this.calls(stream);
    this.found++;
    const points = (streams: readonly StreamIndex[]): { stream: StreamIndex; calls: number }[] =>
      streams.map((stream) => ({ stream, calls: calls(stream) }));
    const one = { cause: 'collective', operation, file: NONE, timeNs: time } as const;
    if (signals === waits) {
      this.extents.met(signals);
      if (signals.length < 2 || knowledge.isShared(signals, calls)) return;
      knowledge.share(signals, calls);
      this.synchronisations.push({ ...one, signals: points(signals), waits: points(waits) });
      return;
    }
    // One gives to the others, or takes from them: each pair by itself.
    for (const from of signals) {
      const known = knowledge.of(from);
      for (const to of waits) {
        if (knowledge.has(to, from, calls(from), known)) continue;
        knowledge.learn(to, from, calls(from), known);
        this.synchronisations.push({ ...one, signals: points([from]), waits: points([to]) });
      }
    }
  }

  /**
   * All streams wait for each other: what is recorded cannot have happened. The earliest wait is given up.
   * @returns whether there was one.
   */
  private release(): boolean {
    let earliest: MessageItem | undefined;
    for (const item of this.blocked.values()) if (earliest === undefined || item.time < earliest.time) earliest = item;
    if (earliest === undefined) {
      if (this.gathering.size > 0)
        throw new RangeError('the collective calls of the recording contradict each other: take --layer requests');
      return false;
    }
    this.contradictions++;
    const state = this.stateOf(earliest.meeting);
    const streams = earliest.kind === 'receive' ? [earliest.stream] : state.waiting.splice(0);
    if (earliest.kind === 'receive') state.waiting.splice(state.waiting.indexOf(earliest.stream), 1);
    else state.isOver = true;
    for (const stream of streams) {
      this.blocked.delete(stream);
      this.nextItem[stream]!++;
      this.schedule(stream);
    }
    return true;
  }
}
