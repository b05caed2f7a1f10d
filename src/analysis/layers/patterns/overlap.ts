import { getOrCreate } from '../../../base/grouping.ts';
import type { SiteIndex } from '../../sites/call-sites.ts';
import { NONE } from '../../../trace/events.ts';
import type { FunctionCallTable } from '../../../trace/function-calls.ts';
import type { StreamIndex } from '../../../trace/indices.ts';
import { formatDuration } from '../../../base/quantities.ts';
import { say, slot } from '../../triggers/message.ts';
import type { Amount } from '../../triggers/insight.ts';
import type { LayerCalls } from './layer-calls.ts';
import { timesCall, type LayerPattern, type PatternPlace } from './pattern.ts';
import { pictureOf, type PatternPicture } from './picture.ts';
import * as snippets from './snippets.ts';

/** Functions in which a program does nothing but wait for requests, or ask after them. */
const WAITS = /^(P?MPI_(Wait|Test)(all|any|some)?|p?mpi_(wait|test)(all|any|some)?_*|aio_(suspend|error|return)(64)?)$/;

/** From when to when one stream waits, in order and without overlaps. */
interface Waits {
  readonly start: number[];
  readonly end: number[];
  /** Nanoseconds of all waits before each. */
  readonly before: number[];
}

/** The functions of a recording that matter here, by stream. */
class FunctionTimes {
  private readonly waits = new Map<number, Waits>();
  /** Calls of functions that begin operations: rows by stream, in the order of their starts. */
  private readonly begins = new Map<number, number[]>();

  constructor(
    private readonly table: FunctionCallTable,
    beginning: ReadonlySet<string>,
  ) {
    const isWait = table.functions.map(({ name }) => WAITS.test(name));
    const begins = table.functions.map(({ name }) => beginning.has(name));
    for (let row = 0; row < table.length; row++) {
      const called = table.function.at(row);
      if (begins[called]!) listOf(this.begins, table.stream.at(row)).push(row);
      if (isWait[called]!) this.addWait(row);
    }
  }

  private addWait(row: number): void {
    const { table } = this;
    const stream = table.stream.at(row);
    const waits = getOrCreate(this.waits, stream, () => ({ start: [], end: [], before: [] }));
    const start = table.start.at(row);
    const end = start + (table.duration.at(row) > 0 ? table.duration.at(row) : 0);
    const last = waits.start.length - 1;
    // A wait that calls another one contains it.
    if (last >= 0 && start < waits.end[last]!) return;
    waits.before.push(last < 0 ? 0 : waits.before[last]! + waits.end[last]! - waits.start[last]!);
    waits.start.push(start);
    waits.end.push(end);
  }

  /** When the function returned that began an operation at this time; the time itself where none is known. */
  returned(stream: StreamIndex, begun: number): number {
    const rows = this.begins.get(stream) ?? [];
    const at = lastNotAfter(rows.length, (index) => this.table.start.at(rows[index]!), begun);
    if (at === NONE) return begun;
    const row = rows[at]!;
    return Math.max(begun, this.table.start.at(row) + this.table.duration.at(row) || begun);
  }

  /** Nanoseconds that a stream waits between two times. */
  waited(stream: StreamIndex, from: number, to: number): number {
    const waits = this.waits.get(stream);
    return waits === undefined ? 0 : Math.max(0, waitedUntil(waits, to) - waitedUntil(waits, from));
  }

  /** The first wait that ends after a time. */
  firstWait(stream: StreamIndex, after: number): { from: number; to: number } | undefined {
    const waits = this.waits.get(stream);
    if (waits === undefined) return undefined;
    const at = Math.max(
      0,
      lastNotAfter(waits.start.length, (index) => waits.start[index]!, after),
    );
    const index = (waits.end[at] ?? Infinity) < after ? at + 1 : at;
    return index < waits.start.length ? { from: waits.start[index]!, to: waits.end[index]! } : undefined;
  }
}

function waitedUntil({ start, end, before }: Waits, time: number): number {
  const at = lastNotAfter(start.length, (index) => start[index]!, time);
  return at === NONE ? 0 : before[at]! + Math.min(time, end[at]!) - start[at]!;
}

/** The last of ascending values that is not above a bound; NONE when there is none. */
function lastNotAfter(length: number, valueAt: (index: number) => number, bound: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) <= bound) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function listOf(lists: Map<number, number[]>, key: number): number[] {
  const list = getOrCreate(lists, key, () => []);
  return list;
}

/** Operations from one place, and what of their time the program does something else. */
interface OverlapGroup {
  readonly site: SiteIndex;
  readonly call: number;
  readonly all: Amount;
  /** Those that overlap with nothing. */
  readonly idle: Amount;
  readonly files: Map<number, Amount>;
  readonly streams: Set<number>;
  freeNs: number;
  /** Index into `LayerCalls.nonBlocking` of the longest that overlaps with nothing. */
  longest: number;
}

function add(sum: Amount, { nonBlocking }: LayerCalls, index: number): void {
  sum.events++;
  sum.bytes += nonBlocking.bytes.at(index);
  sum.timeNs += nonBlocking.duration.at(index);
}

