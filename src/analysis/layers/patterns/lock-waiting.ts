import { addToGroup, getOrCreate } from '../../../base/grouping.ts';
import type { SiteIndex } from '../../sites/call-sites.ts';
import { LOCK_KIND, NONE } from '../../../trace/events.ts';
import type { StreamIndex } from '../../../trace/indices.ts';
import { formatDuration } from '../../../base/quantities.ts';
import { countOf, naming, say, slot } from '../../triggers/message.ts';
import { processName } from '../../metrics/process-noun.ts';
import type { Amount } from '../../triggers/insight.ts';
import type { CallRows } from './call-rows.ts';
import type { LayerCalls } from './layer-calls.ts';
import type { LayerPattern, PatternPlace } from './pattern.ts';
import { pictureOf, type PatternPicture, type PictureLane } from './picture.ts';
import * as snippets from './snippets.ts';

/** Nanoseconds that a thread sleeps at least, and so many times what an unlock takes, before it counts as waiting. */
const SLEEPS = 2000;
const USUAL_TIMES = 4;

/** A lock as one stream held it: from the return of the call that acquired it to the call that released it. */
interface Hold {
  readonly stream: StreamIndex;
  readonly from: number;
  readonly to: number;
}

/** The locks on one file, by the time from which they were held. */
class FileLocks {
  readonly holds: Hold[] = [];
  /** Nanoseconds from which a call did wait: to unlock takes as long as to lock what nobody holds. */
  readonly waitsFrom: number;
  private readonly open = new Map<number, { from: number; isTried: boolean }>();
  /** The longest that any lock was held: how far back one has to look. */
  private longest = 0;

  /** @param locks all calls on the file, in the order of their starts. */
  constructor(locks: CallRows, indices: readonly number[], end: number) {
    const releases = indices.filter((index) => locks.argument.at(index) === LOCK_KIND.release);
    const times = releases.map((index) => locks.duration.at(index)).sort((a, b) => a - b);
    this.waitsFrom = SLEEPS + USUAL_TIMES * (times[times.length >> 1] ?? 0);
    for (const index of indices) {
      const stream = locks.stream.at(index);
      if (locks.argument.at(index) === LOCK_KIND.release) this.close(stream, locks.start.at(index));
      else this.acquire(stream, locks.end(index), isTry(locks.argument.at(index)));
    }
    for (const stream of [...this.open.keys()]) this.close(stream, end);
    this.holds.sort((a, b) => a.from - b.from);
  }

  /** One that was tried, and then asked for, was not given at first. */
  private acquire(stream: StreamIndex, from: number, isTried: boolean): void {
    if (this.open.get(stream)?.isTried !== false) this.open.set(stream, { from, isTried });
  }

  private close(stream: StreamIndex, to: number): void {
    const from = this.open.get(stream)?.from;
    if (from === undefined) return;
    this.open.delete(stream);
    this.holds.push({ stream, from, to: Math.max(from, to) });
    this.longest = Math.max(this.longest, to - from);
  }

  /** Which other streams held a lock in a stretch of time, with the nanoseconds of it. */
  holders(stream: StreamIndex, from: number, to: number): Map<number, number> {
    const found = new Map<number, number>();
    let at = firstAfter(this.holds, from - this.longest);
    for (; at < this.holds.length && this.holds[at]!.from < to; at++) {
      const hold = this.holds[at]!;
      const shared = Math.min(to, hold.to) - Math.max(from, hold.from);
      if (hold.stream !== stream && shared > 0) found.set(hold.stream, (found.get(hold.stream) ?? 0) + shared);
    }
    return found;
  }
}

