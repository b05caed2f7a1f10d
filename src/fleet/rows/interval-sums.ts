/** What many intervals of time come to; in seconds. */
interface IntervalSums {
  readonly first: number;
  readonly last: number;
  /** In which at least one was under way. */
  readonly active: number;
  readonly summed: number;
  /** Most that were under way at one moment; one that begins when another ends is not at that moment. */
  readonly mostConcurrent: number;
}

/**
 * @param starts nanoseconds; sorted in place, and so are the ends.
 * @returns undefined when a time is not known.
 */
export function intervalSums(starts: Float64Array, ends: Float64Array): IntervalSums | undefined {
  // NaN is sorted to the end.
  starts.sort();
  ends.sort();
  if (starts.length === 0 || Number.isNaN(starts.at(-1)!) || Number.isNaN(ends.at(-1)!)) return undefined;
  let [active, summed, mostConcurrent, since, ended] = [0, 0, 0, 0, 0];
  for (let begun = 0; begun < starts.length; begun++) {
    const start = starts[begun]!;
    // The end of one that takes no time is not looked at before it began.
    for (; ended < begun && ends[ended]! <= start; ended++) {
      if (ended + 1 === begun) active += ends[ended]! - since;
    }
    if (ended === begun) since = start;
    mostConcurrent = Math.max(mostConcurrent, begun + 1 - ended);
  }
  active += ends.at(-1)! - since;
  for (let i = 0; i < starts.length; i++) summed += ends[i]! - starts[i]!;
  return {
    first: starts[0]! / 1e9,
    last: ends.at(-1)! / 1e9,
    active: active / 1e9,
    summed: summed / 1e9,
    mostConcurrent,
  };
}