function groupsOf(calls: LayerCalls, times: FunctionTimes, overlapShare: number): OverlapGroup[] {
  const { nonBlocking } = calls;
  const groups = new Map<string, OverlapGroup>();
  for (let index = 0; index < nonBlocking.length; index++) {
    const site = nonBlocking.site.at(index);
    const call = nonBlocking.call.at(index);
    const file = nonBlocking.file.at(index);
    const stream = nonBlocking.stream.at(index);
    const key = site === NONE ? `file ${file} ${call}` : `site ${site} ${call}`;
    let group = groups.get(key);
    if (group === undefined) {
      const nothing = (): Amount => ({ events: 0, bytes: 0, timeNs: 0 });
      const sums = { all: nothing(), idle: nothing(), freeNs: 0, longest: NONE };
      groups.set(key, (group = { site, call, ...sums, files: new Map(), streams: new Set() }));
    }
    const start = nonBlocking.start.at(index);
    const end = nonBlocking.end(index);
    const from = Math.min(end, times.returned(stream, start));
    const free = Math.max(0, end - from - times.waited(stream, from, end));
    add(group.all, calls, index);
    group.freeNs += free;
    if (free > overlapShare * (end - start)) continue;
    add(group.idle, calls, index);
    group.streams.add(stream);
    const amount = group.files.get(file) ?? { events: 0, bytes: 0, timeNs: 0 };
    add(amount, calls, index);
    group.files.set(file, amount);
    if (group.longest === NONE || nonBlocking.duration.at(index) > nonBlocking.duration.at(group.longest))
      group.longest = index;
  }
  return [...groups.values()];
}

function place(calls: LayerCalls, times: FunctionTimes, group: OverlapGroup): PatternPlace {
  const name = calls.trace.calls.names[group.call]!;
  const { idle, all } = group;
  return {
    site: group.site,
    amount: idle,
    // A single one that waits long is worth a word.
    weight: Infinity,
    lostNs: idle.timeNs,
    isBesideCalls: true,
    files: group.files,
    streams: group.streams.size,
    medianBytes: idle.bytes > 0 ? Math.round(idle.bytes / idle.events) : NaN,
    subject: say`${timesCall(idle.events, name)}${idle.bytes > 0 ? say` (${slot('upperBytes', idle.bytes)})` : []} ${idle.events === 1 ? 'is' : 'are'} waited for at once: from the call to the end of the wait, ${slot('timeOfCalls', idle.timeNs)} in all, the program does nothing else, so that a blocking call would do the same; they`,
    remark:
      idle.events < all.events
        ? say`The other ${slot('callsWithOverlap', all.events - idle.events)} overlap with work (${slot('shareOverlapped', group.freeNs / all.timeNs)} of the time of all).`
        : [],
    evidence: {
      operations: all.events,
      withoutOverlap: idle.events,
      idleNs: idle.timeNs,
      overlappedNs: group.freeNs,
      overlapShare: all.timeNs === 0 ? 0 : group.freeNs / all.timeNs,
    },
    recommendations: [
      {
        audience: 'code',
        text: 'Put work that does not need the data between the call and the wait, with a second buffer; where there is none, a blocking call says what happens.',
        snippet: snippets.overlapped('c'),
        alternatives: [snippets.overlapped('fortran')],
      },
    ],
    picture: () => picture(calls, times, group.longest, name),
  };
}

function picture(calls: LayerCalls, times: FunctionTimes, index: number, name: string): PatternPicture | undefined {
  const { nonBlocking } = calls;
  const stream = nonBlocking.stream.at(index);
  const start = nonBlocking.start.at(index);
  const end = nonBlocking.end(index);
  const returned = Math.min(end, times.returned(stream, start));
  const wait = times.firstWait(stream, returned);
  const waiting = wait === undefined ? [] : [{ ...wait, kind: 'waiting' as const }];
  const free = Math.max(0, end - returned - times.waited(stream, returned, end));
  return pictureOf(
    {
      title: `One ${name}: begun, and waited for`,
      description: `Over time: the operation takes ${formatDuration(end - start)}, the call that begins it ${formatDuration(returned - start)}; then the program waits. In between it has ${formatDuration(free)} for other work.`,
      axis: 'time',
    },
    [
      { label: 'the operation', amount: formatDuration(end - start), bars: [{ from: start, to: end, kind: 'other' }] },
      { label: name, amount: formatDuration(returned - start), bars: [{ from: start, to: returned, kind: 'call' }] },
      {
        label: 'the wait',
        amount: wait === undefined ? 'none recorded' : formatDuration(wait.to - wait.from),
        bars: waiting,
      },
    ],
  );
}

/** Operations that are begun and waited for, with nothing in between. Only where the recording holds the calls of functions. */
export const NO_OVERLAP: LayerPattern = {
  code: 'L25',
  name: 'non-blocking-without-overlap',
  title: 'Non-blocking operations are waited for at once',
  find(calls, { overlap_share }) {
    const { functions, calls: called } = calls.trace;
    if (functions === undefined || calls.nonBlocking.length === 0) return [];
    const beginning = new Set<string>();
    for (let index = 0; index < calls.nonBlocking.length; index++)
      beginning.add(called.names[calls.nonBlocking.call.at(index)]!);
    const times = new FunctionTimes(functions, beginning);
    return groupsOf(calls, times, overlap_share)
      .filter(({ idle }) => idle.events > 0)
      .map((group) => place(calls, times, group));
  },
};
