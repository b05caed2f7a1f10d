import { getOrCreate } from '../../../base/grouping.ts';
import type { StreamIndex } from '../../../trace/indices.ts';
import { formatCount, formatDuration } from '../../../base/quantities.ts';
import { advising, countOf, naming, say, slot } from '../../triggers/message.ts';
import { processName } from '../../metrics/process-noun.ts';
import type { Amount, TimeOfStreams } from '../../triggers/insight.ts';
import type { LayerCalls } from './layer-calls.ts';
import { findSeries, groupMoments, type MomentGroup } from './moments.ts';
import { timesCall, type LayerPattern, type PatternPlace } from './pattern.ts';
import { pictureOf, type PatternPicture } from './picture.ts';
import * as snippets from './snippets.ts';

/** What processes lose in collective calls, because the last one has not arrived yet. Nanoseconds. */
interface Waiting {
  readonly lostNs: number;
  readonly timeNs: number;
  readonly bytes: number;
  readonly events: number;
  readonly medianSpreadNs: number;
  readonly mostSpreadNs: number;
  /** The stream for which most is lost, how much, and how often it is last. */
  readonly latest: number;
  readonly latestLostNs: number;
  readonly latestTimes: number;
  /** The moment in which most is lost. */
  readonly worst: readonly number[];
  readonly files: ReadonlyMap<number, Amount>;
  readonly lostOfStreams: TimeOfStreams;
}

/** When the last process arrives, and who it is. */
function lastOf(
  { collectives }: LayerCalls,
  moment: readonly number[],
): { at: number; stream: StreamIndex; first: number; index: number } {
  let index = -1;
  let at = -Infinity;
  let first = Infinity;
  let stream = -1;
  for (const each of moment) {
    const start = collectives.start.at(each);
    if (start < first) first = start;
    if (start > at) {
      at = start;
      index = each;
      stream = collectives.stream.at(each);
    }
  }
  return { at, stream, first, index };
}

/** How long a call waits for the last one; one that returned before did not wait. */
function waited({ collectives }: LayerCalls, index: number, last: number): number {
  return collectives.end(index) < last ? 0 : Math.max(0, last - collectives.start.at(index));
}

/**
 * When each collective call of a stream could have begun: when the one before it ended. An aggregator comes back from a
 * call later than the others, for it has moved their data, too: that is no lateness of its own.
 */
function freeSince({ collectives }: LayerCalls): Float64Array {
  const since = new Float64Array(collectives.length);
  const ended = new Map<StreamIndex, number>();
  for (const index of collectives.byStart()) {
    const stream = collectives.stream.at(index);
    since[index] = ended.get(stream) ?? 0;
    ended.set(stream, Math.max(since[index], collectives.end(index)));
  }
  return since;
}

function waitingOf(calls: LayerCalls, { moments }: MomentGroup, free: Float64Array): Waiting {
  const { collectives } = calls;
  const spreads = new Float64Array(moments.length);
  const lastTimes = new Map<number, { times: number; lostNs: number }>();
  const files = new Map<number, Amount>();
  const lostOfStreams = new Map<StreamIndex, number>();
  const sum = { lostNs: 0, timeNs: 0, bytes: 0, events: 0 };
  let worst = moments[0]!;
  let most = -1;
  moments.forEach((moment, number) => {
    const last = lastOf(calls, moment);
    const spentOutside = Math.max(0, last.at - free[last.index]!);
    let lost = 0;
    for (const index of moment) {
      const own = Math.min(waited(calls, index, last.at), spentOutside);
      const stream = collectives.stream.at(index);
      lostOfStreams.set(stream, (lostOfStreams.get(stream) ?? 0) + own);
      lost += own;
      sum.events++;
      sum.bytes += collectives.bytes.at(index);
      sum.timeNs += collectives.duration.at(index);
      addTo(files, calls, index);
    }
    spreads[number] = last.at - last.first;
    const ofLast = getOrCreate(lastTimes, last.stream, () => ({ times: 0, lostNs: 0 }));
    ofLast.times++;
    ofLast.lostNs += lost;
    sum.lostNs += lost;
    if (lost > most) [most, worst] = [lost, moment];
  });
  spreads.sort();
  const [latest, { times: latestTimes, lostNs: latestLostNs }] = [...lastTimes].reduce((a, b) =>
    b[1].lostNs > a[1].lostNs ? b : a,
  );
  const medianSpreadNs = spreads[(spreads.length - 1) >> 1]!;
  const mostSpreadNs = spreads.at(-1)!;
  return { ...sum, medianSpreadNs, mostSpreadNs, latest, latestLostNs, latestTimes, worst, files, lostOfStreams };
}

