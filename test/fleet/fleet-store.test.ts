import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableViews } from '../../src/fleet/query/table-views.ts';
import type { Row } from '../../src/fleet/schema/tables.ts';
import { MANIFEST_FOLDER, type BatchManifest, type LogEntry } from '../../src/fleet/store/manifest.ts';
import { parquetPart } from '../../src/fleet/store/parquet-part.ts';
import { readManifests } from '../../src/fleet/store/read-manifests.ts';
import { wrongParts } from '../../src/session/fleet/check-parts.ts';
import { DuckDbEngine } from '../../src/session/fleet/duckdb-engine.ts';
import { LocalStore } from '../../src/session/fleet/local-store.ts';
import { row } from '../support/fleet-rows.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), "it's a store "));
const store = new LocalStore(folder);
let engine: DuckDbEngine;

function load(log: string, target: number, end: number, bytes: number | null): Row<'server_load'> {
  const known = { server: "o'brien", target_kind: 'OST', seconds: 5, cpu_percent: NaN };
  return row('server_load', { log, ...known, target_index: target, end_time: end, bytes_written: bytes });
}

async function batch(id: string, month: string, rows: readonly Row<'server_load'>[], logs: string[]): Promise<void> {
  const part = `parts/server_load/month=${month}/${id}.parquet`;
  const bytes = await parquetPart('server_load', rows);
  await store.write(part, bytes);
  const entry = { path: '/x', bytes: 1, modified: 0, format: 'lmt', status: 'stored' } as const;
  const manifest: BatchManifest = {
    schema: 'iolens/store-batch@1',
    id,
    parts: [{ table: 'server_load', path: part, month, rows: rows.length, bytes: bytes.length }],
    logs: logs.map((log): LogEntry => ({ log, ...entry })),
  };
  await store.write(`${MANIFEST_FOLDER}/${id}.json`, new TextEncoder().encode(JSON.stringify(manifest)));
}

beforeAll(async () => {
  await batch('1', '2018-01', [load('a', 3, 1515000000.25, 2 ** 40), load('a', 4, 1515000005, null)], ['a']);
  await batch('2', '2018-02', [load('a', 3, 1515000000.25, 2 ** 40), load('b', 5, 1517500000, 7)], ['a', 'b']);
  const views = tableViews(await readManifests(store), (part) => store.location(part));
  engine = await DuckDbEngine.open(folder, views);
});
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

