import { afterEach, expect, test, vi } from 'vitest';
import { memoryFile } from '../../../test/support/memory-file.ts';
import type { Trace } from '../../trace/trace.ts';
import { readStrace } from './strace-reader.ts';

const read = (lines: readonly string[]): Promise<Trace> =>
  readStrace([memoryFile('t.strace', lines.map((line, i) => `${line.replace(' ', ` ${i}.5 `)}\n`).join(''))]);

/** Where the child's only call went: to a file of the one that made it, if the reader knows who that was. */
async function pathOfChild(...lines: string[]): Promise<string | undefined> {
  const trace = await read(['1 openat(AT_FDCWD, "/tmp/of-1", O_WRONLY) = 3 <0.1>', ...lines]);
  const file = trace.events.value('file', trace.events.length - 1);
  return file < 0 ? undefined : trace.files.at(file).path;
}

const CLONE = 'clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD <unfinished ...>';
const WRITE = '9 write(3, "x", 1) = 1 <0.1>';

afterEach(() => void vi.restoreAllMocks());

/** How often a table of everything is gone through while so many processes appear, inside forks and outside. */
async function walks(processes: number): Promise<number> {
  const lines = Array.from({ length: processes }, (_, i) =>
    i % 2 === 0 ? `${i + 1} write(1, "x", 1) = 1 <0.1>` : `${i + 1} ${CLONE}`,
  );
  const values = vi.spyOn(Map.prototype, 'values');
  await read(lines);
  const { length } = values.mock.calls;
  values.mockRestore();
  return length;
}

test('a process that appears is placed without looking at all the others', async () => {
  expect(await walks(400)).toBe(await walks(40));
});

test('a process that appears inside the only fork is its child', async () => {
  expect(await pathOfChild(`1 ${CLONE}`, WRITE)).toBe('/tmp/of-1');
});

test.each([
  ['two are inside a fork', [`2 ${CLONE}`, `1 ${CLONE}`]],
  ['the fork has returned', [`1 ${CLONE}`, '1 <... clone resumed>) = 8 <0.1>']],
  ['the fork never returned, as the next call shows', [`1 ${CLONE}`, '1 getpid() = 1 <0.1>']],
  ['the one inside a fork has exited', [`1 ${CLONE}`, '1 +++ exited with 0 +++']],
])('a process that appears is nobody’s child when %s', async (_name, lines) => {
  expect(await pathOfChild(...lines, WRITE)).toBeUndefined();
});

test('a fork that is left makes the other one the only one again', async () => {
  expect(await pathOfChild(`1 ${CLONE}`, `2 ${CLONE}`, '2 +++ exited with 0 +++', WRITE)).toBe('/tmp/of-1');
});

test('a leader whose fork is cut short by another thread’s execve is inside no fork', async () => {
  const thread = ['5 execve("/bin/a", ["a"], 0x7f /* 1 vars */ <unfinished ...>'];
  const lines = [`1 ${CLONE}`, ...thread, '1 +++ superseded by execve in pid 5 +++'];
  expect(await pathOfChild(...lines, WRITE)).toBeUndefined();
});
