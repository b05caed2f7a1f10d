import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** `--add`, as a user gives it. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-join-'));
  const calls = (pid: number, second: number): string =>
    [
      `${pid} ${second}.000100 openat(AT_FDCWD, "/w/a", O_WRONLY|O_CREAT, 0644) = 3</w/a> <0.000020>`,
      `${pid} ${second}.000200 write(3</w/a>, "x"..., 100) = 100 <0.000030>`,
      `${pid} ${second}.000300 close(3</w/a>) = 0 <0.000010>`,
    ].join('\n');
  writeFileSync(path.join(folder, 'first.strace'), `${calls(7, 1700000000)}\n`);
  writeFileSync(path.join(folder, 'other.strace'), `${calls(8, 1700000002)}\n${calls(9, 1700000003)}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

interface Info {
  readonly streams: number;
  readonly events: number;
  readonly durationNs: number;
  readonly sources: readonly { readonly path: string; readonly offsetNs: number; readonly offsetFrom: string }[];
}

test('two recordings become one, on one clock', () => {
  const { out, status } = run('info', 'first.strace', '--add', 'other.strace', '--json');
  expect(status).toBe(0);
  const info = JSON.parse(out) as Info;
  expect(info).toMatchObject({ streams: 3, events: 9, durationNs: 3_000_210_000 });
  expect(info.sources[1]).toMatchObject({
    path: 'other.strace',
    offsetNs: 2e9,
    offsetFrom: 'dates of both recordings',
  });
  const rows = run('export', 'first.strace', '--add', 'other.strace', '--format', 'csv')
    .out.trim()
    .split('\n')
    .slice(1);
  expect(rows).toHaveLength(9);
  expect(rows.filter((row) => row.startsWith('other.strace'))).toHaveLength(6);
});

test('the user may say by how much the clocks differ', () => {
  const { out } = run('info', 'first.strace', '--add', 'other.strace', '--add-offset', '-0.5', '--json');
  const info = JSON.parse(out) as Info;
  expect(info.sources[1]).toMatchObject({ offsetNs: -500_000_000, offsetFrom: 'user' });
});

test.each([
  [['first.strace', '--add', 'nowhere'], 'nowhere: there is no such file'],
  [['first.strace', '--add-offset', '1'], 'given more often than --add'],
  [['first.strace', '--add', 'other.strace', '--add-offset', 'soon'], 'a number of seconds'],
])('%j is wrong usage', (args, words) => {
  const { status, err } = run('info', ...args);
  expect(status).toBe(2);
  expect(err).toContain(words);
});

test('what is no recording cannot be added, and is named', () => {
  writeFileSync(path.join(folder, 'junk'), 'no recording at all');
  const { status, err } = run('info', 'first.strace', '--add', 'junk');
  expect(status).toBe(3);
  expect(err).toContain('junk');
});

describe('a Darshan log with the HDF5 calls above its MPI-IO calls', () => {
  const data = path.join(import.meta.dirname, '../data');
  const log = path.join(data, 'darshan-stack/badmpi_4ranks.darshan');
  const binary = ['--binary', path.join(data, 'darshan-stack/bin/badmpi')];
  const added = ['--add', path.join(data, 'joined/badmpi-vol')];
  interface Layers {
    readonly layers: readonly string[];
    readonly links: readonly { readonly layer: string; readonly calls: number; readonly links: object }[];
    readonly calls: readonly {
      readonly layer: string;
      readonly call: string;
      readonly calls: number;
      readonly became: readonly { readonly layer: string; readonly calls: number }[];
    }[];
  }
  const layersOf = (...args: string[]): Layers => JSON.parse(run('layers', log, ...args, '--json').out) as Layers;

  test('shows what each of them became, down to POSIX', () => {
    const { layers, links, calls } = layersOf(...binary, ...added);
    expect(layers).toEqual(['HDF5', 'MPI-IO', 'POSIX']);
    expect(links).toEqual([
      { layer: 'HDF5', calls: 48, links: {} },
      { layer: 'MPI-IO', calls: 2400, links: { time: 2400 } },
      { layer: 'POSIX', calls: 2744, links: { time: 2400 } },
    ]);
    expect(
      calls.map(({ layer, call, calls: count, became }) => [layer, call, count, ...became.map((each) => each.calls)]),
    ).toEqual([
      ['HDF5', 'write', 24, 1200, 1200],
      ['HDF5', 'read', 24, 1200, 1200],
    ]);
  });

  test('counts the program’s time by the HDF5 calls, and finds what the log alone shows and nothing above explains', () => {
    const { out } = run('analyze', log, ...binary, ...added);
    expect(out).toContain("38.6 ms in I/O calls on the program's own files, 2,743 of them in the lowest layer");
    const shares = [...out.matchAll(/ms, (\d+) % of the run/g)].map(([, share]) => Number(share));
    expect(shares.length).toBeGreaterThan(0);
    for (const share of shares) expect(share).toBeLessThanOrEqual(100);
    const codes = (text: string): string[] =>
      [...text.matchAll(/^(?:HIGH|WARN|INFO) (\w+)/gm)].map(([, code]) => code!);
    // One call of HDF5 that becomes many is the cause of these (docs/triggers.md, L20).
    const explained = ['P15', 'P16'];
    const alone = codes(run('analyze', log, ...binary).out).filter((code) => !explained.includes(code));
    expect(alone).toContain('P08');
    expect(codes(out)).toEqual(expect.arrayContaining(alone));
  });

  test('finds that one HDF5 call became many small ones', () => {
    const { out } = run('analyze', log, ...binary, ...added);
    expect(out).toMatch(/L20 .*\n\s+24 × write became 1,200 reads and writes below \(50 for each/);
  });

  test('has a graph of the HDF5 calls alone', () => {
    const graph = JSON.parse(run('dfg', log, ...added, '--layer', 'HDF5').out) as {
      readonly cases: number;
      readonly nodes: readonly { readonly activity: string; readonly events: number }[];
    };
    expect(graph.cases).toBe(4);
    const io = graph.nodes.filter(({ events, activity }) => events > 0 && activity.includes(':'));
    expect(io.map(({ activity, events }) => [activity, events])).toEqual([
      ['write:/tmp/app', 24],
      ['read:/tmp/app', 24],
    ]);
  });

  test('exports each call with the row of the one that made it', () => {
    const [heading, ...rows] = run('export', log, ...added, '--format', 'csv')
      .out.trim()
      .split('\n');
    const names = heading!.split(',');
    expect(names.slice(-2)).toEqual(['parent', 'link']);
    const at = (row: string, name: string): string => row.split(',')[names.indexOf(name)]!;
    const upper: Record<string, string> = { POSIX: 'MPI-IO', 'MPI-IO': 'HDF5' };
    const linked = rows.filter((row) => at(row, 'parent') !== '');
    expect(linked).toHaveLength(4800);
    for (const row of linked) {
      const parent = rows[Number(at(row, 'parent'))]!;
      expect([at(parent, 'layer'), at(parent, 'rank')]).toEqual([upper[at(row, 'layer')], at(row, 'rank')]);
      expect(at(row, 'link')).toBe('time');
    }
    expect(rows.filter((row) => at(row, 'link') !== '')).toHaveLength(4800);
  });

  test('links nothing by times in whole seconds, and says why', () => {
    const seconds = ['--add', path.join(data, 'joined/badmpi-vol-seconds')];
    expect(layersOf(...seconds).links.slice(0, 2)).toEqual([
      { layer: 'HDF5', calls: 48, links: {} },
      { layer: 'MPI-IO', calls: 2400, links: {} },
    ]);
    expect(run('info', log, ...seconds).out).toMatch(
      /may lie within calls .* known to ± \d+ s only, so they are not linked/,
    );
    // No offset mends a clock that shows seconds only.
    expect(layersOf(...seconds, '--add-offset', '0.0054').links[1]!.links).toEqual({});
  });

  test('loses the log’s counters when the log is the one that is added, and says so', () => {
    const { out } = run('info', path.join(data, 'joined/badmpi-vol'), '--add', log);
    expect(out).toContain('its counters are left out; open it first, and add the other recording to it');
  });
});

test('system calls stand under the HDF5 calls of the process that wrote the trace of its rank', () => {
  const at = 1700000000;
  const write = (pid: number, micros: number, file: string, offset: number): string =>
    `${pid} ${at}.${String(micros).padStart(6, '0')} pwrite64(3<${file}>, "x"..., 100, ${offset}) = 100 <0.000030>`;
  const strace = [40, 41].flatMap((pid, rank) => [
    ...[0, 1, 2, 3].map((i) => write(pid, 1000 * (i + 1) + 100 * i, '/w/out.h5', 100 * i)),
    write(pid, 90_000, `/w/prog.${1 - rank}.drishti`, 0),
  ]);
  writeFileSync(
    path.join(folder, 'mpirun.strace'),
    `${strace.sort((a, b) => (a.slice(3) < b.slice(3) ? -1 : 1)).join('\n')}\n`,
  );
  mkdirSync(path.join(folder, 'vol'));
  for (const rank of [0, 1]) {
    const lines = [0, 1, 2].map((i) => {
      const start = at * 1e6 + 1000 * (i + 1) + 100 * i - 20;
      return `HDF5;${rank};write;${start};${start + 60};60;0\n`;
    });
    writeFileSync(path.join(folder, `vol/prog.${rank}.drishti`), lines.join(''));
  }
  const { out } = run('export', 'mpirun.strace', '--add', 'vol', '--format', 'csv');
  const [heading, ...rows] = out.trim().split('\n');
  const names = heading!.split(',');
  const cell = (row: string, name: string): string => row.split(',')[names.indexOf(name)]!;
  const linked = rows.filter((row) => cell(row, 'parent') !== '');
  expect(linked).toHaveLength(6);
  for (const row of linked) {
    const parent = rows[Number(cell(row, 'parent'))]!;
    expect([cell(parent, 'layer'), cell(parent, 'path')]).toEqual(['HDF5', '/w/out.h5']);
    expect(cell(parent, 'process')).toBe(cell(row, 'process'));
    // Process 40 wrote the file of rank 1.
    expect(cell(parent, 'recording')).toContain(cell(row, 'process') === '40' ? 'prog.1' : 'prog.0');
  }
});