describe('a store of Parquet parts', () => {
  test('is read by manifests: what two batches took in counts once', async () => {
    const sql =
      'SELECT log, target_index, end_time, bytes_written, cpu_percent, month FROM server_load ORDER BY end_time';
    const { rows } = await engine.query(sql);
    expect(rows).toEqual([
      ['a', 3, '2018-01-03 17:20:00.25', 2 ** 40, null, '2018-01'],
      ['a', 4, '2018-01-03 17:20:05', null, null, '2018-01'],
      ['b', 5, '2018-02-01 15:46:40', 7, null, '2018-02'],
    ]);
  });

  test('names parts that are missing or cut off, and the manifest that is to go', async () => {
    const contents = await readManifests(store);
    expect(await wrongParts(store, contents)).toBeUndefined();
    const [first, second] = contents.batches;
    const cut = { ...first!, parts: first!.parts.map((part) => ({ ...part, bytes: part.bytes + 1 })) };
    expect(await wrongParts(store, { batches: [cut, second!] })).toMatch(
      /month=2018-01\/1\.parquet has \d+ bytes instead of \d+\. .* remove manifest\/1\.json and run iolens fleet ingest/,
    );
    const gone = { ...second!, parts: second!.parts.map((part) => ({ ...part, path: `${part.path}.gone` })) };
    expect(await wrongParts(store, { batches: [first!, gone] })).toContain('2.parquet.gone is missing. ');
  });

  test('columns that came after a part was written are unknown in it', async () => {
    const older = mkdtempSync(path.join(os.tmpdir(), 'older-store-'));
    const columnData: ColumnSource[] = [
      { name: 'log', data: ['a'], type: 'STRING' },
      { name: 'target_kind', data: ['OST'], type: 'STRING' },
      { name: 'bytes_read', data: [5n], type: 'INT64' },
    ];
    const part = path.join(older, 'parts/server_load/month=2018-01/1.parquet');
    mkdirSync(path.dirname(part), { recursive: true });
    writeFileSync(part, new Uint8Array(parquetWriteBuffer({ columnData })));
    const parts = [
      { table: 'server_load', path: 'parts/server_load/month=2018-01/1.parquet', month: '2018-01', rows: 1, bytes: 1 },
    ] as const;
    const old = await DuckDbEngine.open(
      older,
      tableViews({ batches: [], parts, repeated: [] }, (name) => path.join(older, name)),
    );
    const { rows } = await old.query(
      'SELECT bytes_read, operations, opens, setattrs, bytes_used, month FROM server_load',
    );
    expect(rows).toEqual([[5, null, null, null, null, '2018-01']]);
    old.close();
    rmSync(older, { recursive: true });
  });

  test('has every table, empty ones too', async () => {
    expect((await engine.query('SELECT count(*), sum(bytes_read) FROM job')).rows).toEqual([[0, null]]);
  });

  test('queries take parameters, cut rows, and call functions of the user', async () => {
    await engine.define({
      name: 'half',
      parameters: ['integer', 'integers'],
      returns: 'number',
      call: (value, list) => (value === null ? -1 : Number(value) / (list as number[]).length),
    });
    const sql = 'SELECT half(bytes_written, [1, 2]) FROM server_load WHERE server = $1 ORDER BY target_index';
    const result = await engine.query(sql, { parameters: ["o'brien"], mostRows: 2 });
    expect([result.rows, result.truncated]).toEqual([[[2 ** 39], [-1]], true]);
  });

  test('reach nothing but the store', async () => {
    await expect(engine.query("SELECT * FROM read_csv('/etc/passwd')")).rejects.toThrow(/Permission Error/);
    await expect(engine.query('SET enable_external_access = true')).rejects.toThrow();
    await expect(engine.query('SELECT nothing FROM job')).rejects.toThrow(/nothing/);
    expect(() => store.location('../x')).toThrow(/leads out/);
  });

  test('and only read it', async () => {
    const before = readdirSync(store.folder, { recursive: true });
    const into = (name: string): string => `'${path.join(store.folder, name).replaceAll("'", "''")}'`;
    const copy = `COPY (SELECT 1) TO ${into('own.csv')}`;
    const writing = [
      copy,
      `EXPLAIN ANALYZE ${copy}`,
      `explain (analyze, format json) ${copy}`,
      `-- a comment\nEXPLAIN ANALYZE ${copy}`,
      `SELECT 1; ${copy}; SELECT 2`,
      `CREATE TABLE own AS SELECT 1; ${copy}`,
      `PREPARE own AS ${copy}`,
      `EXPORT DATABASE ${into('exported')}`,
      `EXPLAIN(ANALYZE) ${copy}`,
      `/* /* */ SELECT */ EXPORT DATABASE ${into('exported')}`,
      `ATTACH ${into('own.db')}`,
      'CREATE OR REPLACE VIEW job AS SELECT 1',
      "CREATE OR REPLACE VIEW job AS SELECT 1; PIVOT (SELECT 'a' AS b) ON b USING count(*)",
      'DROP VIEW job',
      'CHECKPOINT',
    ];
    for (const sql of writing)
      await expect(engine.query(sql), sql).rejects.toThrow(/Queries only read: |One query is answered at a time/);
    expect(readdirSync(store.folder, { recursive: true })).toEqual(before);
    const reading = [
      'FROM job',
      'DESCRIBE job;',
      'EXPLAIN SELECT * FROM job',
      'EXPLAIN ANALYZE SELECT * FROM job',
      "PIVOT (SELECT 'a' AS b, 1 AS c) ON b USING sum(c)",
      'WITH own AS (SELECT 1) SELECT * FROM own; -- done',
      'SHOW TABLES',
    ];
    for (const sql of reading) await expect(engine.query(sql), sql).resolves.toBeDefined();
    await expect(engine.query('-- nothing')).rejects.toThrow('The query is empty.');
  });
});
