import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument, SitesDocument } from '../../src/export/analysis/documents.ts';
import { RECORDED_TABLE_NAMES, RECORDED_TABLES } from '../../src/export/tables/recorded-tables.ts';
import { Words, writeLog } from '../support/darshan/darshan-writer.ts';
import { StraceText } from '../support/strace-text.ts';

/** `iolens query`, as a user runs it. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const heat = path.resolve(import.meta.dirname, '../../demo/heat/heat.strace.gz');
const map = `/home/hpc/heat=${path.dirname(heat)}`;
const ranks = path.resolve(import.meta.dirname, '../data/darshan-stack/badmpi_4ranks.darshan');
const archive = path.resolve(import.meta.dirname, '../data/otf2/collective_write_agg');

/** OPENS FDOPENS READS WRITES SEEKS FLUSHES BYTES_WRITTEN BYTES_READ, and six of which nothing is asked. */
const STDIO = [1, 0, 0, 4, 0, 0, 4096, 0, 0, 4095, 0, 0, 0, 0];

type Row = Readonly<Record<string, string | number | null | readonly number[]>>;

let folder = '';
let temporary = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-asked-'));
  temporary = mkdtempSync(path.join(folder, 'tmp-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    maxBuffer: 1 << 28,
  });
  return { status, out: stdout, err: stderr };
}

function rows(recording: string, sql: string): readonly Row[] {
  const { status, out, err } = run('query', recording, sql, '--format', 'json', '--source-map', map);
  expect(status, err).toBe(0);
  return (JSON.parse(out) as { rows: Row[] }).rows;
}

