import { CounterTable } from '../../src/trace/counters.ts';

/** A record as tests write it down; counters that it does not name are 0. */
export interface TestRecord {
  /** -1, a shared record, by default. */
  readonly rank?: number;
  /** Index of the file, by default the identifier. */
  readonly file?: number;
  readonly id?: number;
  readonly counters: Readonly<Record<string, number>>;
}

/** A table of the counters that its records name and of `more`. */
export function counterTable(
  module: string,
  records: readonly TestRecord[],
  more: readonly string[] = [],
): CounterTable {
  const names = [...new Set([...records.flatMap(({ counters }) => Object.keys(counters)), ...more])];
  const table = new CounterTable(module, 1, names, false);
  for (const { rank = -1, id = 0, file = id, counters } of records) {
    table.add(
      BigInt(id),
      rank,
      file,
      names.map((name) => counters[name] ?? 0),
    );
  }
  table.trim();
  return table;
}
