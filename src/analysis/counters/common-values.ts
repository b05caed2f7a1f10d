/** The commonest sizes of accesses and the commonest distances between them: each record holds four with their counts. */
import type { CounterTable } from '../../trace/counters.ts';
import { counterPrefix } from './module-counters.ts';
import { valueOrZero } from './lacking.ts';

/** Values that a record holds (ACCESS1 to ACCESS4). */
const HELD = 4;
/** Different values that are added up at a time; beyond, the rarest are forgotten. */
const MOST_DIFFERENT = 50_000;

export type CommonValueKind = 'ACCESS' | 'STRIDE';

/** Bytes, and how often they occurred. */
export interface CommonValue {
  readonly bytes: number;
  readonly count: number;
}

/** Calls `visit` with the four pairs of every record; the arrays are used again for the next one. */
function forEachRecord(
  table: CounterTable,
  kind: CommonValueKind,
  visit: (values: readonly number[], counts: readonly number[]) => void,
): void {
  const prefix = counterPrefix(table.module);
  const numbers = Array.from({ length: HELD }, (_, i) => i + 1);
  const columns = (end: string): (number | undefined)[] =>
    numbers.map((number) => table.find(`${prefix}_${kind}${number}_${end}`));
  const valueColumns = columns(kind);
  const countColumns = columns('COUNT');
  if ([...valueColumns, ...countColumns].includes(undefined)) return;
  const values = numbers.map(() => 0);
  const counts = numbers.map(() => 0);
  for (let record = 0; record < table.length; record++) {
    for (let i = 0; i < HELD; i++) {
      values[i] = valueOrZero(table.value(record, valueColumns[i]!));
      counts[i] = valueOrZero(table.value(record, countColumns[i]!));
    }
    visit(values, counts);
  }
}

/**
 * The commonest values over all records, commonest first, larger first among equals: counts of one value in different
 * records are added up, as PyDarshan does it. What was not among the four of its record is not known.
 */
export function commonValues(table: CounterTable, kind: CommonValueKind, most = HELD): CommonValue[] {
  const counted = new Map<number, number>();
  forEachRecord(table, kind, (values, counts) => {
    for (let i = 0; i < HELD; i++) {
      if (counts[i]! > 0) counted.set(values[i]!, (counted.get(values[i]!) ?? 0) + counts[i]!);
    }
    if (counted.size > MOST_DIFFERENT) forgetRarest(counted);
  });
  return sorted(counted)
    .slice(0, most)
    .map(([bytes, count]) => ({ bytes, count }));
}

function sorted(counted: ReadonlyMap<number, number>): [value: number, count: number][] {
  return [...counted].sort(([a, countA], [b, countB]) => countB - countA || b - a);
}

function forgetRarest(counted: Map<number, number>): void {
  for (const [value] of sorted(counted).slice(MOST_DIFFERENT / 2)) counted.delete(value);
}

/**
 * The four values and counts that `darshan-parser --total` prints: it keeps four while it goes from record to record, so
 * that counts of a value which had to leave in between are lost. `commonValues` has the better numbers.
 */
export function commonValuesOfParser(table: CounterTable, kind: CommonValueKind): CommonValue[] {
  let kept: CommonValue[] = Array.from({ length: HELD }, () => ({ bytes: 0, count: 0 }));
  forEachRecord(table, kind, (values, counts) => {
    if (values.every((value, i) => value === 0 && counts[i] === 0)) return;
    kept = mergedInto(kept, values, counts);
  });
  return kept;
}

function mergedInto(
  before: readonly CommonValue[],
  values: readonly number[],
  counts: readonly number[],
): CommonValue[] {
  let kept = before.map(({ bytes, count }) => ({
    bytes,
    count: values.reduce((sum, value, i) => (value === bytes ? sum + counts[i]! : sum), count),
  }));
  for (let i = 0; i < HELD; i++) {
    const added = { bytes: values[i]!, count: counts[i]! };
    if (before.some(({ bytes }) => bytes === added.bytes)) continue;
    if (added.bytes === 0) break;
    const place = kept.findIndex(
      ({ bytes, count }) => count < added.count || (count === added.count && bytes <= added.bytes),
    );
    if (place < 0) break;
    const rest = kept.slice(place).filter(({ bytes }) => bytes !== added.bytes);
    kept = [...kept.slice(0, place), added, ...rest].slice(0, HELD);
  }
  return kept;
}
