import { expect, test } from 'vitest';
import type { Stream } from '../../trace/trace.ts';
import { streamNumbers } from './stream-numbers.ts';

const stream = (pid: number, processId: number, rank?: number): Stream => ({
  ...{ host: 'node', pid, processId, part: 0 },
  ...(rank !== undefined && { rank }),
});

test('streams are numbered by their ranks; helper threads and launchers have larger numbers', () => {
  const streams = [
    stream(1, 1),
    // A thread of MPI's own is seen before the program's.
    ...[stream(11, 10, 0), stream(10, 10, 0)],
    ...[stream(20, 20, 1), stream(21, 20, 1)],
    stream(33, 30, 5),
  ];
  expect(streamNumbers(streams)).toEqual([6, 7, 0, 1, 8, 5]);
});

test('without ranks by their places', () => {
  expect(streamNumbers([stream(7, 7), stream(9, 9)])).toEqual([0, 1]);
});
