/** First index from `low` to before `high` whose value is `value` or more; the values never decrease. */
export function lowerBound(values: ArrayLike<number>, low: number, high: number, value: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index from `low` to before `high` whose value is more than `value`. */
export function upperBound(values: ArrayLike<number>, low: number, high: number, value: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
