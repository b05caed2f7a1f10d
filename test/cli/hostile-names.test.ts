import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Names in recordings, and those of recordings, are anybody's: none may move a terminal's cursor or turn its writing round. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
// oxlint-disable-next-line no-control-regex -- these are looked for
const TURNING = /[\0-\x08\x0b-\x1f\u202e]/;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-hostile-names-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[]): { out: string; err: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder });
  return { out: stdout, err: stderr };
}

describe('names of a recording', () => {
  const recording = (): string => path.join(folder, 'hostile.strace');
  beforeAll(() => {
    // strace writes control characters and what is beyond ASCII as octal escapes (here U+202E), but not in stacks.
    const name = String.raw`/tmp/\33]0;owned\7\33[31m\342\200\256txt.c`;
    const line = `7 1795252180.5 write(3<${name}>, "x", 1) = 1 <0.1>\n > /tmp/own\u202etxt.c(main+0x1) [0x2]\n`;
    writeFileSync(recording(), line.repeat(100));
  });

  test.each([
    'analyze',
    'info',
    'sites',
    'dfg',
    'layers',
    'operations',
    'gaps',
    'stacks',
    'patterns',
    'causes',
    'fixes',
    'compare',
  ])('do nothing to the terminal by %s', (command) => {
    const { out } = run([command, recording(), ...(command === 'compare' ? [recording()] : [])]);
    expect(out).not.toBe('');
    expect(out).not.toMatch(TURNING);
    if (command === 'analyze') expect(out).toContain(String.raw`\u202etxt.c`);
  });
});

test('no control characters of names reach standard error', () => {
  const hostile = path.join(folder, 'a\u001b]0;owned\u0007\u001b[31m');
  mkdirSync(hostile);
  writeFileSync(path.join(hostile, 'x.strace'), '7 1795252180.5 write(3</x>, "x", 1) = 1 <0.1>\n7 wri');
  for (const more of [['--progress', 'plain'], [], [hostile + '/absent']]) {
    const { err } = run(['info', ...more, hostile]);
    expect(err).toContain('a\ufffd]0;owned\ufffd\ufffd[31m');
    expect(err).not.toMatch(TURNING);
  }
});