function addTo(files: Map<number, Amount>, { collectives }: LayerCalls, index: number): void {
  const file = collectives.file.at(index);
  const of = files.get(file) ?? { events: 0, bytes: 0, timeNs: 0 };
  of.events++;
  of.bytes += collectives.bytes.at(index);
  of.timeNs += collectives.duration.at(index);
  files.set(file, of);
}

function place(calls: LayerCalls, group: MomentGroup, free: Float64Array): PatternPlace {
  const of = waitingOf(calls, group, free);
  const { trace } = calls;
  const name = trace.calls.names[group.call]!;
  const late = naming('process', processName(trace.streams[of.latest]!));
  const times = group.moments.length;
  // Who sets a view or opens a file has nothing to compute with meanwhile.
  const moves = of.bytes > 0;
  const spread = say`median ${slot('medianSpread', of.medianSpreadNs)}, at most ${slot('mostSpread', of.mostSpreadNs)}`;
  return {
    site: group.site,
    amount: { events: of.events, bytes: of.bytes, timeNs: of.lostNs },
    weight: of.events,
    lostNs: of.lostNs,
    timeOfStreams: of.lostOfStreams,
    files: of.files,
    streams: group.streams.size,
    medianBytes: of.bytes > 0 ? Math.round(of.bytes / of.events) : NaN,
    subject: say`In ${timesCall(of.events, name)} of ${slot('processes', group.streams.size)} processes, ${countOf('moments', times, 'time')} together, ${slot('timeLost', of.lostNs)} (${slot('shareLost', of.lostNs / of.timeNs)} of the calls' time) are lost until the last one arrives (${spread}), ${slot('timeLostForOne', of.latestLostNs)} of it for ${late}, which is last ${slot('momentsAsLast', of.latestTimes)} of ${countOf('moments', times, 'time')}. The waits`,
    evidence: {
      moments: times,
      processes: group.streams.size,
      lostNs: of.lostNs,
      callsTimeNs: of.timeNs,
      medianSpreadNs: of.medianSpreadNs,
      mostSpreadNs: of.mostSpreadNs,
      latestTimes: of.latestTimes,
      ...(trace.streams[of.latest]!.rank !== undefined && { latestRank: trace.streams[of.latest]!.rank! }),
    },
    recommendations: [
      {
        audience: 'code',
        ...advising(
          say`Look at what ${late} does before this call and divide that work evenly${moves ? '; or begin the transfer without waiting, and compute until it is complete' : ''}.`,
        ),
        ...(moves && {
          snippet: snippets.collectiveWithoutWaiting('c'),
          alternatives: [snippets.collectiveWithoutWaiting('fortran')],
        }),
      },
    ],
    picture: () => picture(calls, of, name),
  };
}

/** Every process of the worst moment: how long it waits, and what the call takes then. */
function picture(calls: LayerCalls, { worst }: Waiting, name: string): PatternPicture | undefined {
  const { collectives, trace } = calls;
  const last = lastOf(calls, worst);
  const byArrival = [...worst].sort((a, b) => collectives.start.at(b) - collectives.start.at(a));
  const lanes = byArrival.map((index) => {
    const wait = waited(calls, index, last.at);
    const start = collectives.start.at(index);
    const end = collectives.end(index);
    return {
      label: processName(trace.streams[collectives.stream.at(index)]!),
      amount: wait === 0 ? 'last' : `waits ${formatDuration(wait)}`,
      bars: [
        ...(wait > 0 ? [{ from: start, to: start + wait, kind: 'waiting' as const }] : []),
        { from: start + wait, to: Math.max(end, start + wait), kind: 'call' as const },
      ],
    };
  });
  return pictureOf(
    {
      title: `The costliest ${name}: who waits for whom`,
      description: `A bar over time for each of ${formatCount(worst.length)} processes, the last to come first: ${lanes
        .slice(0, 4)
        .map(({ label, amount }) => `${label} ${amount}`)
        .join(', ')}.`,
      axis: 'time',
    },
    lanes,
  );
}

/** Processes that wait for each other inside collective calls. */
export const COLLECTIVE_WAITING: LayerPattern = {
  code: 'L24',
  name: 'collective-waiting',
  title: 'Processes wait for the last one in a collective call',
  find: (calls, { waiting_share }) => {
    const series = findSeries(calls).filter(({ streams, isWhole }) => streams.length > 1 && isWhole);
    const free = freeSince(calls);
    return (
      groupMoments(calls, series)
        .map((group) => place(calls, group, free))
        // Processes never come at the very same time: what is lost has to be a part of their lives, not of their I/O only.
        .filter(({ lostNs, streams }) => lostNs >= waiting_share * streams * calls.trace.durationNs)
    );
  },
};
