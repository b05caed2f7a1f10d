import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** `--add`, as a user gives it. */
const cli = path.resolve(import.meta.dirname, '../dist/cli.js');

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
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

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
  [['first.strace', '--add-offset', '1'], 'more of them than of --add'],
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
