import { allGroups, smallGroups } from '../../../fleet/store/compaction-plan.ts';
import { batchId, partPath, writeManifest } from '../../../fleet/store/batch.ts';
import type { BatchManifest, LogEntry, PartEntry } from '../../../fleet/store/manifest.ts';
import { PartWriter } from '../../../fleet/store/parquet-part.ts';
import { manifestNames, readManifests, repeatedLogs, type StoreContents } from '../../../fleet/store/read-manifests.ts';
import { removeReplaced } from '../../../fleet/store/replaced.ts';
import { tableQuery } from '../../../fleet/query/table-views.ts';
import { TABLES, type Row, type TableName } from '../../../fleet/schema/tables.ts';
import type { TableDefinition } from '../../../fleet/schema/table.ts';
import { sqlName } from '../../../fleet/query/sql-text.ts';
import { wrongParts } from '../check-parts.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';
import type { LocalStore } from '../local-store.ts';
import { claimCompaction } from './compaction-claim.ts';

/** Rows of one part; it is written in row groups, and stands packed in memory until it is complete. */
const ROWS_OF_PART = 2_000_000;
/** Rows of a row group. */
const ROWS_OF_GROUP = 50_000;
/** Memory of the engine that sorts: what is beyond goes to its temporary files. */
const ENGINE_SETTINGS = ["SET memory_limit = '512MB'", 'SET threads = 2'];
/** Parts that are older and that no manifest names yet might be swept: a machine that slept has to begin again. */
const MOST_MERGE_MS = 12 * 3600 * 1000;

