import { NOT_COUNTED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

/** What the tracer adds to each call. */
export interface TracerOverhead {
  /** Nanoseconds by which a recorded call is longer than it is without the tracer; NaN when it cannot be told. */
  readonly perCallNs: number;
  /** Share of the time of the calls that count which is the tracer's, 0 to 1. */
  readonly share: number;
}

/** Calls that hardly do anything: what they take is the system call itself and the tracer. */
const CHEAP = new Set(['lseek', 'fcntl', 'dup', 'dup2', 'getpid', 'brk', 'fstat', 'umask', 'rt_sigprocmask', 'getuid']);
/** Nanoseconds that such a call takes by itself on today's machines: nothing beside a tracer's stop. */
const UNTRACED_COST = 200;
const FEWEST_SAMPLES = 8;

/**
 * Estimates what strace itself adds to a call: it stops the process at the call's beginning and end, and the time between
 * the two stops is what it prints. The cheapest calls of the recording show it (their lower decile); without enough of
 * them the lower decile of all calls does.
 *
 * @param time nanoseconds of the calls that count, and `events` their number.
 */
export function tracerOverhead(trace: Trace, time: number, events: number): TracerOverhead {
  if (trace.format !== 'strace' || !trace.capabilities.duration) return { perCallNs: NaN, share: NaN };
  const cheapCalls = new Set(trace.calls.names.flatMap((name, call) => (CHEAP.has(name) ? [call] : [])));
  const cheap: number[] = [];
  const all: number[] = [];
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    // A decile of some thousand calls is as good as one of a million.
    const step = Math.max(1, Math.floor(trace.events.length / 20_000));
    for (let i = 0; i < rows; i += step) {
      const duration = chunk.duration[i]!;
      if (chunk.flags[i]! & NOT_COUNTED || !(duration > 0)) continue;
      all.push(duration);
      if (cheapCalls.has(chunk.call[i]!)) cheap.push(duration);
    }
  });
  const samples = cheap.length >= FEWEST_SAMPLES ? cheap : all;
  if (samples.length === 0) return { perCallNs: NaN, share: NaN };
  samples.sort((a, b) => a - b);
  const perCallNs = Math.max(0, samples[Math.floor(samples.length / 10)]! - UNTRACED_COST);
  return { perCallNs, share: time > 0 ? Math.min(1, (perCallNs * events) / time) : NaN };
}
