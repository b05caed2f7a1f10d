/** Figures of one module over all its records: what PyDarshan draws for it. */
import type { CounterTable } from '../../trace/counters.ts';
import { counterPrefix, operationBars, sizeCounters } from './module-counters.ts';
import { valueOrZero } from './lacking.ts';

/** Seconds of all processes together. */
export interface OperationTimes {
  readonly readSeconds: number;
  readonly writeSeconds: number;
  readonly metadataSeconds: number;
  /** For nonblocking operations; PnetCDF only. */
  readonly waitSeconds: number;
}

/** @returns undefined when the module measures no times. */
export function operationTimes(table: CounterTable): OperationTimes | undefined {
  const prefix = counterPrefix(table.module);
  if (table.find(`${prefix}_F_META_TIME`) === undefined) return undefined;
  // Old versions of Darshan wrote negative times now and then (writes to STDIO); these measure nothing.
  const seconds = (name: string): number => measuredTotal(table, `${prefix}_F_${name}_TIME`);
  return {
    readSeconds: seconds('READ'),
    writeSeconds: seconds('WRITE'),
    metadataSeconds: seconds('META'),
    waitSeconds: seconds('WAIT'),
  };
}

export interface AccessSizes {
  /** Reads in each of Darshan's ten size bins, smallest first. */
  readonly read: readonly number[];
  readonly write: readonly number[];
}

/** @returns undefined when the module counts no sizes. */
export function accessSizes(table: CounterTable): AccessSizes | undefined {
  const sums = (direction: 'READ' | 'WRITE'): number[] =>
    sizeCounters(table, direction).map((counter) => measuredTotal(table, counter));
  const [read, write] = [sums('READ'), sums('WRITE')];
  return read.length === 0 && write.length === 0 ? undefined : { read, write };
}

export interface OperationCount {
  readonly operation: string;
  readonly count: number;
}

/** How often each operation was called; those that no record measured are left out, and MPI's that nobody called. */
export function operationCounts(table: CounterTable): OperationCount[] {
  const counts = operationBars(table).flatMap(([operation, ...counters]) => {
    const measured = counters.filter((counter) => isMeasured(table, counter));
    if (measured.length === 0) return [];
    return [{ operation, count: measured.reduce((sum, counter) => sum + measuredTotal(table, counter), 0) }];
  });
  return table.module === 'APMPI' ? counts.filter(({ count }) => count > 0) : counts;
}

export interface AccessPattern {
  readonly total: number;
  /** Behind the last byte of the process's previous access to the file. */
  readonly sequential: number;
  /** Right behind it; these are sequential too. */
  readonly consecutive: number;
}

/** @returns undefined for modules that do not look at offsets: all but POSIX. */
export function accessPattern(table: CounterTable): { read: AccessPattern; write: AccessPattern } | undefined {
  if (table.find('POSIX_SEQ_READS') === undefined) return undefined;
  const pattern = (direction: 'READS' | 'WRITES'): AccessPattern => ({
    total: measuredTotal(table, `POSIX_${direction}`),
    sequential: measuredTotal(table, `POSIX_SEQ_${direction}`),
    consecutive: measuredTotal(table, `POSIX_CONSEC_${direction}`),
  });
  return { read: pattern('READS'), write: pattern('WRITES') };
}

/** Sum over the records that measured it. */
export function measuredTotal(table: CounterTable, counter: string): number {
  const column = table.find(counter);
  let sum = 0;
  if (column === undefined) return sum;
  table.forEachValues(column, (values, _first, records) => {
    const measured = (value: number): number => Math.max(0, valueOrZero(value));
    if (typeof values === 'number') sum += measured(values) * records;
    else for (const value of values) sum += measured(value);
  });
  return sum;
}

function isMeasured(table: CounterTable, counter: string): boolean {
  const column = table.find(counter);
  let found = false;
  if (column === undefined) return found;
  table.forEachValues(column, (values) => {
    found ||= typeof values === 'number' ? values >= 0 : values.some((value) => value >= 0);
  });
  return found;
}
