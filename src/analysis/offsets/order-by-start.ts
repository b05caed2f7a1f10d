/**
 * Places of values in the order of their size, equal ones as they stand. Recordings hold a few long runs that are in order
 * already: these are merged. An unknown value (NaN) stays behind the one before it.
 */
export function orderByStart(starts: Float64Array): Uint32Array {
  const { length } = starts;
  const keys = new Float64Array(length);
  const runs = [0];
  let last = -Infinity;
  for (let i = 0; i < length; i++) {
    const start = starts[i]!;
    if (start < last) runs.push(i);
    if (!Number.isNaN(start)) last = start;
    keys[i] = last;
  }
  runs.push(length);
  let order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  let other = new Uint32Array(length);
  let bounds = runs;
  while (bounds.length > 2) {
    const merged = [0];
    for (let run = 0; run + 1 < bounds.length; run += 2) {
      const end = bounds[run + 2] ?? bounds[run + 1]!;
      mergeRuns(keys, order, other, { first: bounds[run]!, middle: bounds[run + 1]!, end });
      merged.push(end);
    }
    [order, other] = [other, order];
    bounds = merged;
  }
  return order;
}

interface NeighbouringRuns {
  readonly first: number;
  /** Where the second one begins. */
  readonly middle: number;
  readonly end: number;
}

function mergeRuns(keys: Float64Array, from: Uint32Array, into: Uint32Array, runs: NeighbouringRuns): void {
  const { first, middle, end } = runs;
  let left = first;
  let right = middle;
  for (let at = first; at < end; at++) {
    const takesLeft = left < middle && (right >= end || keys[from[left]!]! <= keys[from[right]!]!);
    into[at] = takesLeft ? from[left++]! : from[right++]!;
  }
}
