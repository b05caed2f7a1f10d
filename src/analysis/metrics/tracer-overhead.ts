import { NOT_COUNTED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

/** What the tracer adds to each call. */
interface TracerOverhead {
  /** Nanoseconds by which a recorded call is longer than it is without the tracer; NaN when it cannot be told. */
  readonly perCallNs: number;
  /** Share of the time of the calls that count which is the tracer's, 0 to 1. */
  readonly share: number;
}

/** Nanoseconds that the cheapest calls take by themselves on today's machines: little beside a tracer's stop. */
const UNTRACED_COST = 200;
const FEWEST_SAMPLES = 8;
/** No tracer takes longer (a stack costs half a millisecond): then it is the calls themselves that are slow. */
const MOST_PLAUSIBLE = 10e6;

/**
 * Estimates what a tracer (strace) itself adds to a call: it stops the process at the call's beginning and end, and the time between
 * the two stops is what it prints. Every call's lower decile bounds it from above; the least of these is the estimate.
 * (Not the lower decile of lseek and its like alone: the few of the start-up run on cold caches.)
 *
 * @param time nanoseconds of the calls that count, and `events` their number.
 */
export function tracerOverhead(trace: Trace, time: number, events: number): TracerOverhead {
  if (!trace.form.tracerStopsProgram || !trace.capabilities.duration) return { perCallNs: NaN, share: NaN };
  const durations = durationsByCall(trace);
  const enough = durations.filter((samples) => samples.length >= FEWEST_SAMPLES);
  const deciles = (enough.length > 0 ? enough : durations.filter((samples) => samples.length > 0)).map(lowerDecile);
  if (deciles.length === 0) return { perCallNs: NaN, share: NaN };
  const perCallNs = Math.max(0, Math.min(...deciles) - UNTRACED_COST);
  if (perCallNs > MOST_PLAUSIBLE) return { perCallNs: NaN, share: NaN };
  return { perCallNs, share: time > 0 ? Math.min(1, (perCallNs * events) / time) : NaN };
}

function durationsByCall(trace: Trace): number[][] {
  const durations: number[][] = trace.calls.names.map(() => []);
  // A decile of some thousand calls is as good as one of a million.
  const step = Math.max(1, Math.floor(trace.events.length / 20_000));
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i += step) {
      const duration = chunk.duration[i]!;
      if ((chunk.flags[i]! & NOT_COUNTED) === 0 && duration > 0) durations[chunk.call[i]!]!.push(duration);
    }
  });
  return durations;
}

function lowerDecile(samples: number[]): number {
  samples.sort((a, b) => a - b);
  return samples[Math.floor(samples.length / 10)]!;
}
