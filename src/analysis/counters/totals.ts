/**
 * Every counter of a module over all its records, as `darshan-parser --total` puts them together (darshan-util 3.5,
 * `darshan_log_agg_*`), for all modules by the same rules.
 */
import type { CounterTable } from '../../trace/counters.ts';
import { commonValuesOfParser, type CommonValueKind } from './common-values.ts';
import { counterPrefix } from './module-counters.ts';
import { valueOrZero } from './lacking.ts';

/**
 * Totals by counter, in the order of the module. Left out are variances over ranks, which have no sensible total, the
 * dimensions of HDF5's and PnetCDF's common accesses, and identifiers.
 */
export function counterTotals(table: CounterTable): Map<string, number> {
  const totals = new Map<string, number>();
  for (const counter of table.counters) {
    const rule = ruleOf(counter);
    if (rule === undefined || table.identifiersIn(counter).length > 0) continue;
    const total = rule(table, counter);
    totals.set(counter, valueOrZero(total));
  }
  for (const kind of ['ACCESS', 'STRIDE'] as const) addCommonValues(totals, table, kind);
  return totals;
}

/** Counters whose totals are beyond what a number holds exactly. */
export function inexactTotals(totals: Readonly<Record<string, number>>): string[] {
  return Object.keys(totals).filter(
    (counter) => !/_F_|TIME|VARIANCE/.test(counter) && !Number.isSafeInteger(totals[counter]),
  );
}

/**
 * What rounded totals are exactly, in decimal digits: those that are sums of numbers which are exact themselves.
 * @param least what a sum does not fall below; undefined for plain sums.
 */
export function exactTotals(
  table: CounterTable,
  inexact: readonly string[],
  least?: bigint,
): Readonly<Record<string, string>> {
  const exact = inexact.flatMap((counter) => {
    if (least !== undefined && ruleOf(counter) !== sum) return [];
    const total = exactSum(table, counter, least);
    return total === undefined ? [] : [[counter, String(total)] as const];
  });
  return Object.fromEntries(exact);
}

function exactSum(table: CounterTable, counter: string, least: bigint | undefined): bigint | undefined {
  let total = 0n;
  let isExact = table.find(counter) !== undefined;
  fold(table, counter, 0, (_, value) => {
    isExact &&= Number.isSafeInteger(value);
    if (isExact) total += BigInt(value);
    if (least !== undefined && total < least) total = least;
    return 0;
  });
  return isExact ? total : undefined;
}

function addCommonValues(totals: Map<string, number>, table: CounterTable, kind: CommonValueKind): void {
  const prefix = counterPrefix(table.module);
  if (table.find(`${prefix}_${kind}1_COUNT`) === undefined) return;
  commonValuesOfParser(table, kind).forEach(({ bytes, count }, i) => {
    totals.set(`${prefix}_${kind}${i + 1}_${kind}`, bytes);
    totals.set(`${prefix}_${kind}${i + 1}_COUNT`, count);
  });
}

type Rule = (table: CounterTable, counter: string) => number;

const RULES: readonly (readonly [names: RegExp, rule: Rule | undefined])[] = [
  [/_F_VARIANCE_RANK_/, undefined],
  [/_ACCESS\d_(LENGTH|STRIDE)_D\d$/, undefined],
  // Set together by addCommonValues.
  [/_(STRIDE|ACCESS)\d_(STRIDE|ACCESS|COUNT)$/, undefined],
  [/_(FASTEST|SLOWEST)_RANK(_BYTES|_TIME)?$/, extremeRank],
  [/_F_.*START_TIMESTAMP$/, firstTime],
  [/_F_.*TIMESTAMP$/, greatest],
  [/_MAX_(READ|WRITE)_TIME_SIZE$/, sizeOfSlowest],
  [/_F_MAX_(READ|WRITE)_TIME$|_MAX_BYTE_|_(MAX_SIZE|MAX_DURATION|MAX_TIME)$/, greatest],
  [/_MIN_TIME$/, firstTime],
  [/_(MODE|ALIGNMENT|RENAMED_FROM|CHUNK_SIZE(_D\d)?|OTYPE|CELL_SIZE|DATATYPE_SIZE|N(DIMS|POINTS)|SERVERS)$/, last],
  [/_(USE_MPIIO(_COLLECTIVE)?|USE_DEPRECATED|IS_RECORD_VAR)$|^BGQ_/, last],
];

