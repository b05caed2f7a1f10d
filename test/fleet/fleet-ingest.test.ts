import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tableViews } from '../../src/fleet/query/table-views.ts';
import { TABLE_NAMES } from '../../src/fleet/schema/tables.ts';
import { readManifests } from '../../src/fleet/store/read-manifests.ts';
import { DuckDbEngine } from '../../src/session/fleet/duckdb-engine.ts';
import type { IngestReport } from '../../src/session/fleet/ingest/ingest-report.ts';
import { LocalStore } from '../../src/session/fleet/local-store.ts';
import { copyLogs } from '../support/copied-logs.ts';
import { Words, writeLog } from '../support/darshan/darshan-writer.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { rounds } from '../support/rounds.ts';

/** The built command: kills hit the real process with its threads. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const stacks = path.resolve(import.meta.dirname, '../data/darshan-stack');
const sample = path.join(stacks, 'badmpi_4ranks_small.darshan');
const COPIES = 100;
const KILLS = rounds(60);

let folder = '';
let logs = '';
/** Rows of the copies, taken in without disturbance. */
let undisturbed: Awaited<ReturnType<typeof rowsOf>>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "iolens it's fleet "));
  logs = path.join(folder, 'logs');
  await copyLogs([plain()], logs, COPIES, { later: 1200 });
  expect(ingest(['logs'], 'undisturbed')).toMatchObject({ found: COPIES, stored: COPIES, unreadable: 0 });
  undisturbed = await rowsOf('undisturbed');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A log of counters alone: what is tried here is not the reading. */
function plain(): string {
  const records = new Words()
    .int(0x11, -1)
    .int(...Array<number>(69).fill(3))
    .float(...Array<number>(17).fill(0.5));
  const log = writeLog({
    names: [[0x11n, '/scratch/a']],
    modules: [{ slot: 1, version: 4, streams: [records.bytes] }],
  });
  const file = path.join(folder, 'plain.darshan');
  writeFileSync(file, log);
  return file;
}

function command(sources: readonly string[], store: string, options: readonly string[]): string[] {
  return [cli, 'fleet', 'ingest', ...sources, '--store', store, '--json', '--workers', '2', ...options];
}

function run(args: readonly string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

function ingest(sources: readonly string[], store: string, options: readonly string[] = []): IngestReport {
  const { status, out, err } = run(command(sources, store, options));
  expect(err).toBe('');
  expect(status).toBe(0);
  return JSON.parse(out) as IngestReport;
}

/** All rows of all tables as the engine answers them, in an order of their own. */
async function rowsOf(store: string): Promise<Record<string, string[]>> {
  const local = new LocalStore(path.join(folder, store));
  const engine = await DuckDbEngine.open(
    local.folder,
    tableViews(await readManifests(local), (part) => local.location(part)),
  );
  const rows: Record<string, string[]> = {};
  for (const table of TABLE_NAMES)
    rows[table] = (await engine.query(`SELECT * FROM ${table}`)).rows.map((row) => JSON.stringify(row)).sort();
  engine.close();
  return rows;
}

/** How many files a store has by now. */
function filesOf(store: string): number {
  const places = ['parts', 'manifest'].map((name) => path.join(folder, store, name));
  return places.reduce(
    (sum, place) => sum + (existsSync(place) ? readdirSync(place, { recursive: true }).length : 0),
    0,
  );
}

/**
 * Starts an ingestion that adds some logs at a time, and kills it so many milliseconds after it began to write.
 * @returns true when it ended before.
 */
function killed(store: string, afterMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const args = command(['logs'], store, ['--batch-logs', '4']);
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
    const before = filesOf(store);
    const kill = (): void => void setTimeout(() => child.kill('SIGKILL'), afterMs);
    const watch = setInterval(() => {
      if (filesOf(store) === before) return;
      clearInterval(watch);
      kill();
    }, 2);
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      if (code === 0 || signal === 'SIGKILL') resolve(code === 0);
      else reject(new Error(`ended by itself with ${code ?? signal}`));
    });
  });
}

