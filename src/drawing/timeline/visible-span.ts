/** The span of time that a timeline shows, and the one transform between time and pixels. Times in nanoseconds. */
export interface Span {
  readonly fromNs: number;
  readonly toNs: number;
}

/** No recording tells less apart: strace and Darshan write microseconds and more. */
export const SHORTEST_NS = 100;

export const lengthOf = ({ fromNs, toNs }: Span): number => toNs - fromNs;

export function xOf(timeNs: number, span: Span, width: number): number {
  return ((timeNs - span.fromNs) / lengthOf(span)) * width;
}

export function timeAt(x: number, span: Span, width: number): number {
  return span.fromNs + (x / Math.max(1, width)) * lengthOf(span);
}

/** All of a run; a run without any duration still has an axis. */
export function wholeRun(durationNs: number): Span {
  return { fromNs: 0, toNs: Math.max(SHORTEST_NS, durationNs) };
}

/** Inside the run, and neither shorter than can be told apart nor longer than the run. */
export function clamped(span: Span, durationNs: number): Span {
  const whole = wholeRun(durationNs);
  const length = Math.min(whole.toNs, Math.max(SHORTEST_NS, lengthOf(span)));
  const fromNs = Math.min(whole.toNs - length, Math.max(0, span.fromNs));
  return { fromNs, toNs: fromNs + length };
}

/** Shows `factor` times as much detail; the time `aroundNs` stays where it is on the screen. */
export function zoomed(span: Span, factor: number, aroundNs: number, durationNs: number): Span {
  const length = Math.min(wholeRun(durationNs).toNs, Math.max(SHORTEST_NS, lengthOf(span) / factor));
  const share = (aroundNs - span.fromNs) / lengthOf(span);
  const fromNs = aroundNs - share * length;
  return clamped({ fromNs, toNs: fromNs + length }, durationNs);
}

export function moved(span: Span, byNs: number, durationNs: number): Span {
  return clamped({ fromNs: span.fromNs + byNs, toNs: span.toNs + byNs }, durationNs);
}

/** Shows a part with some of what is around it; a single moment becomes a short span. */
export function around(part: Span, durationNs: number, margin = 0.1): Span {
  const length = Math.max(SHORTEST_NS, lengthOf(part));
  const middle = (part.fromNs + part.toNs) / 2;
  const half = length * (0.5 + margin);
  return clamped({ fromNs: middle - half, toNs: middle + half }, durationNs);
}

/** Both ends in order. */
export function between(oneNs: number, otherNs: number): Span {
  return { fromNs: Math.min(oneNs, otherNs), toNs: Math.max(oneNs, otherNs) };
}
