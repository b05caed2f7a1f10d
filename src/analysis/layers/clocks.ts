import type { RecordingSource, Trace } from '../../trace/trace.ts';

/** How well the clocks of recordings that were joined agree. */
export interface Clocks {
  /** Which of the joined recordings each stream is of, from 0. */
  readonly sourceOfStream: Int32Array;
  /**
   * Nanoseconds that a call of one recording may stick out of the call of another that made it; below 0: that it has to keep
   * from both ends of it, to lie within it however the clocks differ; -Infinity: nobody knows how far they differ.
   */
  readonly toleranceNs: (source: number, other: number) => number;
}

/** All streams are of one recording, whose clock agrees with itself. */
export function oneClock({ streams }: Trace): Clocks {
  return { sourceOfStream: new Int32Array(streams.length), toleranceNs: () => 0 };
}

/**
 * The clocks of a trace. An offset that the calls themselves showed is right within its uncertainty, and calls may differ by
 * it. What is known by dates, or of a clock in whole seconds, is a bound only: a call would fit into any other within it, so
 * a call has to lie within another by more than that.
 */
export function clocksOf(trace: Trace): Clocks {
  const { sources, streams, parts } = trace;
  if (sources === undefined) return oneClock(trace);
  const sourceOfPart = new Int32Array(parts.length);
  let first = 0;
  sources.forEach(({ parts: own }, source) => {
    sourceOfPart.fill(source, first, first + own);
    first += own;
  });
  const slack = sources.map(slackOf);
  return {
    sourceOfStream: Int32Array.from(streams, ({ part }) => sourceOfPart[part]!),
    toleranceNs: (source, other) => {
      if (source === other) return 0;
      const [a, b] = [slack[source]!, slack[other]!];
      return a < 0 || b < 0 ? -(Math.abs(a) + Math.abs(b)) : a + b;
    },
  };
}

function slackOf({ offsetFrom, uncertaintyNs }: RecordingSource): number {
  if (Number.isNaN(uncertaintyNs)) return -Infinity;
  const isShownByCalls =
    offsetFrom === 'calls that both recorded' || offsetFrom === 'calls within calls of the other layer';
  return isShownByCalls ? uncertaintyNs : -uncertaintyNs;
}
