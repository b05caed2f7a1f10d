import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StraceText } from '../support/strace-text.ts';

/** `iolens dfg` for a terminal, and in other colours. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-graph-'));
  // Many slow writes of few bytes, and one quick read of many.
  const text = new StraceText().call(7, 'openat(AT_FDCWD, "/w/\u001b[31mdir/a", O_RDWR) = 3', 5);
  text.times(50, () => text.call(7, 'write(3, ""..., 10) = 10', 900));
  text.call(7, 'read(3, ""..., 4000000) = 4000000', 20);
  writeFileSync(path.join(folder, 'run.strace'), text.toString());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function dfg(...options: string[]): string {
  const args = [cli, 'dfg', 'run.strace', '--mapping', 'call', ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
  expect(status, stderr).toBe(0);
  return stdout;
}

test('as text it lists activities, dearest first, with what follows them', () => {
  const text = dfg('--format', 'text');
  expect(text.startsWith('1 case, 52 events, 3 activities, 1 different trace\n')).toBe(true);
  expect(text).toMatch(/^write\n {4}50 events; .*Recorded load: 100 % \(500 B\).*\n +49 → write\n +1 → read$/m);
  expect(text.indexOf('\nwrite\n')).toBeLessThan(text.indexOf('\nread\n'));
  const args = [cli, 'dfg', 'run.strace', '--mapping', 'call+file', '--format', 'text'];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder }).stdout).not.toContain('\u001b');
});

test('without durations it tells no share of them', () => {
  const calls = ['openat(AT_FDCWD, "/w/b", O_RDWR) = 3', 'write(3, ""..., 10) = 10'];
  writeFileSync(path.join(folder, 'timeless.strace'), calls.map((call) => `7 ${call}\n`).join(''));
  const printed = (format: string): string => {
    const args = [cli, 'dfg', 'timeless.strace', '--mapping', 'call', '--format', format];
    return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder }).stdout;
  };
  expect(printed('text')).toMatch(/^write\n {4}1 event; 10 B$/m);
  for (const format of ['text', 'dot', 'svg']) {
    expect(printed(format), format).toContain('write');
    expect(printed(format), format).not.toMatch(/\bload\b/i);
  }
});

test('it is shaded by cost, or by bytes', () => {
  const darkest = (dot: string): (string | undefined)[] =>
    [...dot.matchAll(/^ {2}"([^"]+)" \[.*fillcolor="#084594"/gm)].map(([, name]) => name);
  expect(darkest(dfg('--format', 'dot'))).toEqual(['write']);
  expect(darkest(dfg('--format', 'dot', '--colour', 'bytes'))).toEqual(['read']);
  const shades = (svg: string): (string | undefined)[] =>
    [...svg.matchAll(/class="box (shade\d)"/g)].map(([, shade]) => shade);
  const [byCost, byBytes] = [dfg('--format', 'svg'), dfg('--format', 'svg', '--colour', 'bytes')].map(shades);
  expect(byCost).toHaveLength(3);
  expect(byBytes).not.toEqual(byCost);
});

test('an activity shows when it was, by case, and how often at once', () => {
  const two = new StraceText().call(7, 'openat(AT_FDCWD, "/w/a", O_RDWR) = 3', 1);
  two.times(2, () => two.call(7, 'write(3, ""..., 10) = 10', 900));
  for (const name of ['a.st', 'b\u001b[31m.st']) writeFileSync(path.join(folder, name), two.toString());
  const activity = (...options: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [cli, 'dfg', 'a.st', 'b\u001b[31m.st', '--mapping', 'call', '--activity', ...options], {
      encoding: 'utf8',
      cwd: folder,
    });
  const { stdout } = activity('write', '--format', 'text');
  expect(stdout).toMatch(/^write: 2 cases, 4 events, at most 2 at once, first after /);
  expect(stdout).toMatch(/^a +2 +1\.8 ms {2}[▁-█]{20}/m);
  expect(stdout).toMatch(/^at once, at most +2{20}/m);
  expect(stdout).not.toContain('\u001b');
  const document = JSON.parse(activity('write', '--from', '0', '--to', '0.5').stdout) as Record<string, unknown>;
  expect(document).toMatchObject({ schema: 'iolens/activity@1', bins: 60, fromNs: 0, toNs: 5e8, maxConcurrency: 2 });
  const absent = activity('wriet');
  expect(absent.status).toBe(2);
  expect(absent.stderr).toContain('there is no activity wriet; there are openat, write');
});
