import type { CounterTable } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { pageBounds, parseFilter, type TableQuery } from './table-query.ts';

/** Records of one Darshan module: a file as one process used it, or as all of them did together. */
export interface RecordPage {
  readonly module: string;
  /** Counters that are anything but 0 and "not measured" in some record. */
  readonly counters: readonly string[];
  /** Counters that are not listed: 0 or not measured everywhere. */
  readonly unusedCounters: number;
  readonly rows: readonly RecordRow[];
  /** Place of the first row among those that the filter keeps. */
  readonly from: number;
  /** Records that the filter keeps. */
  readonly matching: number;
  /** All records of the module. */
  readonly total: number;
}

interface RecordRow {
  /** As darshan-parser prints it, decimal. */
  readonly recordId: string;
  /** -1: all processes together. */
  readonly rank: number;
  /** '' when the log holds no name. */
  readonly path: string;
  /** One for each of the page's counters; null where it was not measured. */
  readonly values: readonly (number | null)[];
}

/** What was found out about a table; asked for page by page, it is worked out once. */
interface Known {
  readonly counters: readonly number[];
  order: Uint32Array;
  /** What `order` was made for. */
  key: string;
}

const known = new WeakMap<CounterTable, Known>();

/**
 * @param query sorted by `file`, `rank` or the name of a counter.
 * @throws RangeError when the log has no such module, or the module no such column.
 */
export function recordPage(trace: Trace, module: string, query: TableQuery): RecordPage {
  const table = trace.counters?.modules.find((each) => each.module === module);
  if (table === undefined) throw new RangeError(`this recording has no records of a module ${module}`);
  const { counters, order } = ordered(trace, table, query);
  const { from, end } = pageBounds(query, order.length);
  return {
    module,
    counters: counters.map((counter) => table.counters[counter]!),
    unusedCounters: table.counters.length - counters.length,
    rows: Array.from(order.subarray(from, end), (record) => ({
      recordId: String(table.recordId(record)),
      rank: table.rank(record),
      path: pathOf(trace, table.file(record)),
      values: counters.map((counter) => {
        const value = table.value(record, counter);
        return Number.isFinite(value) && !isUnmeasured(value) ? value : null;
      }),
    })),
    from,
    matching: order.length,
    total: table.length,
  };
}

/** Darshan writes -1 where it did not measure; no counter of it is negative otherwise. */
function isUnmeasured(value: number): boolean {
  return value === -1;
}

function pathOf(trace: Trace, file: number): string {
  return file === NONE ? '' : trace.files.at(file).path;
}

function ordered(trace: Trace, table: CounterTable, query: TableQuery): Known {
  const about = known.get(table) ?? { counters: usedCounters(table), order: new Uint32Array(0), key: '' };
  known.set(table, about);
  const key = JSON.stringify([query.sort, query.descending, query.filter]);
  if (about.key !== key) {
    about.order = orderOf(trace, table, query);
    about.key = key;
  }
  return about;
}

function usedCounters(table: CounterTable): number[] {
  return [...table.counters.keys()].filter((counter) => {
    for (let record = 0; record < table.length; record++) {
      const value = table.value(record, counter);
      if (value !== 0 && !isUnmeasured(value) && !Number.isNaN(value)) return true;
    }
    return false;
  });
}

function orderOf(trace: Trace, table: CounterTable, { sort, descending, filter }: TableQuery): Uint32Array {
  const keep = recordFilter(trace, table, filter);
  const records = Uint32Array.from(Array(table.length).keys()).filter(keep);
  const compare = comparison(trace, table, sort);
  const sign = descending ? -1 : 1;
  return records.sort((a, b) => sign * compare(a, b) || a - b);
}

function recordFilter(trace: Trace, table: CounterTable, filter: string): (record: number) => boolean {
  const { words, columns } = parseFilter(filter);
  const module = columns.get('module');
  if (module !== undefined && !table.module.toLowerCase().includes(module)) return () => false;
  const rank = columns.get('rank');
  const wantedRank = rank === undefined || rank === '' ? undefined : rank === 'shared' ? -1 : Number(rank);
  const matches = new Map<number, boolean>();
  return (record) => {
    if (wantedRank !== undefined && table.rank(record) !== wantedRank) return false;
    const file = table.file(record);
    let match = matches.get(file);
    if (match === undefined) {
      const path = pathOf(trace, file).toLowerCase();
      match = words.every((word) => path.includes(word));
      matches.set(file, match);
    }
    return match;
  };
}

function comparison(trace: Trace, table: CounterTable, sort: string): (a: number, b: number) => number {
  if (sort === 'rank') return (a, b) => table.rank(a) - table.rank(b);
  if (sort === 'file') {
    const path = (record: number): string => pathOf(trace, table.file(record));
    return (a, b) => compareText(path(a), path(b)) || table.rank(a) - table.rank(b);
  }
  const counter = table.find(sort);
  if (counter === undefined) throw new RangeError(`the module ${table.module} has no counter ${sort}`);
  const value = (record: number): number => {
    const found = table.value(record, counter);
    return Number.isNaN(found) ? -Infinity : found;
  };
  return (a, b) => {
    const [first, second] = [value(a), value(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
