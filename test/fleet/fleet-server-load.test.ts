/** Jobstats and answers of Prometheus are found by their content, and the questions about servers are answered of them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryValue } from '../../src/fleet/query/query-engine.ts';
import { findSources } from '../../src/session/fleet/ingest/find-sources.ts';
import { OpenedStore } from '../../src/session/fleet/opened-store.ts';
import { row, writeStore } from '../support/fleet-rows.ts';
import { rowsOf } from '../support/store-rows.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const folder = mkdtempSync(path.join(os.tmpdir(), 'servers-'));
const at = (name: string): string => path.join(folder, name);
/** 2024-03-01 12:00 UTC. */
const START = 1_709_294_400;

/** What `lctl get_param obdfilter.*.job_stats` prints of two targets after some seconds, each moving so many bytes a second. */
function look(seconds: number, rates: readonly number[]): string {
  return rates
    .map(
      (rate, target) => `obdfilter.scratch-OST000${target}.job_stats=
job_stats:
- job_id:          4711
  snapshot_time:   ${START + seconds}
  read_bytes:      { samples:           0, unit: bytes, min:       0, max:       0, sum:               0 }
  write_bytes:     { samples:           9, unit: bytes, min:    4096, max: 4194304, sum: ${rate * seconds} }
  getattr:         { samples:           0, unit:  reqs }
`,
    )
    .join('');
}

function range(): string {
  const series = (target: number, rate: number): object => ({
    metric: {
      __name__: 'lustre_write_bytes_total',
      component: 'ost',
      instance: 'oss1:9169',
      job: 'lustre',
      target: `scratch-OST000${target}`,
    },
    values: Array.from({ length: 11 }, (_, i) => [START + 15 * i, String(1e15 + rate * 15 * i)]),
  });
  return JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: [series(0, 400), series(1, 30)] } });
}

beforeAll(() => {
  for (const name of ['jobstats', 'prometheus', 'mixed']) mkdirSync(at(name));
  for (const seconds of [0, 60, 150])
    writeFileSync(at(`jobstats/oss1-jobstats-${seconds}.txt`), look(seconds, [400, 30]));
  writeFileSync(at('prometheus/answer.json'), range());
  writeFileSync(at('mixed/a.log'), look(0, [1, 2]) + look(10, [1, 2]));
  writeFileSync(
    at('mixed/oss.prom.gz'),
    gzipSync(
      'lustre_read_bytes_total{target="a-OST0001"} 5 1709294400\nlustre_read_bytes_total{target="a-OST0001"} 7 1709294410\n# EOF\n',
    ),
  );
  writeFileSync(at('mixed/notes.md'), '# Series\n\nlustre_read_bytes_total is what exporters call it.\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What the questions say of a job that wrote 3,000 bytes to target 0 in the first 100 seconds, beside another one. */
async function answers(source: string): Promise<Record<string, Record<string, QueryValue>[]>> {
  const files = source === 'jobstats' ? [0, 60, 150].map((s) => at(`jobstats/oss1-jobstats-${s}.txt`)) : [];
  const place = files.length > 0 ? at('jobstats') : at('prometheus/answer.json');
  const { format, rows, damage } = await rowsOf(place, files.length > 0 ? files : [place]);
  expect([format, damage]).toEqual([source, []]);
  const file = (log: string, until: number) =>
    row('file', {
      log,
      file_id: '1',
      osts: [0],
      start_time: START,
      write_start: 0,
      write_end: until,
      read_start: 0,
      read_end: 0,
      bytes_written: 3000,
    });
  const job = (log: string) =>
    row('job', {
      log,
      job_id: log,
      application: log,
      osts: [0],
      ost_count: 1,
      start_time: START,
      run_seconds: 100,
      bytes_written: 3000,
    });
  await writeStore(at(`store-${source}`), {
    server_load: rows.server_load!,
    job: [job('own'), job('other')],
    file: [file('own', 100), file('other', 50)],
  });
  const store = await OpenedStore.open(at(`store-${source}`));
  const found: Record<string, Record<string, QueryValue>[]> = {};
  for (const [question, values] of [
    ['server-load', []],
    ['load-on-targets', ['own', 300]],
    ['interference', ['own', 20]],
    ['slow-targets', [1, 20]],
  ] as const) {
    const { result } = await store.answer(question, values);
    found[question] = result.rows.map((one) =>
      Object.fromEntries(result.columns.map(({ name }, index) => [name, one[index] ?? null])),
    );
  }
  store.close();
  return found;
}

describe('load of servers', () => {
  test.each(['jobstats', 'prometheus'])('the questions about servers are answered of %s', async (source) => {
    const found = await answers(source);
    const [hour] = found['server-load']!;
    expect(hour).toMatchObject({ written_per_second: 430, sampled_seconds: 150 });
    expect(found['load-on-targets']).toMatchObject([{ ost: 0, target: 'OST0000', job_bytes: 3000, other_jobs: 1 }]);
    expect(found['load-on-targets']![0]!['server_bytes']).toBeCloseTo(40_000, 3);
    expect(found['interference']).toMatchObject([{ log: 'other', targets: 1, seconds: 50 }]);
    expect(found['interference']![0]!['server_bytes']).toBeCloseTo(20_000, 3);
    expect(found['slow-targets']!.map(({ target, bandwidth }) => [target, bandwidth])).toEqual([
      ['OST0001', 30],
      ['OST0000', 400],
    ]);
  });

  test('recordings of programs that are named alike stay what they are', async () => {
    mkdirSync(at('alike'));
    const names = [
      'ann_prometheus_id1.darshan',
      'ann_prometheus_id2.darshan',
      'jobstats-a.11',
      'jobstats-a.12',
      'jobstats-b.7',
    ];
    for (const name of names)
      writeFileSync(at(`alike/${name}`), '1700000000.000001 openat(AT_FDCWD, "x", O_RDONLY) = 3 <0.000010>\n');
    const found: string[][] = [];
    for await (const { files } of findSources([at('alike')])) found.push(files.map((file) => path.basename(file)));
    expect(found.sort()).toEqual([[names[0]], [names[1]], [names[2], names[3]], [names[4]]]);
  });

  test('the command takes them in by their content, packed or not, looks of one folder together', () => {
    const words = [
      cli,
      'fleet',
      'ingest',
      at('jobstats'),
      at('prometheus'),
      at('mixed'),
      '--store',
      at('store'),
      '--json',
    ];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ found: 5, stored: 4, unreadable: 0 });
    const sql = 'SELECT count(*) AS rows, sum(bytes_written) AS written, sum(bytes_read) AS read FROM server_load';
    const query = spawnSync(process.execPath, [cli, 'fleet', 'query', sql, '--store', at('store'), '--format', 'csv'], {
      encoding: 'utf8',
    });
    expect(query.stdout.trim().split('\n').at(-1)).toBe(`${2 * 2 + 2 * 10 + 2 + 1},${2 * 430 * 150 + 30},2`);
  });
});
