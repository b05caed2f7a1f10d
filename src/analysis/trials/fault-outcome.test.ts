import { expect, test } from 'vitest';
import { comparedDisturbance, comparedEnd, comparedFault } from './fault-outcome.ts';
import type { Content, Outcome } from './outcome.ts';

const content = (size: number, hash = String(size)): Content => ({ kind: 'file', size, hash, bytes: undefined });

function outcome(end: string, size: number, said = 'done'): Outcome {
  return { end, output: content(4, said), errors: content(0), files: new Map([['out', content(size)]]), grown: size };
}

const failed = outcome('exit status 1', 4096, 'no space');

test('a program that fails the same way is no worse off', () => {
  expect(comparedFault('disk full', failed, failed, true)).toEqual({
    fault: 'disk full',
    equal: true,
    worse: false,
    before: 'exit status 1, out 4,096 bytes',
    after: 'exit status 1, out 4,096 bytes',
  });
});

test.each([
  ['it ends as if all were well', outcome('exit status 0', 4096, 'no space')],
  ['it says something else', outcome('exit status 1', 4096, 'done')],
  ['less is in the files', outcome('exit status 1', 4000, 'no space')],
])('it is worse off where %s', (_what, after) => {
  expect(comparedFault('disk full', failed, after, true)).toMatchObject({ equal: false, worse: true });
});

test('what it says does not count where that varies by itself, and more in the files is no harm', () => {
  expect(comparedFault('disk full', failed, outcome('exit status 1', 5000, 'other'), false)).toMatchObject({
    equal: false,
    worse: false,
  });
});

test('times vary: nearly all has to be lost', () => {
  expect(comparedEnd('SIGTERM', { before: 0.6, after: 0.3 }).worse).toBe(false);
  expect(comparedEnd('SIGTERM', { before: 0.6, after: 0 })).toEqual({
    fault: 'SIGTERM',
    equal: false,
    worse: true,
    before: '60 % of what a whole run writes is in the files',
    after: '0 % of what a whole run writes is in the files',
  });
});

test('of disturbed calls it counts whether something is lost, and whether that is told; not how much', () => {
  const sound = [outcome('exit status 0', 4096)];
  const harms = {
    none: sound[0]!,
    told: outcome('exit status 1', 100),
    said: outcome('exit status 0', 4000, 'I/O error'),
    silent: outcome('exit status 0', 10),
  };
  const runs = (...outcomes: ReturnType<typeof outcome>[]) => ({
    sound,
    runs: outcomes.map((each, i) => ({ outcome: each, calls: i + 1 })),
  });
  const kinds = Object.values(harms);
  for (const [i, before] of kinds.entries())
    for (const [j, after] of kinds.entries())
      expect(comparedDisturbance('short', runs(before), runs(after))).toMatchObject({ equal: i === j, worse: j > i });
  // The worst of several runs counts.
  expect(comparedDisturbance('short', runs(harms.none, harms.silent), runs(harms.none, harms.told))).toEqual({
    fault: 'short',
    equal: false,
    worse: false,
    before: 'not told: exit status 0, out 10 bytes, with other contents (2 calls disturbed)',
    after: 'told: exit status 1, out 100 bytes (2 calls disturbed)',
  });
});
