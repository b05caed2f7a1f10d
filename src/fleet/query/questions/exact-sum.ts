/**
 * The sum of fractions as SQL. Doubles give another last digit in each order of rows, and the order hangs on how a store was
 * made and on the threads of the engine; decimals give the same in all: nine places behind the point, a nanosecond of
 * seconds. What no decimal holds (not a number, 10^18 and more) is not known.
 */
export function exactSum(value: string): string {
  return `sum(TRY_CAST(${value} AS DECIMAL(27, 9)))::DOUBLE`;
}

/** The mean of fractions as SQL, in the same way. */
export function exactMean(value: string): string {
  const decimal = `TRY_CAST(${value} AS DECIMAL(27, 9))`;
  return `sum(${decimal})::DOUBLE / nullif(count(${decimal}), 0)`;
}
