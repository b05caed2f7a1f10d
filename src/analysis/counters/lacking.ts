/** The value; 0 where the record lacks it (NaN: another kind of record, or a text that leaves the counter out). */
export function valueOrZero(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}
