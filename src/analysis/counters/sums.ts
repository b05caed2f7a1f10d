/** Sums of Darshan's counters over the records of a module: of all of them, and of those of each file. */
import type { CounterTable } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import { valueOrZero } from './lacking.ts';

/**
 * Plain sum over all records of the stored values, -1 ("not measured") included, as `iolens info` gives it. What a
 * record lacks counts as nothing.
 * @param leftOut 1 for records that do not count.
 * @returns 0 when the log has no such module, or the module no such counter.
 */
export function totalOf(table: CounterTable | undefined, counter: string, leftOut?: Uint8Array): number {
  const column = table?.find(counter);
  if (table === undefined || column === undefined) return 0;
  let sum = 0;
  table.forEachValues(column, (values, first, records) => {
    if (leftOut === undefined && typeof values === 'number') sum += valueOrZero(values) * records;
    else
      for (let i = 0; i < records; i++)
        if (leftOut?.[first + i] !== 1) sum += valueOrZero(typeof values === 'number' ? values : values[i]!);
  });
  return sum;
}

/** Which records are about the same file. */
export class FileGroups {
  /** Group of each record, or NONE for those that were left out. */
  readonly groupOf: Int32Array;
  /** First record of each group. */
  private readonly firstRecords: number[] = [];

  /** @param included records that count; all by default. */
  constructor(
    private readonly table: CounterTable,
    included: (record: number) => boolean = () => true,
  ) {
    this.groupOf = new Int32Array(table.length).fill(NONE);
    const groupOfFile: number[] = [];
    const groupOfNameless = new Map<bigint, number>();
    for (let record = 0; record < table.length; record++) {
      if (!included(record)) continue;
      const file = table.file(record);
      // Records of one file have one name, so their ids, which would be an object each, are looked at only without one.
      let group = file === NONE ? groupOfNameless.get(table.recordId(record)) : groupOfFile[file];
      if (group === undefined) {
        group = this.firstRecords.push(record) - 1;
        if (file === NONE) groupOfNameless.set(table.recordId(record), group);
        else groupOfFile[file] = group;
      }
      this.groupOf[record] = group;
    }
  }

  get length(): number {
    return this.firstRecords.length;
  }

  /** Index into `Trace.files`, or NONE. */
  file(group: number): number {
    return this.table.file(this.firstRecords[group]!);
  }

  recordId(group: number): bigint {
    return this.table.recordId(this.firstRecords[group]!);
  }

  firstRecord(group: number): number {
    return this.firstRecords[group]!;
  }

  /** Plain sum of a counter over the records of each group; zeros when the module has no such counter. */
  sums(counter: string): Float64Array {
    const sums = new Float64Array(this.length);
    this.forEach(counter, (value, group) => {
      sums[group]! += value;
    });
    return sums;
  }

  /** Records of each group. */
  records(): Int32Array {
    const counts = new Int32Array(this.length);
    for (const group of this.groupOf) if (group !== NONE) counts[group]!++;
    return counts;
  }

  /** Calls `visit` with every value of a counter that counts and is a number; never when the module has no such counter. */
  forEach(counter: string, visit: (value: number, group: number, record: number) => void): void {
    const column = this.table.find(counter);
    if (column === undefined) return;
    this.table.forEachValues(column, (values, first, records) => {
      for (let i = 0; i < records; i++) {
        const group = this.groupOf[first + i]!;
        const value = typeof values === 'number' ? values : values[i]!;
        if (group !== NONE && !Number.isNaN(value)) visit(value, group, first + i);
      }
    });
  }
}

/** Sums of some counters for each file. */
interface FileSums {
  readonly groups: FileGroups;
  /** One array for each counter that was asked for, in their order; one sum for each group. */
  readonly sums: readonly Float64Array[];
}

/** Plain sums of some counters over the records of each file. */
export function byFile(
  table: CounterTable,
  counters: readonly string[],
  included?: (record: number) => boolean,
): FileSums {
  const groups = new FileGroups(table, included);
  return { groups, sums: counters.map((counter) => groups.sums(counter)) };
}
