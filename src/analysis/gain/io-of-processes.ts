import type { Trace } from '../../trace/trace.ts';
import type { MetricsOutline } from '../metrics/metrics-outline.ts';
import type { CountedIo } from './counted-io.ts';

/** How the I/O is spread over the processes of a parallel job, whose slowest one is that of the run; nanoseconds. */
export interface IoOfProcesses {
  readonly processes: number;
  readonly meanNs: number;
  /** Of the process with the least; null where only sums are known. */
  readonly leastNs: number | null;
}

const FEWEST = 2;

/**
 * Of ranks: processes that are started one after the other, or for a moment, have no mean that says anything.
 *
 * @param ofStream what the calls of a stream take; of the threads of a process the dearest counts.
 */
export function ioOfRanks(
  { processes, processOfStream }: Pick<MetricsOutline, 'processes' | 'processOfStream'>,
  ofStream: (stream: number) => number,
): IoOfProcesses | undefined {
  const times = new Map<number, number>();
  for (const [process, { isRank }] of processes) if (isRank) times.set(process, 0);
  if (times.size < FEWEST) return undefined;
  processOfStream.forEach((process, stream) => {
    const known = times.get(process);
    if (known !== undefined) times.set(process, Math.max(known, ofStream(stream)));
  });
  let [all, leastNs] = [0, Infinity];
  for (const time of times.values()) {
    all += time;
    leastNs = Math.min(leastNs, time);
  }
  return { processes: times.size, meanNs: all / times.size, leastNs };
}

/** Of a log of counters, where records of all processes together hold no time of one of them but the slowest. */
export function ioOfJob({ counters }: Trace, { allNs }: CountedIo): IoOfProcesses | undefined {
  const processes = counters?.job.processes ?? 0;
  return processes < FEWEST ? undefined : { processes, meanNs: allNs / processes, leastNs: null };
}
