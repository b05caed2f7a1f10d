import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { absent, corpus } from '../support/corpus.ts';
import { memoryFile } from '../support/memory-file.ts';
import { StraceText } from '../support/strace-text.ts';

/** `iolens export`, as a user runs it: what comes out is read by other programs. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const heat = path.resolve(import.meta.dirname, '../../demo/heat/heat.strace.gz');
const ranks = path.resolve(import.meta.dirname, '../data/darshan-stack/badmpi_4ranks.darshan');
const map = `/home/hpc/heat=${path.dirname(heat)}`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-export-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; out: Buffer; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'export', ...args], { maxBuffer: 1 << 28 });
  return { status, out: stdout, err: stderr.toString() };
}

/** Rows of RFC 4180 text by the names of its heading. */
function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const quoted = text[at] === '"';
    let value: string;
    if (quoted) {
      const match = /"((?:[^"]|"")*)"/y;
      match.lastIndex = at;
      const found = match.exec(text)!;
      value = found[1]!.replaceAll('""', '"');
      at = match.lastIndex;
    } else {
      const match = /[^,\n]*/y;
      match.lastIndex = at;
      value = match.exec(text)![0];
      at = match.lastIndex;
    }
    rows.at(-1)!.push(value);
    if (text[at] === '\n' && at + 1 < text.length) rows.push([]);
    at++;
  }
  const [names, ...values] = rows;
  return values.map((row) => Object.fromEntries(row.map((value, i) => [names![i]!, value])));
}

interface Slice {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args: Readonly<Record<string, unknown>>;
}

function chromeTrace(...args: string[]): Slice[] {
  const { out, err } = run(...args, '--format', 'chrome-trace');
  expect(err).toBe('');
  return (JSON.parse(out.toString()) as { traceEvents: Slice[] }).traceEvents;
}

/** `fd` calls with names that want quoting in every format. */
function hostile(): string {
  const file = path.join(folder, 'hostile.strace');
  const text = new StraceText()
    .call(7, 'openat(AT_FDCWD, "/w/a,b\\"c\\nd</script>", O_RDONLY) = 3</w/a,b\\"c\\nd</script>>', 20)
    .call(7, 'read(3</w/a,b\\"c\\nd</script>>, ""..., 8) = 8', 30)
    .call(7, 'openat(AT_FDCWD, "/w/missing", O_RDONLY) = -1 ENOENT (No such file or directory)', 10);
  writeFileSync(file, text.toString());
  return file;
}

describe('CSV', () => {
  test('has a row for each event with what is known of it', () => {
    const { out, status } = run(heat, '--source-map', map, '--format', 'csv');
    const rows = readCsv(out.toString());
    expect(status).toBe(0);
    expect(rows).toHaveLength(5150);
    const writes = rows.filter(({ site_line }) => site_line === '22');
    expect(writes).toHaveLength(4096);
    expect(writes[0]).toMatchObject({
      recording: 'heat.strace.gz',
      layer: 'system call',
      call: 'write',
      operation: 'write',
      path: '/home/hpc/heat/results/cells.txt',
      bytes: '100',
      requested: '100',
      offset: '0',
      error: '',
      state: 'complete',
      site_file: path.join(path.dirname(heat), 'heat.c'),
    });
    expect(rows[0]).toMatchObject({ start_ns: '0', rank: '', offset: '' });
  });

  test('quotes what separates values', () => {
    const rows = readCsv(run(hostile(), '--format', 'csv').out.toString());
    expect(rows.map((row) => row['path'])).toEqual(['/w/a,b"c\nd</script>', '/w/a,b"c\nd</script>', '/w/missing']);
    expect(rows[2]).toMatchObject({ error: 'ENOENT', bytes: '0' });
  });
});

describe('Parquet', () => {
  test.each([
    ['an strace recording', heat],
    ['a Darshan log', ranks],
  ])('holds the same rows as CSV: %s', async (_name, recording) => {
    const file = path.join(folder, 'events.parquet');
    expect(run(recording, '--source-map', map, '--format', 'parquet', '-o', file)).toMatchObject({
      status: 0,
      err: '',
    });
    const bytes = readFileSync(file);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file: buffer });
    const csv = readCsv(run(recording, '--source-map', map, '--format', 'csv').out.toString());
    const asText = (value: unknown): string =>
      typeof value === 'bigint' ? value.toString() : ((value as string | null) ?? '');
    expect(rows.length).toBeGreaterThan(100);
    expect(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)]))),
    ).toEqual(csv);
    const metadata = parquetMetadata(buffer).key_value_metadata!;
    const date = Number(metadata.find(({ key }) => key === 'iolens.start_time')!.value);
    expect(date).toBeGreaterThan(1.5e9);
  });

  test('has a row group for each chunk of the table', async () => {
    const file = path.join(folder, 'many.strace');
    const text = new StraceText();
    text.times(70_000, () => text.call(7, 'read(3</w/a>, ""..., 8) = 8', 1));
    writeFileSync(file, text.toString());
    const { out } = run(file, '--format', 'parquet');
    const buffer = out.buffer.slice(out.byteOffset, out.byteOffset + out.length) as ArrayBuffer;
    expect(parquetMetadata(buffer).row_groups.map(({ num_rows }) => Number(num_rows))).toEqual([65_536, 4464]);
    const rows = await parquetReadObjects({ file: buffer, rowStart: 69_999, rowEnd: 70_000 });
    expect(rows[0]).toMatchObject({ line: 70_000n, offset: null, bytes: 8n });
  });
});

