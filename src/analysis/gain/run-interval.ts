import type { Trace } from '../../trace/trace.ts';
import { NINETY_PERCENT, OTHER_RUN, type RunCost } from './cost.ts';
import type { TracerTime } from './tracer-time.ts';

/** Time of a run without a tracer, and between which bounds another run of the same program takes; nanoseconds. */
export interface RunInterval {
  readonly untracedNs: number;
  readonly lowNs: number;
  readonly highNs: number;
}

/**
 * How long a run may take when it is made again. How long a program waited for a busy processor shows nowhere but in how
 * long processors worked for it: where nobody knows that, all that is no I/O may have been such waiting.
 *
 * @param ioDeviation of the time of the run's I/O.
 */
export function runInterval(
  {
    durationNs,
    untracedNs,
    mostNs,
    ioNs,
    traced,
  }: Pick<RunCost, 'durationNs' | 'untracedNs' | 'mostNs' | 'ioNs' | 'traced'>,
  ioDeviation: number,
  tracer: TracerTime,
  { parts }: Trace,
): RunInterval {
  const varies = NINETY_PERCENT * OTHER_RUN;
  if (!traced) return { untracedNs, lowNs: untracedNs * (1 - varies), highNs: untracedNs * (1 + varies) };
  const doubt = NINETY_PERCENT * ioDeviation;
  const leastIo = Math.max(0, ioNs - doubt);
  const [only, ...more] = parts;
  const worked = more.length === 0 ? (only?.life?.userNs ?? 0) : 0;
  const computing = Math.min(Math.max(0, durationNs - tracer.mostNs - ioNs), worked);
  return {
    untracedNs,
    lowNs: Math.min(untracedNs, leastIo + computing * (1 - varies)),
    highNs: ioNs + doubt + (mostNs - ioNs) * (1 + varies),
  };
}