export interface CompactionReport {
  readonly batchesBefore: number;
  readonly batchesAfter: number;
  readonly partsBefore: number;
  readonly partsAfter: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

interface CompactionHooks {
  /** Share of the work, 0 to 1. */
  readonly progress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Merges the small parts of each month: one part a table for up to 100,000 logs, ordered by job and log. What was merged
 * counts from the moment when the new manifest has its name; only then the old files go. Ingestions and questions may go
 * on meanwhile; a question that is under way when its files go fails, and is to be asked again.
 * @throws Error in words for the user: no SQL engine, or the store cannot be written.
 */
export async function compactStore(store: LocalStore, hooks: CompactionHooks = {}): Promise<CompactionReport> {
  const claim = await claimCompaction(store);
  try {
    const before = await readManifests(store);
    await mergeAll(store, allGroups(before), before, hooks);
    await removeReplaced(store);
    return await reportOf(store, before);
  } finally {
    await claim?.release();
  }
}

/**
 * The same when a store has more parts than twice its months and tables, for as many batches as are worth it
 * (`smallGroups`). Replaced files stay for a day, so that no question fails; the ingestion that finds them then takes them away.
 * @returns undefined when there is nothing to do, or another process is at it.
 * @throws EngineMissingError, or Error in words for the user: the store cannot be written.
 */
export async function compactCrowdedStore(
  store: LocalStore,
  hooks: CompactionHooks = {},
): Promise<CompactionReport | undefined> {
  if (smallGroups(await readManifests(store)).length === 0) return undefined;
  const claim = await claimCompaction(store);
  if (claim === undefined) return undefined;
  try {
    // The one that had the claim before may have done it.
    const before = await readManifests(store);
    const groups = smallGroups(before);
    if (groups.length === 0) return undefined;
    await mergeAll(store, groups, before, hooks);
    return await reportOf(store, before);
  } finally {
    await claim.release();
  }
}

async function mergeAll(
  store: LocalStore,
  groups: readonly (readonly BatchManifest[])[],
  before: StoreContents,
  { progress, signal }: CompactionHooks,
): Promise<void> {
  const engine = groups.length === 0 ? undefined : await DuckDbEngine.open(store.folder, ENGINE_SETTINGS);
  try {
    for (const [index, batches] of groups.entries()) {
      signal?.throwIfAborted();
      progress?.(index / groups.length);
      await merge(store, engine!, batches, signal);
    }
  } catch (error) {
    signal?.throwIfAborted();
    const wrong = await wrongParts(store, before);
    if (wrong !== undefined) throw new Error(wrong, { cause: error });
    throw isOfFiles(error) ? new Error(`${store.folder}: the store cannot be written: ${error.message}`) : error;
  } finally {
    engine?.close();
  }
}

async function reportOf(store: LocalStore, before: StoreContents): Promise<CompactionReport> {
  const after = await readManifests(store);
  const bytes = ({ parts }: StoreContents): number => parts.reduce((sum, part) => sum + part.bytes, 0);
  return {
    batchesBefore: before.batches.length,
    batchesAfter: after.batches.length,
    partsBefore: before.parts.length,
    partsAfter: after.parts.length,
    bytesBefore: bytes(before),
    bytesAfter: bytes(after),
  };
}

function isOfFiles(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

async function merge(
  store: LocalStore,
  engine: DuckDbEngine,
  batches: readonly BatchManifest[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const begun = new Date();
  const id = batchId(begun);
  // Only what both copies of are merged here goes: another process may be about to drop the other one.
  const repeated = repeatedLogs(batches);
  const byPlace = new Map<string, PartEntry[]>();
  for (const part of batches.flatMap(({ parts }) => parts)) {
    const place = `${part.table} ${part.month}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), part]);
  }
  const written: PartEntry[] = [];
  try {
    for (const parts of byPlace.values()) {
      const pieces = engine.stream(mergedRows(store, parts, repeated), { ...(signal && { signal }) });
      written.push(...(await mergeParts(store, id, parts[0]!, pieces)));
    }
    if (Date.now() - begun.getTime() > MOST_MERGE_MS)
      throw new Error('merging took so long that it has to begin again');
    await writeManifest(store, {
      schema: 'iolens/store-batch@1',
      id,
      parts: written,
      logs: mergedLogs(batches, repeated),
      replaces: await allReplaced(store, batches),
    });
  } catch (error) {
    for (const { path } of written) await store.remove(path).catch(() => undefined);
    throw error;
  }
}

/** Rows that an earlier one of the batches has too are not written again: their logs are known ones from now on. */
function mergedLogs(batches: readonly BatchManifest[], repeated: StoreContents['repeated']): LogEntry[] {
  const elsewhere = new Map<string, Set<string>>();
  for (const { path, log } of repeated) elsewhere.set(path, (elsewhere.get(path) ?? new Set()).add(log));
  return batches.flatMap(({ logs, parts }) => {
    const left = parts.map(({ path }) => elsewhere.get(path)).find((some) => some !== undefined);
    return logs.map((entry) =>
      entry.log !== null && left?.has(entry.log) ? { ...entry, status: 'known' as const } : entry,
    );
  });
}

/** These batches and what they replaced themselves, as far as its manifests are still there. */
async function allReplaced(store: LocalStore, batches: readonly BatchManifest[]): Promise<string[]> {
  const names = new Set(await manifestNames(store));
  const ids = batches.flatMap(({ id, replaces = [] }) => [id, ...replaces]);
  return [...new Set(ids)].filter((id) => names.has(`${id}.json`));
}

/** The SQL for all rows of parts, which are of one table and month. */
function mergedRows(store: LocalStore, parts: readonly PartEntry[], repeated: StoreContents['repeated']): string {
  const { table } = parts[0]!;
  const source = tableQuery(table, { parts, repeated }, (within) => store.location(within));
  const { columns }: TableDefinition = TABLES[table];
  const selected = Object.entries(columns).map(([name, { type }]) =>
    type === 'instant' ? `epoch_us(${sqlName(name)}) / 1e6 AS ${sqlName(name)}` : sqlName(name),
  );
  const order = 'job_id' in columns ? 'job_id, log' : 'log';
  return `SELECT ${selected.join(', ')} FROM (${source}) ORDER BY ${order}`;
}

async function mergeParts(
  store: LocalStore,
  id: string,
  { table, month }: PartEntry,
  pieces: ReturnType<DuckDbEngine['stream']>,
): Promise<PartEntry[]> {
  const written: PartEntry[] = [];
  const merged = new MergedParts(store, table, month, id, written);
  for await (const { columns: names, rows } of pieces) {
    for (const row of rows)
      await merged.add(Object.fromEntries(names.map(({ name }, i) => [name, row[i]])) as Row<typeof table>);
  }
  await merged.finish();
  return written;
}

/** Parts of a month that are written one after the other. */
class MergedParts<Name extends TableName> {
  private writer: PartWriter<Row<Name>>;
  private rows: Row<Name>[] = [];
  private count = 0;

  constructor(
    private readonly store: LocalStore,
    private readonly table: Name,
    private readonly month: string,
    private readonly id: string,
    private readonly written: PartEntry[],
  ) {
    this.writer = new PartWriter(table, TABLES[table].columns);
  }

  async add(row: Row<Name>): Promise<void> {
    this.rows.push(row);
    if (this.rows.length === ROWS_OF_GROUP) await this.writeGroup();
    if (this.count >= ROWS_OF_PART) await this.writePart();
  }

  async finish(): Promise<void> {
    await this.writeGroup();
    await this.writePart();
  }

  private async writeGroup(): Promise<void> {
    if (this.rows.length === 0) return;
    await this.writer.write(this.rows);
    this.count += this.rows.length;
    this.rows = [];
  }

  private async writePart(): Promise<void> {
    if (this.count === 0) return;
    const { table, month, written } = this;
    const path = partPath(table, month, written.length === 0 ? this.id : `${this.id}.${written.length}`);
    const bytes = await this.writer.finish();
    await this.store.write(path, bytes);
    written.push({ table, path, month, rows: this.count, bytes: bytes.length });
    this.writer = new PartWriter(table, TABLES[table].columns);
    this.count = 0;
  }
}