describe('a recording in SQL', () => {
  test.each([
    ['strace', heat],
    ['Darshan with DXT', ranks],
    ['OTF2', archive],
  ])('%s: the events are those that are exported', (_, recording) => {
    const exported = run('export', recording, '--format', 'csv').out.split('\n');
    const [heading] = exported;
    const asked = run(
      'query',
      recording,
      `SELECT ${heading!.replace(',offset,', ',file_offset AS "offset",')} FROM events ORDER BY event`,
      '--format',
      'csv',
    );
    expect(exported.length).toBeGreaterThan(20);
    expect(asked.out.split('\r\n')).toEqual(exported);
  });

  test('each table has its columns', () => {
    const asked = rows(
      ranks,
      "SELECT table_name AS name, list(column_name ORDER BY column_index) AS columns FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal GROUP BY ALL",
    );
    const columns: unknown = Object.fromEntries(asked.map(({ name, columns: names }) => [name, names]));
    expect(columns).toEqual(
      Object.fromEntries(RECORDED_TABLE_NAMES.map((name) => [name, Object.keys(RECORDED_TABLES[name].columns)])),
    );
  });

  test('sites, files and findings are those of the other commands, and events join them', () => {
    const { sites } = JSON.parse(run('sites', heat, '--json', '--source-map', map).out) as SitesDocument;
    const placed = sites.filter(({ function: name }) => name !== '');
    const asked = rows(heat, 'FROM sites ORDER BY cost_seconds DESC, seconds DESC, events DESC');
    expect(asked.map(({ line, function: name, events }) => ({ line, name, events }))).toEqual(
      placed.map(({ line, function: name, events }) => ({ line, name, events })),
    );
    asked.forEach(({ cost_seconds }, i) => expect(cost_seconds).toBeCloseTo(placed[i]!.cost!.untracedNs / 1e9, 9));
    const analysis = JSON.parse(run('analyze', heat, '--format', 'json', '--source-map', map).out) as AnalysisDocument;
    const findings = rows(heat, 'FROM findings');
    expect(findings.map(({ code, message }) => ({ code, message }))).toEqual(
      analysis.insights.map(({ code, message }) => ({ code, message })),
    );
    const joined = rows(
      heat,
      `SELECT f.finding, list(DISTINCT e.site_line ORDER BY e.site_line) AS lines, list(DISTINCT files.path ORDER BY files.path) AS paths
       FROM findings f JOIN events e ON list_contains(f.sites, e.site) LEFT JOIN files ON list_contains(f.files, files.file)
       GROUP BY ALL ORDER BY f.finding`,
    );
    expect(joined.length).toBeGreaterThan(1);
    for (const { finding, lines, paths } of joined) {
      const insight = analysis.insights[finding as number]!;
      expect(lines).toEqual([...new Set(insight.sites.map(({ line }) => line))].sort((a, b) => a - b));
      expect(paths ?? []).toEqual(insight.files.map((file) => file.path).sort());
    }
  });

  test('a Darshan log without DXT has files by its counters, and no events', () => {
    const recording = path.join(folder, 'counted.darshan');
    // A record of STDIO: its file and rank, then its counters.
    const record = new Words().int(1, 0, ...STDIO).float(...Array.from({ length: 15 }, () => 0.5)).bytes;
    writeFileSync(recording, writeLog({ names: [[1n, '/x']], modules: [{ slot: 9, version: 2, streams: [record] }] }));
    expect(rows(recording, 'SELECT count(*) AS count FROM events')).toEqual([{ count: 0 }]);
    expect(rows(recording, 'SELECT path, bytes_written, writes, cost_seconds FROM files')).toEqual([
      { path: '/x', bytes_written: 4096, writes: 4, cost_seconds: null },
    ]);
  });

  test('what a recording without durations cannot tell is null, and not 0', () => {
    const recording = path.join(folder, 'timeless.strace');
    const write = '7 write(3</w/a>, ""..., 5) = 5\n';
    writeFileSync(
      recording,
      `7 openat(AT_FDCWD, "/w/a", O_RDWR) = 3</w/a>\n${write.repeat(2000)}7 +++ exited with 0 +++\n`,
    );
    const files = 'SELECT writes, bytes_written, seconds, write_seconds, write_end, cost_seconds FROM files';
    const unknown = { seconds: null, write_seconds: null, write_end: null, cost_seconds: null };
    expect(rows(recording, files)).toEqual([{ writes: 2000, bytes_written: 10000, ...unknown }]);
    expect(rows(recording, 'SELECT DISTINCT seconds FROM findings')).toEqual([{ seconds: null }]);
  });

  test('names and cells of a hostile recording are texts', () => {
    const recording = path.join(folder, 'hostile.strace');
    const text = new StraceText();
    writeFileSync(
      recording,
      text
        .call(7, String.raw`openat(AT_FDCWD, "=x,\"y\33[2J", O_WRONLY) = 3`, 9)
        .call(7, 'write(3, ""..., 5) = 5', 9)
        .toString(),
    );
    const table = run('query', recording, 'SELECT path FROM files').out;
    expect(table).toContain('=x,"y�[2J');
    expect(run('query', recording, 'SELECT path FROM files', '--format', 'csv').out).toBe(
      `path\r\n"'=x,""y\u001b[2J"\r\n`,
    );
  });

  test('a query only reads, and only the tables; what is wrong is told before the recording is read', () => {
    const secret = path.join(folder, 'secret.csv');
    writeFileSync(secret, 'a,b\n1,2\n');
    // Where the engine by itself would keep what memory does not hold.
    mkdirSync(path.join(folder, '.tmp'));
    copyFileSync(secret, path.join(folder, '.tmp/secret.csv'));
    const before = readdirSync(folder);
    const wrong: readonly [string, RegExp][] = [
      [`COPY events TO '${folder}/out.csv'`, /Queries only read: COPY/],
      [`EXPLAIN ANALYZE COPY events TO '${folder}/out.csv'`, /Queries only read/],
      [`ATTACH '${folder}/own.db'`, /Queries only read: ATTACH/],
      [`SELECT * FROM read_csv('${secret}')`, /Cannot access file/],
      ["FROM '.tmp/secret.csv'", /Cannot access file/],
      [`SELECT * FROM read_text('${folder}/.tmp/secret.csv')`, /Cannot access file/],
      [`SELECT * FROM glob('${folder}/*')`, /Cannot access file/],
      ['SELECT 1; SELECT 2', /One query is answered at a time/],
      ['SELECT nothing FROM events', /Referenced column "nothing" not found/],
      ['FROM event', /Table with name event does not exist/],
      [' -- ', /The query is empty/],
    ];
    for (const [sql, message] of wrong) {
      const { status, out, err } = run('query', path.join(folder, 'not-there.strace'), sql);
      expect({ sql, status, out }).toEqual({ sql, status: 2, out: '' });
      expect(err).toMatch(message);
    }
    expect(readdirSync(folder)).toEqual(before);
    expect(run('query', path.join(folder, 'not-there.strace'), 'FROM events').status).toBe(3);
    expect(run('query', heat, 'SELECT 1', '-o', heat)).toMatchObject({ status: 2 });
  });

  test('nothing stays behind, also where a reader has seen enough', () => {
    expect(readdirSync(temporary)).toEqual([]);
    const { stdout } = spawnSync(
      'sh',
      ['-c', `"${process.execPath}" "${cli}" query "${heat}" 'FROM events' | head -1`],
      {
        env: { ...process.env, TMPDIR: temporary },
        encoding: 'utf8',
      },
    );
    expect(stdout).toContain('recording');
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('the plan of a query is readable', () => {
    const { out } = run('query', heat, 'EXPLAIN SELECT call FROM events');
    expect(out).toMatch(/^┌─+┐\n│ +\S/);
    expect(out).not.toContain('…');
  });

  test('-o writes the answer to a file', () => {
    const file = path.join(folder, 'answer.csv');
    expect(run('query', heat, 'SELECT 1 AS one', '--format', 'csv', '-o', file)).toMatchObject({ status: 0, out: '' });
    expect(existsSync(file) && readFileSync(file, 'utf8')).toBe('one\r\n1\r\n');
  });
});
