import { expect, test } from 'vitest';
import type { RunCost } from '../../src/analysis/gain/cost.ts';
import { analysed } from '../support/analysed-text.ts';
import { EMPTY_NOTE } from '../../src/session/reading/write-note.ts';
import { frame, line, StraceText } from '../support/strace-text.ts';

/** What strace -k takes for each frame between two calls, and what a busy machine adds to one in twenty; microseconds. */
const PER_FRAME = 100;
const DELAY = 3000;

const LOADER = Array.from({ length: 10 }, () => frame('ld-linux-x86-64.so.2', '_dl_map_object'));
const PROGRAM = [frame('libc.so.6', '__write'), line(7), line(30), line(31), line(32)];

/**
 * A loop of small writes, with so much computing in each turn, or in one of so many; the run without strace.
 * @param userNs what processors worked for the program.
 */
async function run(computing: number, every = 1, userNs?: number): Promise<RunCost> {
  const text = new StraceText();
  text.times(20, (i) =>
    text.call(1, `openat(AT_FDCWD, "/lib/l${i}.so", O_RDONLY) = 3</lib/l${i}.so>`, 12, LOADER).wait(10 * PER_FRAME),
  );
  text.call(1, 'openat(AT_FDCWD, "/w/a", O_WRONLY) = 3</w/a>', 20, PROGRAM).wait(5 * PER_FRAME);
  text.times(4000, (i) => {
    const isDelayed = i % 20 === 7;
    text.call(1, 'write(3</w/a>, "x"..., 16) = 16', isDelayed ? DELAY : 11, PROGRAM);
    text.wait(5 * PER_FRAME + (i % 20 === 13 ? 3 * DELAY : 0) + (i % every === 0 ? computing : 0));
  });
  const life = userNs === undefined ? undefined : { lastedNs: 60e9, userNs, systemNs: 1e9 };
  return (await analysed(text, {}, life && { ...EMPTY_NOTE, life })).run;
}

test('looking at stacks, and waiting for a processor, is no part of the run', async () => {
  const { untracedNs, mostNs, ioShare } = await run(0);
  expect(untracedNs).toBeLessThan(10e6);
  expect(ioShare).toBeGreaterThan(0.3);
  // It may have been computing, too.
  expect(mostNs).toBeGreaterThan(1e9);
});

test('what the program computes in each turn is', async () => {
  const { untracedNs } = await run(2000);
  expect(untracedNs).toBeGreaterThan(0.7 * 4000 * 2e6);
  expect(untracedNs).toBeLessThan(1.3 * 4000 * 2e6);
});

test('and what it computes now and then, however its calls are counted', async () => {
  const { untracedNs } = await run(40_000, 8);
  expect(untracedNs).toBeGreaterThan(0.7 * 500 * 40e6);
  expect(untracedNs).toBeLessThan(1.3 * 500 * 40e6);
});

test('processors know how long the program computed', async () => {
  const guessed = await run(4000, 2);
  const known = await run(4000, 2, 4e9);
  expect(Math.abs(guessed.untracedNs - 4e9)).toBeGreaterThan(1e9);
  expect(known.untracedNs / 4e9).toBeCloseTo(1, 1);
  expect(known.mostNs / 5e9).toBeCloseTo(1, 1);
  expect(known.boundBy).toBe('computing');
});

test('where they worked for less than lies between the calls each time, the program slept', async () => {
  const { untracedNs, boundBy } = await run(2000, 1, 0.1e9);
  expect(untracedNs).toBeGreaterThan(0.7 * 4000 * 2e6);
  expect(boundBy).not.toBe('computing');
});

/** Children one after the other, which the first process waits for. @param between their calls, microseconds. */
async function children(between: number): Promise<RunCost> {
  const text = new StraceText();
  text.times(30, (i) => {
    const child = 2 + i;
    text.call(1, `clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD) = ${child}`, 50, PROGRAM).wait(500);
    text.times(20, () =>
      text.call(child, 'newfstatat(AT_FDCWD, "/w/a", {st_mode=S_IFREG|0644, ...}, 0) = 0', 15, PROGRAM).wait(between),
    );
  });
  const life = { lastedNs: 60e9, userNs: 0.03e9, systemNs: 0.03e9 };
  return (await analysed(text, {}, { ...EMPTY_NOTE, life })).run;
}

test('who waits for processes that the tracer stops waits for the tracer', async () => {
  const { untracedNs, mostNs } = await children(3000);
  expect(untracedNs).toBeLessThan(0.15e9);
  expect(mostNs).toBeGreaterThan(untracedNs);
});

test('and for processes that sleep while the run lasts', async () => {
  const { untracedNs } = await children(50_000);
  expect(untracedNs).toBeGreaterThan(0.8 * 30 * 20 * 50e6);
});
