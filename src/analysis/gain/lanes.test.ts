import { expect, test } from 'vitest';
import type { Trace } from '../../trace/trace.ts';
import { lanesOf } from './lanes.ts';

/** @param lives first and last of each process; as many streams as threads, the process of each by its leader. */
function lanes(
  lives: readonly (readonly [number, number])[],
  isRank: boolean,
  processOfStream = lives.map((_, i) => i),
) {
  const processes = new Map(
    lives.map(([first, last], i) => [processOfStream.indexOf(i), { first, last, isRank, callsMpi: false }]),
  );
  const streams = processOfStream.map(() => ({}));
  const leaders = processOfStream.map((process) => processOfStream.indexOf(process));
  const metrics = { processes, processOfStream: Int32Array.from(leaders) };
  const { of, count } = lanesOf({ streams } as unknown as Trace, metrics);
  return { of: [...of], count };
}

test('processes that run one after the other share a lane, those that run side by side do not', () => {
  const turns = lanes(
    [
      [0, 10],
      [11, 20],
      [15, 30],
      [21, 40],
    ],
    false,
  );
  expect(turns).toEqual({ of: [0, 0, 1, 0], count: 2 });
});

test('a rank has a lane of its own, whenever it makes its calls', () => {
  const ranks = lanes(
    [
      [0, 10],
      [11, 20],
    ],
    true,
  );
  expect(ranks).toEqual({ of: [0, 1], count: 2 });
});

test('threads run side by side; those of the next process take their places', () => {
  const threads = lanes(
    [
      [0, 10],
      [11, 20],
    ],
    false,
    [0, 0, 1, 1],
  );
  expect(threads).toEqual({ of: [0, 1, 0, 1], count: 2 });
});