describe('an ingestion', () => {
  test('has the rows of each log, under the number of its job', () => {
    expect(undisturbed['job']).toHaveLength(COPIES);
    expect(new Set(undisturbed['job']!.map((row) => (JSON.parse(row) as unknown[])[1])).size).toBe(COPIES);
  });

  test(`killed at ${KILLS} random moments and finished has lost and doubled nothing`, async () => {
    const random = randomNumbers(7);
    let kills = 0;
    // Two stores at a time; one that is finished too soon gives way to another.
    const killedOften = async (name: string): Promise<void> => {
      for (let number = 1; kills < KILLS; number++) {
        const store = `${name} ${number}`;
        for (let isFinished = false; !isFinished && kills < KILLS;) {
          kills++;
          isFinished = await killed(store, random(30));
          if (isFinished) kills--;
        }
        ingest(['logs'], store);
        expect(await rowsOf(store)).toEqual(undisturbed);
        expect(ingest(['logs'], store)).toMatchObject({ unchanged: COPIES, stored: 0, known: 0 });
      }
    };
    await Promise.all([killedOften('killed'), killedOften('killed, too')]);
    expect(kills).toBe(KILLS);
  });

  test('by two processes at once counts each log once, also after a compaction', async () => {
    const both = await Promise.all([killed('both', 600_000), killed('both', 600_000)]);
    expect(both).toEqual([true, true]);
    expect(await rowsOf('both')).toEqual(undisturbed);
    const { status, out } = run([cli, 'fleet', 'compact', '--store', 'both']);
    expect([status, out]).toEqual([0, expect.stringMatching(/^\d+ files of \d+ batches .* of 1 /)]);
    expect(await rowsOf('both')).toEqual(undisturbed);
    expect(ingest(['logs'], 'both')).toMatchObject({ unchanged: COPIES, stored: 0 });
  });

  test('that the user interrupts keeps what it read, and says so', async () => {
    const child = spawn(process.execPath, command(['logs'], 'interrupted', ['--batch-logs', '4']), { cwd: folder });
    let out = '';
    child.stdout.on('data', (text: Buffer) => (out += text.toString()));
    const ended = new Promise((resolve) => child.on('close', resolve));
    await vi.waitUntil(() => filesOf('interrupted') > 0, { timeout: 60_000, interval: 2 });
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const { stored } = JSON.parse(out) as IngestReport;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(COPIES);
    expect((await rowsOf('interrupted'))['job']).toHaveLength(stored);
    ingest(['logs'], 'interrupted');
    expect(await rowsOf('interrupted')).toEqual(undisturbed);
  });

  test('takes a content once, whatever its names', () => {
    mkdirSync(path.join(folder, 'names'));
    copyFileSync(sample, path.join(folder, 'names/a.darshan'));
    copyFileSync(sample, path.join(folder, 'names/b.darshan'));
    expect(ingest(['names'], 'named')).toMatchObject({ found: 2, stored: 1, known: 1 });
    copyFileSync(sample, path.join(folder, 'names/c.darshan'));
    expect(ingest(['names'], 'named')).toMatchObject({ found: 3, unchanged: 2, stored: 0, known: 1 });
  });

  test('whose manifest is lost is told, by each question and by info, until its logs are taken in again', () => {
    mkdirSync(path.join(folder, 'lost'));
    copyFileSync(sample, path.join(folder, 'lost/a.darshan'));
    ingest(['lost'], 'without');
    const store = ['--store', 'without'];
    const asked = [
      [cli, 'fleet', 'info', ...store],
      [cli, 'fleet', 'query', 'SELECT count(*) FROM job', ...store],
    ];
    for (const words of asked) expect(run(words).err).toBe('');
    const [manifest] = readdirSync(path.join(folder, 'without/manifest'));
    rmSync(path.join(folder, 'without/manifest', manifest!));
    for (const words of asked) {
      const { err, status } = run(words);
      expect(status).toBe(0);
      expect(err).toContain(`do not count, for manifest/${manifest!} is missing`);
      expect(err.replaceAll('\n', ' ')).toContain('iolens fleet ingest takes their logs in again');
    }
    expect(ingest(['lost'], 'without')).toMatchObject({ found: 1, stored: 1 });
    expect(run(asked[1]!).out).toContain('1');
  });

  test('lists what cannot be read, and goes on', async () => {
    const bad = path.join(folder, 'bad');
    mkdirSync(bad);
    const whole = readFileSync(sample);
    writeFileSync(path.join(bad, 'empty.darshan'), '');
    writeFileSync(path.join(bad, 'head.darshan'), whole.subarray(0, 200));
    writeFileSync(path.join(bad, 'cut.darshan'), whole.subarray(0, whole.length - 300));
    writeFileSync(path.join(bad, 'notes.md'), '# Notes\n');
    writeFileSync(path.join(bad, 'data.bin'), new Uint8Array(100_000));
    // A header that promises more than any disk holds.
    const huge = Buffer.from(whole);
    huge.writeBigUInt64LE(2n ** 60n, 40);
    writeFileSync(path.join(bad, 'huge-length.darshan'), huge);
    // A file as long as a disk, of nothing.
    writeFileSync(path.join(bad, 'hole.darshan'), whole.subarray(0, 64));
    truncateSync(path.join(bad, 'hole.darshan'), 2 ** 28);
    symlinkSync('nowhere', path.join(bad, 'dangling.darshan'));
    symlinkSync('..', path.join(bad, 'around'));
    copyFileSync(sample, path.join(bad, 'sound.darshan'));
    const report = ingest(['bad'], 'listed');
    expect(report).toMatchObject({ found: 9, stored: 1, damaged: 3, unreadable: 3, others: 2 });
    const listed = run([cli, 'fleet', 'logs', '--store', 'listed', '--json']);
    const { logs: entries } = JSON.parse(listed.out) as { logs: { path: string; status: string; message?: string }[] };
    const found = Object.fromEntries(entries.map((entry) => [path.basename(entry.path), entry]));
    expect(found['empty.darshan']).toMatchObject({ status: 'unreadable' });
    expect(found['empty.darshan']!.message).toContain('is empty');
    expect(found['head.darshan']).toMatchObject({ status: 'unreadable' });
    expect(found['head.darshan']!.message).toContain('cut off');
    expect(found['hole.darshan']).toMatchObject({ status: 'damaged' });
    expect(found['cut.darshan']).toMatchObject({ status: 'damaged' });
    expect(found['huge-length.darshan']).toMatchObject({ status: 'damaged' });
    expect(found['dangling.darshan']).toMatchObject({ status: 'unreadable' });
    expect(found['notes.md']).toMatchObject({ status: 'other' });
    expect((await rowsOf('listed'))['job']).toHaveLength(4);
    // Only what could not even be opened is looked at again.
    expect(ingest(['bad'], 'listed')).toMatchObject({ unchanged: 8, unreadable: 1 });
  });

  test('refuses what is no store, and folders that are not there', () => {
    mkdirSync(path.join(folder, 'taken'));
    writeFileSync(path.join(folder, 'taken/file'), 'x');
    expect(run(command(['logs'], 'taken', [])).err).toContain('not a store, and not empty');
    expect(run(command(['nothing'], 'new', []))).toMatchObject({ status: 2 });
    expect(run([cli, 'fleet', 'info', '--store', 'logs']).err).toContain('this is not a store');
  });

  test('on a full disk says so, and leaves a sound store', async () => {
    // What the shell allows a file: a part does not fit.
    const script = 'trap "" XFSZ; ulimit -f 8; exec "$@"';
    const args = ['-c', script, 'sh', process.execPath, ...command(['logs'], 'full', [])];
    const { status, stderr } = spawnSync('sh', args, { cwd: folder, encoding: 'utf8' });
    expect(stderr).toMatch(/the store cannot be written: .*EFBIG/);
    expect(status).toBe(3);
    expect((await rowsOf('full'))['job']).toHaveLength(0);
    const left = readdirSync(path.join(folder, 'full'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => /\.(parquet|tmp)/.test(name))).toEqual([]);
    ingest(['logs'], 'full');
    expect(await rowsOf('full')).toEqual(undisturbed);
  });
});