describe('Chrome trace', () => {
  test('has a slice for each call and names for all tracks', () => {
    const events = chromeTrace(heat, '--source-map', map);
    const slices = events.filter(({ ph }) => ph === 'X');
    expect(slices).toHaveLength(5149);
    // exit_group never returns.
    expect(events.filter(({ ph }) => ph === 'B').map(({ name }) => name)).toEqual(['exit_group']);
    const write = slices.find(({ args }) => String(args['site']).endsWith('heat.c:22'))!;
    expect(write).toMatchObject({ name: 'write', args: { bytes: 100, path: '/home/hpc/heat/results/cells.txt' } });
    const named = new Set(events.filter(({ name }) => name === 'thread_name').map(({ pid, tid }) => `${pid} ${tid}`));
    expect(slices.every(({ pid, tid }) => named.has(`${pid} ${tid}`))).toBe(true);
  });

  test('keeps ranks apart and no track holds slices that overlap', () => {
    const events = chromeTrace(ranks);
    const names = events.filter(({ name }) => name === 'process_name').map(({ args }) => String(args['name']));
    expect(names.map((name) => name.replace(/^.*: /, ''))).toEqual(['rank 0', 'rank 1', 'rank 2', 'rank 3']);
    const open = new Map<number, number[]>();
    const slices = events.filter(({ ph }) => ph === 'X').sort((a, b) => a.ts - b.ts || b.dur! - a.dur!);
    for (const { tid, ts, dur } of slices) {
      const ends = open.get(tid) ?? [];
      while (ends.length > 0 && ends.at(-1)! <= ts + 1e-4) ends.pop();
      expect(ends.length === 0 || ends.at(-1)! + 1e-4 >= ts + dur!).toBe(true);
      open.set(tid, [...ends, ts + dur!]);
    }
  });

  test('a recording without times is refused in words, and leaves no file', () => {
    const file = path.join(folder, 'plain.strace');
    const output = path.join(folder, 'plain.json');
    writeFileSync(file, 'read(3</w/a>, ""..., 8) = 8\n');
    const { status, err } = run(file, '--format', 'chrome-trace', '-o', output);
    expect(status).toBe(2);
    expect(err).toContain('has no times');
    expect(existsSync(output)).toBe(false);
  });
});

test('another format is wrong usage', () => {
  const { status, err } = run(heat, '--format', 'tsv');
  expect(status).toBe(2);
  expect(err).toContain('csv, parquet, chrome-trace');
});

test('a log of counters alone says that it has no events', ({ skip }) => {
  const log = corpus('darshan/ior-HDF5.darshan');
  if (log === undefined) return skip(absent('darshan'));
  const { status, out, err } = run(log, '--format', 'csv');
  expect(status).toBe(0);
  expect(err).toContain('holds counters and no events');
  expect(out.toString().split('\n')).toHaveLength(2);
});

test('an output that cannot be written is wrong usage', () => {
  const { status, err } = run(heat, '--format', 'csv', '-o', path.join(folder, 'missing/events.csv'));
  expect(status).toBe(2);
  expect(err).toContain('missing/events.csv');
});

test('times of a Darshan log count from the beginning of the job, as in the timeline', async () => {
  const { out } = run(ranks, '--format', 'csv');
  const first = Math.min(...readCsv(out.toString()).map(({ start_ns }) => Number(start_ns)));
  const reading = await readDarshan([memoryFile('ranks.darshan', readFileSync(ranks))], {});
  let earliest = Infinity;
  reading.events.chunks.forEach((chunk) => {
    earliest = chunk.start.reduce((least, start) => Math.min(least, start), earliest);
  });
  expect(first).toBe(earliest);
  expect(first).toBeGreaterThan(0);
});

test.each([
  ['export', ['--format', 'csv']],
  ['analyze', ['--format', 'html']],
  ['dfg', []],
])('%s does not write over the recording that it reads', (command, options) => {
  const recording = path.join(folder, `own-${command}.strace`);
  const text = '10:00:00.000001 read(3</a>, "x", 1) = 1 <0.000001>\n';
  writeFileSync(recording, text);
  const link = `${recording}.link`;
  symlinkSync(recording, link);
  for (const output of [recording, link]) {
    const { status, stderr } = spawnSync(process.execPath, [cli, command, recording, ...options, '-o', output]);
    expect(status).toBe(2);
    expect(stderr.toString()).toContain('the recording itself');
    expect(readFileSync(recording, 'utf8')).toBe(text);
  }
});
