import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TrialResult } from '../../src/analysis/trials/trial-result.ts';
import { OwnMounts } from '../../src/session/trial/own-mounts.ts';
import { tryChange, type TrialRequest } from '../../src/session/trial/trial.ts';
import { freshFolder, has } from '../support/programs.ts';

/** Changes that are right and wrong, of programs for a shell: no compiler is needed. */
let folder = '';
beforeEach(() => {
  folder = realpathSync(freshFolder('trial'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mounts = await OwnMounts.open('true');
const mayMount = mounts !== undefined;
await mounts?.close();

/** Nothing is recorded: what counts here are the runs. */
const recorder = { recording: () => ['true'], judge: () => Promise.resolve(undefined) };

async function tried(before: string, after: string, more: Partial<TrialRequest> = {}): Promise<TrialResult> {
  writeFileSync(path.join(folder, 'prog.sh'), before);
  const request: TrialRequest = {
    folder,
    changed: new Map([['prog.sh', after]]),
    build: 'true',
    run: 'sh prog.sh',
    environment: process.env,
    outputs: [],
    repeat: 2,
    without: [],
    allowOutside: false,
    faults: false,
    signal: new AbortController().signal,
    progress: () => undefined,
    ...more,
  };
  return tryChange(request, recorder);
}

test('files that a run changes, removes and makes are there again for the next one', async () => {
  writeFileSync(path.join(folder, 'state'), 'one\n');
  writeFileSync(path.join(folder, 'gone'), 'still here\n');
  mkdirSync(path.join(folder, 'empty'));
  const text = 'cat gone; cat state; echo more >> state; rm gone; rmdir empty; mkdir new; echo x > new/file\n';
  const { comparison, notes } = await tried(text, `${text}# the same\n`, { repeat: 3 });
  expect(comparison).toEqual({ differences: [], varying: [], uncompared: [] });
  expect(notes.filter((note) => note.startsWith('not put back'))).toEqual([]);
  expect(readFileSync(path.join(folder, 'state'), 'utf8')).toBe('one\n');
});

test.each([
  ['output', 'echo a', 'echo b', 'standard output: other bytes from byte 0 on'],
  ['exit status', 'true', 'exit 3', 'exit status 0 before, exit status 3 after'],
  ['a file', 'echo a > out', 'echo ab > out', 'out: 2 bytes before, 3 after'],
  ['removal', 'rm prog.sh', 'true', 'prog.sh: removed before the change only'],
])('another %s is a difference', async (_what, before, after, words) => {
  const { comparison } = await tried(before, after);
  expect(comparison.differences).toEqual([words]);
});

test('only the files that are named are compared', async () => {
  const { comparison } = await tried('echo a > log; echo a > out', 'echo b > log; echo a > out', { outputs: ['out*'] });
  expect(comparison.differences).toEqual([]);
});

test('what does not build after the change is told, with the words of the build', async () => {
  const { buildErrors } = await tried('true', 'if', { build: 'sh -n prog.sh' });
  expect(buildErrors).toContain('sh -n prog.sh: exit status 2');
});

test('a copy of what is linked leads where the link led', async () => {
  const outside = path.join(folder, 'outside');
  const work = path.join(folder, 'work');
  for (const each of [outside, work]) mkdirSync(each);
  writeFileSync(path.join(outside, 'in'), 'input\n');
  writeFileSync(path.join(work, 'prog.sh'), 'cat data/in');
  symlinkSync('../outside', path.join(work, 'data'));
  const right = new Map([['prog.sh', 'cat data/in || echo lost']]);
  const { comparison } = await tried('', '', { folder: work, changed: right });
  expect(comparison.differences).toEqual([]);
});

describe.skipIf(!mayMount || !has('stat'))('faults', () => {
  const WRITES = 'head -c 100000 /dev/zero > out';

  test('a full disk that goes unnoticed after the change', async () => {
    const { faults } = await tried(WRITES, `${WRITES}; exit 0`, { faults: true });
    expect(faults).toEqual([
      {
        fault: 'disk full',
        equal: false,
        worse: true,
        before: expect.stringMatching(/^exit status 1, out \d/) as string,
        after: expect.stringMatching(/^exit status 0, out \d/) as string,
      },
    ]);
  });

  test('an end that loses all after the change', async () => {
    const before = 'i=0; while [ $i -lt 6 ]; do echo line >> out; sleep 0.1; i=$((i + 1)); done';
    const after = `(${before.replace(' >> out', '')}) > kept.tmp; cat kept.tmp > out; rm kept.tmp`;
    const { faults } = await tried(before, after, { faults: true, outputs: ['out'] });
    expect(faults.find(({ fault }) => fault === 'SIGTERM halfway')).toMatchObject({
      equal: false,
      worse: true,
      after: '0 % of what a whole run writes is in the files',
    });
  });
});
