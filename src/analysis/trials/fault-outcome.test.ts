import { expect, test } from 'vitest';
import { comparedEnd, comparedFault } from './fault-outcome.ts';
import type { Content, Outcome } from './outcome.ts';

const content = (size: number, hash = String(size)): Content => ({ kind: 'file', size, hash, bytes: undefined });

function outcome(end: string, size: number, said = 'done'): Outcome {
  return { end, output: content(4, said), files: new Map([['out', content(size)]]), grown: size };
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
