import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import { NONE } from '../../trace/events.ts';
import { orderByStart } from '../offsets/order-by-start.ts';
import { counted, formatCount, formatDuration } from '../../base/quantities.ts';
import { processName } from '../metrics/process-noun.ts';
import type { EventMask } from '../selection/event-mask.ts';
import { RowTree } from './row-tree.ts';
import { ROLE, type ShownEvents } from './shown-events.ts';
import { allocateSpans, SPANS_OF_BLOCK, type SpanBlock, type SpanColours, type SpanSource } from './span-source.ts';
import type { EventCategories } from './categories.ts';
import type { SpanIndex } from './span-index.ts';
import { StackPaths } from './stack-paths.ts';
import type { TimelineCategory } from './timeline.ts';
import { NameTable } from '../../trace/names.ts';
import type { StreamIndex } from '../../trace/indices.ts';

/** A gap between calls of this share of the timeline ends what is said of a function. */
const LONGEST_GAP = 0.01;
const NO_STACKS =
  'the recording has no call stacks: record with "iolens record", or strace -k (Darshan: DXT with stack traces), to see them';
/** Functions that a run of the program enters once, and does not leave before its end. */
const ENTERED_ONCE = /^(_start|main|__libc_start_main.*|__libc_start_call_main|MAIN__|start_thread|clone3?)$/;

/** Functions that have a colour of their own. */
const MOST_FUNCTIONS = 20;

interface Amount {
  events: number;
  timeNs: number;
}

/** The calls of the one stream, by start. */
interface StreamCalls {
  readonly length: number;
  readonly event: Int32Array;
  readonly start: Float64Array;
  readonly duration: Float64Array;
  readonly stack: Int32Array;
  readonly role: Int32Array;
  readonly time: Float64Array;
  readonly bytes: Float64Array;
  readonly call: Int32Array;
}

/**
 * The call stack of one stream: a row for each depth, the outermost frames first, and the calls themselves at the bottom. A
 * stack was seen at each call only (docs/decisions/0067): a function stands from the first call that was made below it to the
 * end of the last one, as long as its callers did not move and no gap is longer than a hundredth of the timeline.
 *
 * @param stream undefined takes the one with most calls that have a stack.
 * @param among by recording: the events whose streams it is chosen from, where they are any.
 */
export function stackRowSource(
  events: ShownEvents,
  stream: StreamIndex | undefined,
  among?: readonly Pick<EventMask, 'has'>[],
): SpanSource {
  return new StackRows(events, stream, among);
}

class StackRows implements SpanSource {
  readonly tree = new RowTree();
  readonly notes: string[] = [];
  /** By leaf: recording and depth; NONE for the row of the calls. */
  private readonly leafOf: { readonly recording: number; readonly depth: number }[] = [];
  private readonly paths: readonly StackPaths[];
  private readonly calls: readonly StreamCalls[];
  private readonly spans = allocateSpans();
  private readonly longestGap: number;

  constructor(
    private readonly events: ShownEvents,
    stream: StreamIndex | undefined,
    among: readonly Pick<EventMask, 'has'>[] | undefined,
  ) {
    this.longestGap = events.durationNs * LONGEST_GAP;
    this.paths = events.recordings.map((recording) => new StackPaths(recording));
    const streams = events.recordings.map(
      (_, recording) => stream ?? busiestStream(events, recording, among?.[recording]),
    );
    this.calls = streams.map((wanted, recording) => callsOf(events, recording, wanted));
    streams.forEach((wanted, recording) => this.note(recording, wanted));
  }

  forEachBlock(visit: (block: SpanBlock) => void): void {
    const { spans } = this;
    const add = (row: number, recording: number, at: number, end: number, own: boolean): void => {
      const calls = this.calls[recording]!;
      const i = spans.length++;
      spans.row[i] = row;
      spans.start[i] = calls.start[at]!;
      spans.duration[i] = end - calls.start[at]!;
      spans.event[i] = calls.event[at]!;
      // A frame counts in its own row, and nowhere else.
      spans.role[i] = own ? calls.role[at]! : ROLE.shown | ROLE.call;
      spans.time[i] = own ? calls.time[at]! : spans.duration[i];
      spans.bytes[i] = own ? calls.bytes[at]! : 0;
      spans.kind[i] = calls.call[at]!;
      if (spans.length < SPANS_OF_BLOCK) return;
      visit(spans);
      spans.length = 0;
    };
    spans.length = 0;
    this.calls.forEach((calls, recording) => {
      this.addFrames(calls, recording, add);
      for (let at = 0; at < calls.length; at++)
        add(this.leaf(recording, NONE), recording, at, calls.start[at]! + calls.duration[at]!, true);
    });
    if (spans.length > 0) visit(spans);
  }

