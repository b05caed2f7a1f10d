import { addToGroup } from '../../../base/grouping.ts';
import { NONE } from '../../../trace/events.ts';
import type { StreamIndex } from '../../../trace/indices.ts';
import { counted, formatCount, formatDuration } from '../../../base/quantities.ts';
import { countOf, say, slot } from '../../triggers/message.ts';
import { hasRanks, processName } from '../../metrics/process-noun.ts';
import type { Amount } from '../../triggers/insight.ts';
import type { Thresholds } from '../../triggers/thresholds.ts';
import type { LayerCalls } from './layer-calls.ts';
import { timesCall, type LayerPattern, type PatternPlace } from './pattern.ts';
import { pictureOf, type PatternPicture } from './picture.ts';
import * as snippets from './snippets.ts';

/** Many processes ask the metadata server at nearly the same time. Indices into `LayerCalls.metadata`, by start. */
type Burst = readonly number[];

/**
 * Bursts among calls: within the window at least as many streams as it takes. Each begins with the first call that makes
 * one, and takes in what begins within the window.
 *
 * @param indices in the order of their starts.
 * @param window nanoseconds.
 */
export function findBursts(
  starts: (index: number) => number,
  streamOf: (index: number) => number,
  indices: readonly number[],
  window: number,
  streams: number,
): Burst[] {
  const bursts: Burst[] = [];
  const within = new Map<number, number>();
  let first = 0;
  for (let next = 0; next < indices.length; next++) {
    const time = starts(indices[next]!);
    for (; time - starts(indices[first]!) > window; first++) leave(within, streamOf(indices[first]!));
    const stream = streamOf(indices[next]!);
    within.set(stream, (within.get(stream) ?? 0) + 1);
    if (within.size < streams) continue;
    let end = next + 1;
    while (end < indices.length && starts(indices[end]!) - starts(indices[first]!) <= window) end++;
    bursts.push(indices.slice(first, end));
    within.clear();
    first = end;
    next = end - 1;
  }
  return bursts;
}

function leave(within: Map<number, number>, stream: StreamIndex): void {
  const left = within.get(stream)! - 1;
  if (left === 0) within.delete(stream);
  else within.set(stream, left);
}

/** Calls by site and name; where stacks lead nowhere by name alone, for each process may have a file of its own. */
function callsByPlace({ metadata }: LayerCalls): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const index of metadata.byStart()) {
    const key = `${metadata.site.at(index)} ${metadata.call.at(index)}`;
    addToGroup(places, key, index);
  }
  return places;
}

function place(
  calls: LayerCalls,
  bursts: readonly Burst[],
  { metadata_share, storm_window }: Thresholds,
): PatternPlace {
  const { metadata, trace } = calls;
  const all = bursts.flat();
  const sum: Amount = { events: 0, bytes: 0, timeNs: 0 };
  const files = new Map<number, Amount>();
  const streams = new Set<number>();
  for (const index of all) {
    const amount = files.get(metadata.file.at(index)) ?? { events: 0, bytes: 0, timeNs: 0 };
    for (const of of [amount, sum]) {
      of.events++;
      of.timeNs += metadata.duration.at(index);
    }
    files.set(metadata.file.at(index), amount);
    streams.add(metadata.stream.at(index));
  }
  const times = all.map((index) => metadata.duration.at(index)).sort((a, b) => a - b);
  const [median, most] = [times[(times.length - 1) >> 1]!, times.at(-1)!];
  const largest = bursts.reduce((a, b) => (b.length > a.length ? b : a));
  const name = trace.calls.names[metadata.call.at(all[0]!)]!;
  return {
    site: metadata.site.at(all[0]!),
    amount: sum,
    weight: sum.events,
    // A smaller share of the time than other metadata calls need is no storm.
    lostNs: metadata_share * calls.ioTimeNs <= sum.timeNs ? sum.timeNs : 0,
    files,
    streams: streams.size,
    medianBytes: NaN,
    subject: say`${timesCall(sum.events, name)} of ${slot('processes', streams.size)} processes on ${countOf('files', files.size, 'file')} come in ${countOf('bursts', bursts.length, 'burst')}, up to ${slot('callsOfBurst', largest.length)} within ${slot('window', storm_window * 1e9)}: the median takes ${slot('medianTime', median)}, the longest ${slot('longest', most)}; they`,
    evidence: {
      calls: sum.events,
      processes: streams.size,
      bursts: bursts.length,
      largestBurst: largest.length,
      medianNs: median,
      longestNs: most,
      files: files.size,
    },
    recommendations: [
      {
        audience: 'code',
        text: 'Open the file once, before the loop, and close it after the loop; what one process asks, it can tell the others.',
        snippet: snippets.openOnceTogether('c'),
        alternatives: [snippets.openOnceTogether('fortran')],
      },
    ],
    picture: () => picture(calls, largest, name),
  };
}

function picture(calls: LayerCalls, burst: Burst, name: string): PatternPicture | undefined {
  const { metadata, trace } = calls;
  const lanes = new Map<number, { from: number; to: number; kind: 'other' }[]>();
  for (const index of burst) {
    const stream = metadata.stream.at(index);
    const bars = lanes.get(stream) ?? [];
    bars.push({ from: metadata.start.at(index), to: metadata.end(index), kind: 'other' });
    lanes.set(stream, bars);
  }
  const drawn = [...lanes].map(([stream, bars]) => {
    const ns = bars.reduce((sum, { from, to }) => sum + to - from, 0);
    return { label: processName(trace.streams[stream]!), amount: formatDuration(ns), bars, ns };
  });
  drawn.sort((a, b) => b.ns - a.ns);
  return pictureOf(
    {
      title: `The largest burst of ${name}`,
      description: `Over time, a row for each process, the slowest first: ${drawn
        .slice(0, 4)
        .map(({ label, amount }) => `${label} ${amount}`)
        .join(', ')}; ${counted(burst.length, 'call')} of ${formatCount(drawn.length)} processes in all.`,
      axis: 'time',
    },
    drawn.map(({ label, amount, bars }) => ({ label, amount, bars })),
  );
}

/** Section 5.3 of Tschüter, figure 5.7: all processes open (or close) at once, and some have to wait. */
export const METADATA_STORM: LayerPattern = {
  code: 'L27',
  name: 'metadata-storm',
  title: 'All processes open, close or ask at the same time',
  find(calls, thresholds: Thresholds) {
    const { storm_window, storm_streams } = thresholds;
    const { metadata, trace } = calls;
    if (!hasRanks(trace)) return [];
    const needed = Math.max(storm_streams, Math.ceil(trace.streams.length / 2));
    const places: PatternPlace[] = [];
    for (const indices of callsByPlace(calls).values()) {
      const bursts = findBursts(
        (index) => metadata.start.at(index),
        (index) => metadata.stream.at(index),
        indices,
        storm_window * 1e9,
        needed,
      );
      if (bursts.length > 0) places.push(place(calls, bursts, thresholds));
    }
    return places.filter(({ files }) => !files.has(NONE));
  },
  explainedBy: ['L02'],
  explains: ['P17'],
};
