import { getOrCreate } from '../../base/grouping.ts';
import { messageOf } from '../../base/error-message.ts';
import { TABLE_NAMES, TABLES, type Row, type StoreRows, type TableName } from '../schema/tables.ts';
import type { TableDefinition } from '../schema/table.ts';
import {
  MANIFEST_FOLDER,
  PART_FOLDER,
  type BatchManifest,
  type LogEntry,
  type PartEntry,
  type StoreFiles,
} from './manifest.ts';
import { parquetPart } from './parquet-part.ts';

/** The month of rows whose instant is not known, or is none that a calendar has. */
const UNKNOWN_MONTH = 'unknown';
/** Seconds since 1970 of the year 10000. */
const END_OF_CALENDAR = 253_402_300_800;

/** Gathers what becomes of sources and their rows, and adds all of it to a store at once. */
export class Batch {
  readonly logs: LogEntry[] = [];
  /** Rows of all tables. */
  rows = 0;
  private readonly tables = new Map<TableName, Map<string, object[]>>();

  constructor(private readonly files: StoreFiles) {}

  add(entry: LogEntry, rows: StoreRows = {}): void {
    this.logs.push(entry);
    for (const table of TABLE_NAMES) {
      const { monthOf }: TableDefinition = TABLES[table];
      let last: { instant: number | null; rows: object[] } | undefined;
      for (const row of rows[table] ?? []) {
        const instant = (row as Readonly<Record<string, unknown>>)[monthOf] as number | null;
        if (last?.instant !== instant) last = { instant, rows: this.rowsOf(table, monthText(instant)) };
        last.rows.push(row);
        this.rows++;
      }
    }
  }

  /**
   * Writes the parts, then the manifest that makes them count.
   * @returns undefined when there was nothing to add.
   * @throws Error in words for the user when the store cannot be written; what was written is taken away, if possible.
   */
  async commit(): Promise<BatchManifest | undefined> {
    if (this.logs.length === 0) return undefined;
    const id = batchId(new Date());
    const parts: PartEntry[] = [];
    try {
      // A write waits for the disk: while it does, the next parts are made.
      const writes: Promise<void>[] = [];
      for (const [table, months] of this.tables) {
        for (const [month, rows] of months) {
          const path = partPath(table, month, id);
          const bytes = await parquetPart(table, rows as Row<typeof table>[]);
          parts.push({ table, path, month, rows: rows.length, bytes: bytes.length });
          const write = this.files.write(path, bytes);
          write.catch(() => undefined); // Told below, when all are done.
          writes.push(write);
        }
      }
      await allDone(writes);
      const manifest: BatchManifest = { schema: 'iolens/store-batch@1', id, parts, logs: this.logs };
      await writeManifest(this.files, manifest);
      return manifest;
    } catch (error) {
      for (const { path } of parts) await this.files.remove(path).catch(() => undefined);
      throw new Error(`the store cannot be written: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  private rowsOf(table: TableName, month: string): object[] {
    const months = getOrCreate(this.tables, table, () => new Map<string, object[]>());
    const rows = getOrCreate(months, month, () => []);
    return rows;
  }
}

/** Waits for all of them, also when one fails: none may go on behind the back of who takes away what was written. */
async function allDone(writes: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(writes)) if (result.status === 'rejected') throw result.reason;
}

export function writeManifest(files: StoreFiles, manifest: BatchManifest): Promise<void> {
  return files.write(`${MANIFEST_FOLDER}/${manifest.id}.json`, new TextEncoder().encode(JSON.stringify(manifest)));
}

/** Where a part of a table stands in the store. */
export function partPath(table: TableName, month: string, id: string): string {
  return `${PART_FOLDER}/${table}/month=${month}/${id}.parquet`;
}

/** Month (UTC) of an instant in seconds since 1970: `2018-01`. */
function monthText(instant: number | null): string {
  if (instant === null || !(instant >= 0 && instant < END_OF_CALENDAR)) return UNKNOWN_MONTH;
  return new Date(instant * 1000).toISOString().slice(0, 7);
}

/** Digits at random behind the time: batches of the same millisecond on many machines. */
const RANDOM_DIGITS = 12;

/** A name that no other batch has; names sort by time. */
export function batchId(now: Date): string {
  const time = now.toISOString().replace(/[-:.]/g, '').replace('Z', '');
  const random = crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS / 2));
  return `${time}-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** When a batch was made, by its id or a file name that begins with it; undefined for other names. */
export function batchTime(name: string): Date | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})-[0-9a-f]{12}\./.exec(name);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, millisecond] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
}
