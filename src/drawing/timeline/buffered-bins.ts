import { lengthOf, wholeRun, type Span } from './visible-span.ts';

/**
 * What a track asks for: three times the visible span, in bins whose length is a power of two, so that moving a little asks
 * for nothing and two answers cut time at the same places. (As Perfetto's tracks do: `buffered_bounds.ts`.)
 */
export interface Bins extends Span {
  readonly bins: number;
  /** Nanoseconds; at least one bin and at most two lie in a pixel. */
  readonly binNs: number;
}

/** Bins of an answer; a screen of 5,000 pixels asks for less. */
export const MOST_BINS = 1 << 15;

/** @param width pixels. */
export function binsFor(visible: Span, width: number, durationNs: number): Bins {
  const length = lengthOf(visible);
  const binNs = binLength(length, width);
  const whole = wholeRun(durationNs).toNs;
  const fromNs = Math.floor(Math.max(0, visible.fromNs - length) / binNs) * binNs;
  const toNs = Math.ceil(Math.min(whole, visible.toNs + length) / binNs) * binNs;
  const bins = Math.min(MOST_BINS, Math.max(1, Math.round((toNs - fromNs) / binNs)));
  return { fromNs, toNs: fromNs + bins * binNs, bins, binNs };
}

function binLength(lengthNs: number, width: number): number {
  return 2 ** Math.floor(Math.log2(lengthNs / Math.max(1, width)));
}

/** Whether what is held still shows a span as sharply as it can be: otherwise it is asked for anew. */
export function covers(held: Bins, visible: Span, width: number, durationNs: number): boolean {
  const end = Math.min(visible.toNs, wholeRun(durationNs).toNs);
  return held.fromNs <= visible.fromNs && held.toNs >= end && held.binNs === binLength(lengthOf(visible), width);
}
