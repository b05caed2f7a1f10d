import { getOrCreate } from '../../base/grouping.ts';
import type { Trace } from '../../trace/trace.ts';
import type { MetricsOutline } from '../metrics/metrics-outline.ts';

/**
 * Streams that run one after the other share a lane, those that run side by side do not: what the streams of one lane take
 * adds up to time of the run, what lanes take does not.
 */
export interface Lanes {
  /** By stream. */
  readonly of: Int32Array;
  readonly count: number;
}

/** Processes get lanes by their lives; threads of a process run side by side. */
export function lanesOf(
  { streams }: Trace,
  { processes, processOfStream }: Pick<MetricsOutline, 'processes' | 'processOfStream'>,
): Lanes {
  const ofProcess = lanesOfProcesses(processes);
  const threads = new Map<number, number>();
  const lanes = new Map<string, number>();
  const of = new Int32Array(streams.length);
  for (let stream = 0; stream < streams.length; stream++) {
    const process = processOfStream[stream]!;
    const thread = threads.get(process) ?? 0;
    threads.set(process, thread + 1);
    const key = `${ofProcess.get(process) ?? 0} ${thread}`;
    of[stream] = getOrCreate(lanes, key, () => lanes.size);
  }
  return { of, count: lanes.size };
}

function lanesOfProcesses(processes: MetricsOutline['processes']): Map<number, number> {
  // A rank lives as long as its job, whenever it makes its calls.
  const lives = [...processes].map(
    ([process, { first, last, isRank }]) => [process, isRank ? { first: 0, last: Infinity } : { first, last }] as const,
  );
  const starting = lives.sort(([, a], [, b]) => a.first - b.first || a.last - b.last);
  const ending = starting.toSorted(([, a], [, b]) => a.last - b.last);
  const lanes = new Map<number, number>();
  const free: number[] = [];
  let ended = 0;
  let count = 0;
  for (const [process, { first }] of starting) {
    for (; ending[ended]![1].last < first; ended++) free.push(lanes.get(ending[ended]![0])!);
    lanes.set(process, free.pop() ?? count++);
  }
  return lanes;
}
