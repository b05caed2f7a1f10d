/** Compactions of a store beside each other, beside ingestions and beside questions: by the built command, as processes. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tableViews } from '../../src/fleet/query/table-views.ts';
import { TABLE_NAMES } from '../../src/fleet/schema/tables.ts';
import { readManifests } from '../../src/fleet/store/read-manifests.ts';
import { sweepStore, unnamedBatches } from '../../src/fleet/store/sweep.ts';
import { DuckDbEngine } from '../../src/session/fleet/duckdb-engine.ts';
import { compactStore } from '../../src/session/fleet/ingest/compact-store.ts';
import { LocalStore } from '../../src/session/fleet/local-store.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { copyLogs } from '../support/copied-logs.ts';
import { Words, writeLog } from '../support/darshan/darshan-writer.ts';
import { rounds } from '../support/rounds.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const run = promisify(execFile);
/** Two months. */
const COPIES = 40;
const DAY_MS = 24 * 3600 * 1000;

let folder = '';
let undisturbed: Awaited<ReturnType<typeof rowsOf>>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "iolens it's compacted "));
  const records = new Words()
    .int(0x11, -1)
    .int(...Array<number>(69).fill(3))
    .float(...Array<number>(17).fill(0.5));
  const modules = [{ slot: 1, version: 4, streams: [records.bytes] }];
  writeFileSync(path.join(folder, 'plain.darshan'), writeLog({ names: [[0x11n, '/scratch/a']], modules }));
  await copyLogs([path.join(folder, 'plain.darshan')], path.join(folder, 'logs'), COPIES, { later: 86_400 });
  await ingest('undisturbed', '--no-compact');
  undisturbed = await rowsOf('undisturbed');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function fleet(...words: string[]): Promise<{ stdout: string; stderr: string }> {
  return run(process.execPath, [cli, 'fleet', ...words], { cwd: folder });
}

function ingest(store: string, ...options: string[]): Promise<{ stdout: string; stderr: string }> {
  return fleet('ingest', 'logs', '--store', store, '--workers', '2', ...options);
}

const at = (store: string): LocalStore => new LocalStore(path.join(folder, store));

/** All rows of all tables, in an order of their own. */
async function rowsOf(store: string): Promise<Record<string, string[]>> {
  const local = at(store);
  const views = tableViews(await readManifests(local), (part) => local.location(part));
  const engine = await DuckDbEngine.open(local.folder, views);
  const rows: Record<string, string[]> = {};
  for (const table of TABLE_NAMES)
    rows[table] = (await engine.query(`SELECT * FROM ${table}`)).rows.map((row) => JSON.stringify(row)).sort();
  engine.close();
  return rows;
}