  /** Runs of calls below the same call of a function, at each depth. */
  private addFrames(
    calls: StreamCalls,
    recording: number,
    add: (row: number, recording: number, at: number, end: number, own: boolean) => void,
  ): void {
    const paths = this.paths[recording]!;
    /** By depth: the step that stands there, the first call below it, and the end of the last. */
    const open: { step: number; first: number; end: number }[] = [];
    const close = (depth: number): void => {
      for (let at = open.length - 1; at >= depth; at--) {
        const { first, end } = open.pop()!;
        add(this.leaf(recording, at), recording, first, end, false);
      }
    };
    let before = -Infinity;
    for (let at = 0; at < calls.length; at++) {
      if (calls.stack[at] === NONE) continue;
      const path = paths.of(calls.stack[at]!);
      const isFar = calls.start[at]! - before > this.longestGap;
      let depth = 0;
      while (depth < open.length && depth < path.length && open[depth]!.step === path[depth]) {
        if (isFar && !this.isEnteredOnce(paths, path[depth]!)) break;
        depth++;
      }
      close(depth);
      const end = calls.start[at]! + calls.duration[at]!;
      for (const each of open) each.end = Math.max(each.end, end);
      for (; depth < path.length; depth++) open.push({ step: path[depth]!, first: at, end });
      before = Math.max(before, end);
    }
    close(0);
  }

  private isEnteredOnce(paths: StackPaths, step: number): boolean {
    return ENTERED_ONCE.test(paths.functions.at(paths.functionOf[step]!));
  }

  private leaf(recording: number, depth: number): number {
    const leaf = this.tree.leaf(this.tree.node(this.above(recording), this.nameOf(depth)));
    this.leafOf[leaf] ??= { recording, depth };
    return leaf;
  }

  private above(recording: number): number {
    const { recordings } = this.events;
    if (recordings.length === 1) return NONE;
    const { name } = recordings[recording]!;
    const about = { key: `recording ${recording}`, label: name, description: `recording ${name}` };
    return this.tree.node(NONE, { ...about, place: recording, isFixed: true });
  }

  private nameOf(depth: number): Parameters<RowTree['node']>[1] {
    if (depth === NONE)
      return { key: 'calls', label: 'calls', description: 'the calls themselves', place: 1e6, isFixed: true };
    const gap = this.events.axis === 'time' ? formatDuration(this.longestGap) : `${formatCount(this.longestGap)} calls`;
    const description =
      `frame ${depth + 1} of the call stack, counted from the outermost. Stacks were seen at the calls only: a box reaches ` +
      `from the first to the last call below what may be one call of the function (its callers stand at the same places), ` +
      `and ends where none is seen for ${gap}`;
    const label = `frame ${depth + 1}`;
    return { key: `frame ${depth}`, label, description, place: depth, isFixed: true, oneLayer: true };
  }

  /** Frames by their functions, the calls as everywhere; only what stands in these rows. */
  colours(index: SpanIndex, { categories: ofCalls, ofEvent }: EventCategories): SpanColours {
    const names = new NameTable();
    const functions: Amount[] = [];
    const calls: Amount[] = [];
    /** By span: name of its function, or the category of its call as a negative number. */
    const subject = new Int32Array(index.length);
    for (let row = 0; row < index.rows; row++) {
      for (let span = index.first[row]!; span < index.first[row + 1]!; span++) {
        const label = this.functionAt(row, index.event[span]!);
        const number = label === undefined ? ofEvent[index.event[span]!]! : names.intern(`${label}()`);
        subject[span] = label === undefined ? -1 - number : number;
        const amount = ((label === undefined ? calls : functions)[number] ??= { events: 0, timeNs: 0 });
        amount.events++;
        amount.timeNs += index.duration(span);
      }
    }
    const order = functions.map((_, name) => name).sort((a, b) => functions[b]!.timeNs - functions[a]!.timeNs);
    const categories: TimelineCategory[] = [];
    const placeOfFunction = new Int32Array(names.length);
    for (const name of order.slice(0, MOST_FUNCTIONS))
      placeOfFunction[name] = categories.push({ label: names.at(name), ...functions[name]! }) - 1;
    const left = order.slice(MOST_FUNCTIONS);
    if (left.length > 0) {
      const place = categories.push({ label: `${left.length} other functions`, ...sumOf(left, functions) }) - 1;
      for (const name of left) placeOfFunction[name] = place;
    }
    const placeOfCall = ofCalls.map((category, number) =>
      calls[number] === undefined ? NONE : categories.push({ ...category, ...calls[number] }) - 1,
    );
    const ofSpan = Uint8Array.from(subject, (each) => (each < 0 ? placeOfCall[-1 - each]! : placeOfFunction[each]!));
    return { categories, ofSpan };
  }