function ruleOf(counter: string): Rule | undefined {
  const found = RULES.find(([names]) => names.test(counter));
  return found === undefined ? sum : found[1];
}

function fold(
  table: CounterTable,
  counter: string,
  start: number,
  next: (total: number, value: number, record: number) => number,
): number {
  const column = table.find(counter);
  let total = start;
  if (column === undefined) return total;
  table.forEachValues(column, (values, first, records) => {
    for (let i = 0; i < records; i++) {
      const value = typeof values === 'number' ? values : values[i]!;
      if (!Number.isNaN(value)) total = next(total, value, first + i);
    }
  });
  return total;
}

/** What was not measured (-1) anywhere stays -1, however many records say so. Times are added up as they are. */
function sum(table: CounterTable, counter: string): number {
  if (counter.includes('_F_')) return fold(table, counter, 0, (total, value) => total + value);
  return fold(table, counter, 0, (total, value) => Math.max(-1, total + value));
}

function greatest(table: CounterTable, counter: string): number {
  return fold(table, counter, 0, (total, value) => (value > total ? value : total));
}

/** The least that is not zero: zero stands for "never". */
function firstTime(table: CounterTable, counter: string): number {
  return fold(table, counter, 0, (total, value) => (value > 0 && (total === 0 || value < total) ? value : total));
}

function last(table: CounterTable, counter: string): number {
  return fold(table, counter, 0, (_total, value) => value);
}

/** Bytes of the one read or write that took longest; the first of them when there are several. */
function sizeOfSlowest(table: CounterTable, counter: string): number {
  const timeCounter = counter.replace(/_MAX_(READ|WRITE)_TIME_SIZE$/, '_F_MAX_$1_TIME');
  let slowest = -1;
  fold(table, timeCounter, 0, (total, value, record) => {
    if (value <= total) return total;
    slowest = record;
    return value;
  });
  return slowest < 0 ? 0 : table.get(slowest, counter);
}

/**
 * The fastest or slowest process, its bytes or its time. Only known when all records are about one file: otherwise -1
 * (process, bytes) and 0 (time).
 */
function extremeRank(table: CounterTable, counter: string): number {
  const isTime = counter.endsWith('_TIME');
  if (table.length === 0) return 0;
  for (let record = 1; record < table.length; record++) {
    if (table.recordId(record) !== table.recordId(0)) return isTime ? 0 : -1;
  }
  const isFastest = counter.includes('_FASTEST_RANK');
  let best = extremeOf(table, 0, isFastest);
  for (let record = 1; record < table.length; record++) {
    const next = extremeOf(table, record, isFastest);
    if (isFastest ? next.time < best.time : next.time > best.time) best = next;
  }
  if (isTime) return best.time;
  return counter.endsWith('_BYTES') ? best.bytes : best.rank;
}

interface ExtremeRank {
  readonly rank: number;
  readonly time: number;
  readonly bytes: number;
}

/** The fastest or slowest process of one record: the record's own numbers when it is a shared one, else its only process. */
export function extremeOf(table: CounterTable, record: number, isFastest: boolean): ExtremeRank {
  const prefix = counterPrefix(table.module);
  const get = (counter: string): number => table.get(record, `${prefix}_${counter}`);
  const which = isFastest ? 'FASTEST' : 'SLOWEST';
  if (table.rank(record) < 0) {
    return { rank: get(`${which}_RANK`), bytes: get(`${which}_RANK_BYTES`), time: get(`F_${which}_RANK_TIME`) };
  }
  return {
    rank: table.rank(record),
    bytes: get('BYTES_READ') + get('BYTES_WRITTEN'),
    time: get('F_READ_TIME') + get('F_WRITE_TIME') + get('F_META_TIME'),
  };
}