const partsOf = async (store: string): Promise<number> => (await readManifests(at(store))).parts.length;
const filesOf = (store: string): number =>
  readdirSync(path.join(folder, store, 'parts'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.parquet'),
  ).length;

test('a store of many small batches compacts itself, and what it replaced stays for a day', async () => {
  await ingest('small', '--batch-logs', '1', '--no-compact');
  const before = await partsOf('small');
  expect(before).toBeGreaterThan(2 * COPIES);
  const opened = await OpenedStore.open(path.join(folder, 'small'));
  const { stdout, stderr } = await ingest('small', '--batch-logs', '1');
  expect(stderr).toBe('');
  expect(stdout).toContain(`Small files were merged: ${before} files of ${COPIES} batches`);
  // A question that began before still finds its files.
  expect((await opened.query('SELECT count(*) FROM file')).rows).toEqual([[COPIES]]);
  await opened.refresh();
  expect((await opened.query('SELECT count(*) FROM file')).rows).toEqual([[COPIES]]);
  opened.close();
  const after = await partsOf('small');
  expect(after).toBeLessThanOrEqual(before / 10);
  expect(await rowsOf('small')).toEqual(undisturbed);
  const { stdout: again } = await ingest('small', '--json');
  expect(JSON.parse(again)).toMatchObject({ unchanged: COPIES, stored: 0, compaction: null });
  expect(filesOf('small')).toBe(before + after);
  await sweepStore(at('small'), new Date(Date.now() + DAY_MS / 2));
  expect(filesOf('small')).toBe(before + after);
  await sweepStore(at('small'), new Date(Date.now() + 2 * DAY_MS));
  expect(filesOf('small')).toBe(after);
  expect(await rowsOf('small')).toEqual(undisturbed);
  expect(existsSync(path.join(folder, 'small/compaction.claim'))).toBe(false);
});

test('nobody who stops it in the middle, and no claim that was given up, is in the way of the next', async () => {
  await ingest('stopped', '--batch-logs', '1', '--no-compact');
  for (let kill = 0; kill < rounds(12); kill++) {
    const child = spawn(process.execPath, [cli, 'fleet', 'ingest', 'logs', '--store', 'stopped'], { cwd: folder });
    setTimeout(() => child.kill('SIGKILL'), 300 + 60 * kill);
    await new Promise((resolve) => child.on('exit', resolve));
    expect(await rowsOf('stopped')).toEqual(undisturbed);
  }
  writeFileSync(path.join(folder, 'stopped/compaction.claim'), new Date().toISOString());
  if ((await readManifests(at('stopped'))).batches.length > 2)
    expect((await ingest('stopped')).stdout).not.toContain('Small files');
  writeFileSync(path.join(folder, 'stopped/compaction.claim'), new Date(Date.now() - 3_600_000).toISOString());
  await ingest('stopped');
  expect((await readManifests(at('stopped'))).batches.length).toBe(1);
  expect(await rowsOf('stopped')).toEqual(undisturbed);
});

test('ingestions, compactions and questions at once lose nothing and double nothing', async () => {
  const tried = async (words: string[]): Promise<void> => {
    // Whoever loses a file that another has just merged says so, and no more.
    await fleet(...words, '--store', 'busy').catch((error: unknown) =>
      expect((error as { stderr: string }).stderr).toMatch(/is missing|No such file|no such file|this is not a store/),
    );
  };
  const often = async (times: number, words: string[]): Promise<void> => {
    for (let i = 0; i < times; i++) await tried(words);
  };
  for (let round = 0; round < rounds(3); round++) {
    const taking = [1, 2, 3].map(() => ingest('busy', '--batch-logs', '1'));
    await Promise.all([...taking, often(4, ['compact']), often(4, ['compact']), often(3, ['info'])]);
    expect(await rowsOf('busy')).toEqual(undisturbed);
    await fleet('compact', '--store', 'busy');
    expect(await rowsOf('busy')).toEqual(undisturbed);
    const contents = await readManifests(at('busy'));
    expect([contents.batches.length, contents.repeated]).toEqual([1, []]);
    rmSync(path.join(folder, 'busy'), { recursive: true });
  }
});

test('of two copies none goes unless the other is written in the same moment', async () => {
  await Promise.all([ingest('twice', '--no-compact'), ingest('twice', '--no-compact')]);
  const local = at('twice');
  await Promise.all([compactStore(local), compactStore(local)].map((done) => done.catch(() => undefined)));
  expect(await rowsOf('twice')).toEqual(undisturbed);
  await compactStore(local);
  expect((await readManifests(local)).repeated).toEqual([]);
  expect(await rowsOf('twice')).toEqual(undisturbed);
});

test('a second part of a month belongs to its batch', async () => {
  const store = at('parts');
  await store.write('parts/job/month=2018-01/20180101T000000000-0123456789ab.1.parquet', new Uint8Array(1));
  expect(await unnamedBatches(store)).toEqual(['20180101T000000000-0123456789ab']);
  await store.write('manifest/20180101T000000000-0123456789ab.json', new Uint8Array(1));
  expect(await unnamedBatches(store)).toEqual([]);
});