  /** Undefined for the calls themselves. */
  private functionAt(leaf: number, event: number): string | undefined {
    const { recording, depth } = this.leafOf[leaf]!;
    if (depth === NONE) return undefined;
    const { trace } = this.events.recordings[recording]!;
    const paths = this.paths[recording]!;
    const step = paths.of(trace.events.value('stack', event - this.events.firstEvent[recording]!))[depth]!;
    return paths.functions.at(paths.functionOf[step]!);
  }

  private note(recording: number, stream: StreamIndex): void {
    const { trace } = this.events.recordings[recording]!;
    const about = trace.streams[stream];
    if (about === undefined) {
      this.notes.push('there is no such process or thread');
      return;
    }
    if (!trace.capabilities.stacks) {
      this.notes.push(NO_STACKS);
      return;
    }
    const { stack, length } = this.calls[recording]!;
    const without = stack.reduce((sum, node) => sum + (node === NONE ? 1 : 0), 0);
    const name = about.pid === about.processId ? processName(about) : `${processName(about)}, thread ${about.pid}`;
    if (without === length) this.notes.push(`${name} has no call stacks in the recording`);
    else if (without > 0)
      this.notes.push(`${counted(without, 'call')} of ${name} ${without === 1 ? 'has' : 'have'} no call stack`);
    else this.notes.push(`the call stack of ${name}`);
    if (trace.streams.length > 1) this.notes.push('select another process, thread or rank to see its call stack');
  }
}

/** The stream with most calls that have a stack; where none has, with most calls. */
function busiestStream(events: ShownEvents, wanted: number, among?: Pick<EventMask, 'has'>): number {
  const { streams } = events.recordings[wanted]!.trace;
  const withStack = new Float64Array(streams.length);
  const counts = new Float64Array(streams.length);
  events.forEachBlock(({ recording, chunk, rows, role, firstEvent }) => {
    if (recording !== wanted) return;
    const first = firstEvent - events.firstEvent[wanted]!;
    for (let i = 0; i < rows; i++) {
      if ((role[i]! & ROLE.shown) === 0 || among?.has(first + i) === false) continue;
      counts[chunk.stream[i]!]!++;
      if (chunk.stack[i] !== NONE) withStack[chunk.stream[i]!]!++;
    }
  });
  const most = (of: Float64Array): number => of.reduce((best, count, stream) => (count > of[best]! ? stream : best), 0);
  const busiest = most(withStack);
  if (withStack[busiest]! > 0) return busiest;
  const other = most(counts);
  return among === undefined || counts[other]! > 0 ? other : busiestStream(events, wanted);
}

function callsOf(events: ShownEvents, wanted: number, stream: StreamIndex): StreamCalls {
  const [event, stack, role, call] = [0, 1, 2, 3].map(() => new IntegerColumn()) as [
    IntegerColumn,
    IntegerColumn,
    IntegerColumn,
    IntegerColumn,
  ];
  const [starts, durations, time, bytes] = [0, 1, 2, 3].map(() => new NumberColumn()) as [
    NumberColumn,
    NumberColumn,
    NumberColumn,
    NumberColumn,
  ];
  events.forEachBlock(({ recording, chunk, rows, firstEvent, start, duration, role: roles }) => {
    if (recording !== wanted) return;
    for (let i = 0; i < rows; i++) {
      if (chunk.stream[i] !== stream || (roles[i]! & ROLE.shown) === 0 || roles[i]! & ROLE.part) continue;
      event.push(firstEvent + i);
      starts.push(start[i]!);
      durations.push(duration[i]!);
      stack.push(chunk.stack[i]!);
      role.push(roles[i]!);
      time.push(chunk.duration[i]! > 0 ? chunk.duration[i]! : 0);
      bytes.push(chunk.bytes[i]!);
      call.push(chunk.call[i]!);
    }
  });
  // Segments of a Darshan log stand file by file.
  const order = orderByStart(starts.values.subarray(0, starts.length));
  const integers = (column: IntegerColumn): Int32Array => Int32Array.from(order, (at) => column.at(at));
  const numbers = (column: NumberColumn): Float64Array => Float64Array.from(order, (at) => column.at(at));
  return {
    length: event.length,
    event: integers(event),
    start: numbers(starts),
    duration: numbers(durations),
    stack: integers(stack),
    role: integers(role),
    time: numbers(time),
    bytes: numbers(bytes),
    call: integers(call),
  };
}

function sumOf(names: readonly number[], amounts: readonly Amount[]): Amount {
  const sum = { events: 0, timeNs: 0 };
  for (const name of names) {
    sum.events += amounts[name]!.events;
    sum.timeNs += amounts[name]!.timeNs;
  }
  return sum;
}
