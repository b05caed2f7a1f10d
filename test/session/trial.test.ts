import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TriedChange, TrialResult } from '../../src/analysis/trials/trial-result.ts';
import { OwnMounts } from '../../src/session/trial/own-mounts.ts';
import { tryChanges, type TrialRequest } from '../../src/session/trial/trial.ts';
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

type Tried = TrialResult & TriedChange;

async function tried(before: string, after: string, more: Partial<TrialRequest> = {}): Promise<Tried> {
  writeFileSync(path.join(folder, 'prog.sh'), before);
  const request: TrialRequest = {
    folder,
    changes: [{ name: 'it', texts: new Map([['prog.sh', after]]) }],
    build: 'true',
    run: 'sh prog.sh',
    environment: process.env,
    outputs: [],
    repeat: 2,
    without: [],
    allowOutside: false,
    faults: false,
    resources: { folder: path.resolve(import.meta.dirname, '../../dist') },
    signal: new AbortController().signal,
    progress: () => undefined,
    ...more,
  };
  const result = await tryChanges(request, recorder);
  return { ...result, ...result.changes[0]! };
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
  const changes = [{ name: 'it', texts: new Map([['prog.sh', 'cat data/in || echo lost']]) }];
  const { comparison } = await tried('', '', { folder: work, changes });
  expect(comparison.differences).toEqual([]);
});

describe.skipIf(!mayMount || !has('stat'))('faults', () => {
  const WRITES = 'head -c 100000 /dev/zero > out';

  test('a full disk that goes unnoticed after the change', async () => {
    const { faults } = await tried(WRITES, `${WRITES}; exit 0`, { faults: true });
    expect(faults.slice(0, 1)).toEqual([
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

describe.skipIf(!has('gcc'))('disturbed calls', () => {
  const program = (write: string): string => `#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static int put(int fd, const char *data, size_t size) { ${write} }
int main(void)
{
    char record[1000] = { 'x' };
    int fd = open("out", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int i = 0; i < 50; i++)
        if (put(fd, record, sizeof record))
            return 1;
    return close(fd);
}
`;
  const CAREFUL = program(`
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return 1;
        data += written;
        size -= (size_t)written;
    }
    return 0;`);
  const STRICT = program('return write(fd, data, size) != (ssize_t)size;');
  const BLIND = program('ssize_t ignored = write(fd, data, size); return (int)(ignored * 0);');
  const STREAM = program(`
    static FILE *stream;
    if (stream == NULL)
        stream = fdopen(dup(fd), "w");
    return fwrite(data, 1, size, stream) != size;`);

  async function faultsOf(before: string, after: string): Promise<Tried['faults']> {
    const build = 'gcc -x c -o prog prog.sh';
    const { faults } = await tried(before, after, { build, run: './prog', faults: true });
    return faults.filter(({ fault }) => /calls|short/.test(fault));
  }

  test('are no harm to who goes on with the rest, before and after', async () => {
    expect(await faultsOf(CAREFUL, CAREFUL)).toEqual(
      ['interrupted calls (EINTR)', 'short reads and writes'].map((fault) => ({
        fault,
        equal: true,
        worse: false,
        before: expect.stringMatching(
          /^exit status 0, all files as without it \([1-9]\d* calls disturbed\)$/,
        ) as string,
        after: expect.stringMatching(/^exit status 0, all files as without it \([1-9]\d* calls disturbed\)$/) as string,
      })),
    );
  });

  test('show a change that no longer tells what is lost, or loses what was not', async () => {
    expect((await faultsOf(STRICT, BLIND)).map(({ worse }) => worse)).toEqual([true, true]);
    expect((await faultsOf(CAREFUL, STRICT)).map(({ worse }) => worse)).toEqual([true, true]);
    expect((await faultsOf(BLIND, STRICT)).map(({ worse }) => worse)).toEqual([false, false]);
  });

  test('reach streams of the C library: they go on by themselves when a call is short, and lose what is interrupted', async () => {
    const [interrupted, short] = await faultsOf(CAREFUL, STREAM);
    expect(interrupted).toMatchObject({ worse: true, after: expect.stringContaining('told') as string });
    expect(short).toMatchObject({ worse: false, equal: true });
  });

  test('cannot be tried without a compiler, and that is said', async () => {
    const { faults, notes } = await tried('echo a > out', 'echo a > out', {
      faults: true,
      environment: { ...process.env, CC: 'no-such-compiler' },
    });
    expect(faults.filter(({ fault }) => /calls|short/.test(fault))).toEqual([]);
    expect(notes).toContain(
      'interrupted calls (EINTR) and short reads and writes were not tried: there is no C compiler (no-such-compiler)',
    );
  });
});

test('several changes are tried side by side, also where one of them does not build', async () => {
  const texts = (text: string): ReadonlyMap<string, string> => new Map([['prog.sh', text]]);
  const changes = [
    { name: 'a', texts: texts('echo one > out # same') },
    { name: 'b', texts: texts('if') },
    { name: 'c', texts: texts('echo two! > out') },
  ];
  const result = await tried('echo one > out', '', { changes, build: 'sh -n prog.sh', repeat: 3 });
  expect(result.changes.map(({ comparison }) => comparison.differences)).toEqual([
    [],
    expect.any(Array) as string[],
    ['out: 4 bytes before, 5 after'],
  ]);
  expect(result.changes.map(({ buildErrors }) => buildErrors !== undefined)).toEqual([false, true, false]);
  expect(result.original.times).toHaveLength(3);
  expect(result.changes.map(({ times }) => times.length)).toEqual([3, 0, 3]);
});
