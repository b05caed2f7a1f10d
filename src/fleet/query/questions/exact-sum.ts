/**
 * The sum of fractions as SQL. Doubles give another last digit in each order of rows, and the order hangs on how a store was
 * made and on the threads of the engine; decimals give the same in all. What no decimal holds (not a number, 10^18 and more)
 * is not known.
 * @param places behind the point: nine are nanoseconds of seconds; for bytes fewer do, which leaves their digits as they are.
 */
export function exactSum(value: string, places = 9): string {
  return `sum(${exactValue(value, places)})::DOUBLE`;
}

/** The mean of fractions as SQL, in the same way. */
export function exactMean(value: string): string {
  return `${exactSum(value)} / nullif(count(${exactValue(value, 9)}), 0)`;
}

/** What is added up: worked out beforehand where one value is added many times. */
export function exactValue(value: string, places: number): string {
  return `TRY_CAST(${value} AS DECIMAL(${18 + places}, ${places}))`;
}