function firstAfter(holds: readonly Hold[], time: number): number {
  let low = 0;
  let high = holds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds[middle]!.from < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isTry(kind: number): boolean {
  return kind === LOCK_KIND.tryExclusive || kind === LOCK_KIND.tryShared;
}

/** Waits for locks at one place. */
interface LockGroup {
  readonly site: SiteIndex;
  readonly call: number;
  readonly sum: Amount;
  readonly files: Map<number, Amount>;
  readonly streams: Set<number>;
  /** Nanoseconds that each other stream held a lock meanwhile. */
  readonly holders: Map<number, number>;
  heldNs: number;
  /** Index into `LayerCalls.locks` of the longest wait. */
  longest: number;
}

function locksByFile({ locks, trace }: LayerCalls): Map<number, FileLocks> {
  const indices = new Map<number, number[]>();
  for (const index of locks.byStart()) {
    const file = locks.file.at(index);
    addToGroup(indices, file, index);
  }
  return new Map([...indices].map(([file, list]) => [file, new FileLocks(locks, list, trace.durationNs)]));
}

function groupsOf(calls: LayerCalls, byFile: ReadonlyMap<number, FileLocks>): LockGroup[] {
  const { locks } = calls;
  const groups = new Map<string, LockGroup>();
  for (let index = 0; index < locks.length; index++) {
    const kind = locks.argument.at(index);
    if (kind === LOCK_KIND.release || isTry(kind)) continue;
    const site = locks.site.at(index);
    const call = locks.call.at(index);
    const file = locks.file.at(index);
    if (locks.duration.at(index) < byFile.get(file)!.waitsFrom) continue;
    const key = site === NONE ? `file ${file} ${call}` : `site ${site} ${call}`;
    let group = groups.get(key);
    if (group === undefined) {
      const sum = { events: 0, bytes: 0, timeNs: 0 };
      const maps = { files: new Map<number, Amount>(), streams: new Set<number>(), holders: new Map<number, number>() };
      groups.set(key, (group = { site, call, sum, ...maps, heldNs: 0, longest: index }));
    }
    addWait(calls, group, index, byFile.get(file)!);
  }
  return [...groups.values()];
}

function addWait({ locks }: LayerCalls, group: LockGroup, index: number, file: FileLocks): void {
  const took = locks.duration.at(index);
  const stream = locks.stream.at(index);
  const amount = group.files.get(locks.file.at(index)) ?? { events: 0, bytes: 0, timeNs: 0 };
  for (const sum of [amount, group.sum]) {
    sum.events++;
    sum.timeNs += took;
  }
  group.files.set(locks.file.at(index), amount);
  group.streams.add(stream);
  if (took > locks.duration.at(group.longest)) group.longest = index;
  let held = 0;
  for (const [holder, ns] of file.holders(stream, locks.start.at(index), locks.end(index))) {
    group.holders.set(holder, (group.holders.get(holder) ?? 0) + ns);
    held += ns;
  }
  group.heldNs += Math.min(held, took);
}

function place(calls: LayerCalls, byFile: ReadonlyMap<number, FileLocks>, group: LockGroup): PatternPlace {
  const { locks, trace } = calls;
  const { sum } = group;
  const holders = [...group.holders].sort((a, b) => b[1] - a[1]);
  const named = holders.slice(0, 3).map(([stream]) => processName(trace.streams[stream]!));
  const names = naming('processNames', named.join(', '));
  const more = holders.length > 3 ? say` and ${slot('otherProcesses', holders.length - 3)} more` : [];
  const who =
    holders.length === 0
      ? 'no other process is seen to hold one meanwhile'
      : say`${names}${more} held it meanwhile (${slot('timeHeld', group.heldNs)})`;
  const longest = locks.duration.at(group.longest);
  return {
    site: group.site,
    amount: sum,
    weight: Infinity,
    lostNs: sum.timeNs,
    files: group.files,
    streams: group.streams.size,
    medianBytes: NaN,
    subject: say`${countOf('calls', sum.events, 'wait')} for locks by ${naming('function', trace.calls.names[group.call]!)}, ${slot('timeForEach', sum.timeNs / sum.events)} each on average and ${slot('longest', longest)} at most; ${who}. They`,
    evidence: {
      locks: sum.events,
      processes: group.streams.size,
      waitedNs: sum.timeNs,
      longestNs: longest,
      heldByOthersNs: group.heldNs,
      holders: holders.length,
    },
    recommendations: [
      {
        audience: 'code',
        text: 'Hold the lock for less time (compute before it is taken, and write with one call), and lock only the range that is written; or let each process write a range of its own, which needs no lock.',
        snippet: snippets.rangeLock(),
      },
    ],
    picture: () => picture(calls, byFile, group),
  };
}

/** The longest wait, and who held a lock around it. */
function picture(
  calls: LayerCalls,
  byFile: ReadonlyMap<number, FileLocks>,
  { longest }: LockGroup,
): PatternPicture | undefined {
  const { locks, trace } = calls;
  const from = locks.start.at(longest);
  const to = locks.end(longest);
  const file = locks.file.at(longest);
  const lanes = new Map<number, PictureLane & { bars: PictureLane['bars'][number][] }>();
  const laneOf = (stream: StreamIndex): PictureLane['bars'][number][] => {
    const lane = getOrCreate(lanes, stream, () => ({
      label: processName(trace.streams[stream]!),
      amount: '',
      bars: [],
    }));
    return lane.bars;
  };
  laneOf(locks.stream.at(longest)).push({ from, to, kind: 'waiting' });
  for (const hold of byFile.get(file)!.holds) {
    if (hold.from >= to || hold.to <= from) continue;
    // Long locks would make the wait a line.
    const reach = to - from;
    laneOf(hold.stream).push({
      from: Math.max(hold.from, from - reach),
      to: Math.min(hold.to, to + reach),
      kind: 'held',
    });
  }
  return pictureOf(
    {
      title: 'The longest wait for a lock',
      description: `Over time: ${processName(trace.streams[locks.stream.at(longest)]!)} waits ${formatDuration(to - from)}; the other bars are the processes that held a lock on the file meanwhile: ${
        [...lanes.values()]
          .slice(1, 5)
          .map(({ label }) => label)
          .join(', ') || 'none'
      }.`,
      axis: 'time',
    },
    [...lanes.values()],
  );
}

export const LOCK_WAITING: LayerPattern = {
  code: 'L26',
  name: 'lock-waiting',
  title: 'Waiting for locks on files',
  find(calls) {
    if (calls.locks.length === 0) return [];
    const byFile = locksByFile(calls);
    return groupsOf(calls, byFile).map((group) => place(calls, byFile, group));
  },
};
