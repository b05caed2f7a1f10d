import { TABLE_NAMES, type TableName } from '../schema/tables.ts';
import type { StoreContents } from './read-manifests.ts';
import { LOG_STATUSES, statusOf, storeLogs, type LogStatus } from './store-logs.ts';

/** What the manifests say of a store, without opening its tables. */
export interface StoreFigures {
  readonly batches: number;
  readonly logs: Readonly<Record<LogStatus, number>>;
  /** Logs with rows, by format, the most frequent first. */
  readonly formats: readonly { readonly format: string; readonly logs: number }[];
  /** Rows include those that are left out because an earlier batch has them too. */
  readonly tables: readonly {
    readonly table: TableName;
    readonly parts: number;
    readonly rows: number;
    readonly bytes: number;
  }[];
  /** First and last month with rows; null when no row has one. */
  readonly firstMonth: string | null;
  readonly lastMonth: string | null;
  /** Logs that two batches took in at the same time: their rows count once. */
  readonly repeatedLogs: number;
}

export function storeFigures(contents: StoreContents): StoreFigures {
  const logs = Object.fromEntries(LOG_STATUSES.map((status) => [status, 0])) as Record<LogStatus, number>;
  const formats = new Map<string, number>();
  for (const entry of storeLogs(contents)) {
    const status = statusOf(entry);
    logs[status]++;
    if (status === 'stored' || status === 'damaged') formats.set(entry.format, (formats.get(entry.format) ?? 0) + 1);
  }
  const months = contents.parts.map(({ month }) => month).filter((month) => /^\d{4}-\d\d$/.test(month));
  months.sort();
  return {
    batches: contents.batches.length,
    logs,
    formats: [...formats].map(([format, count]) => ({ format, logs: count })).sort((a, b) => b.logs - a.logs),
    tables: TABLE_NAMES.map((table) => {
      const own = contents.parts.filter((part) => part.table === table);
      const sum = (of: (part: (typeof own)[number]) => number): number =>
        own.reduce((total, part) => total + of(part), 0);
      return { table, parts: own.length, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
    }),
    firstMonth: months[0] ?? null,
    lastMonth: months.at(-1) ?? null,
    repeatedLogs: new Set(contents.repeated.map(({ log }) => log)).size,
  };
}
