import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CALLS, eventTrace } from '../../../test/support/event-trace.ts';
import { rounds } from '../../../test/support/rounds.ts';
import type { Stream, Trace } from '../../trace/trace.ts';
import { expandPatterns, valueIn } from './expand-patterns.ts';
import { findLoops } from './find-loops.ts';
import type { StreamPattern } from './pattern.ts';

const WRITE = CALLS.findIndex(([name]) => name === 'write');
const ITERATIONS = 5;

/** Streams that write a file in loops: each from a place of its own on, pieces of a size of its own. */
function writers(streams: readonly Partial<Stream>[], from: readonly number[], sizes: readonly number[] = []): Trace {
  return eventTrace(streams, ['/f'], streams.length * ITERATIONS, (event, row) => {
    const stream = Math.floor(row / ITERATIONS);
    const offset = from[stream]! + (row % ITERATIONS) * 1_000_000;
    Object.assign(event, { stream, call: WRITE, file: 0, duration: 1, bytes: sizes[stream] ?? 8, offset });
  });
}

/** Streams of each group with their numbers, and what grows from number to number: offset, size. */
function groupsOf(trace: Trace): unknown[] {
  return findLoops(trace).map(({ streams, numbers, patterns }: StreamPattern) => {
    const [loop] = patterns;
    const call = loop?.kind === 'loop' ? loop.body[0] : undefined;
    if (call?.kind !== 'call') throw new Error('a call in a loop was expected');
    return [streams, numbers, call.offset?.perStream ?? 0, call.requested?.perStream ?? 0];
  });
}

const thread = (rank: number, which: number): Partial<Stream> => ({
  ...{ rank, processId: 100 + rank * 10, pid: 100 + rank * 10 + which },
});

describe('threads of ranks', () => {
  test('the first of each rank are one group, the second ones another, both counted by rank', () => {
    const ranks = [0, 1, 2, 3];
    const streams = ranks.flatMap((rank) => [thread(rank, 1), thread(rank, 2)]);
    const from = ranks.flatMap((rank) => [rank * 2000, rank * 2000 + 700]);
    expect(groupsOf(writers(streams, from))).toEqual([
      [[0, 2, 4, 6], ranks, 2000, 0],
      [[1, 3, 5, 7], ranks, 2000, 0],
    ]);
  });

  test('of two ranks too, in whatever order the threads began', () => {
    const streams = [thread(0, 1), thread(1, 2), thread(1, 1), thread(0, 2)];
    expect(groupsOf(writers(streams, [0, 2700, 2000, 700]))).toEqual([
      [[0, 2], [0, 1], 2000, 0],
      [[1, 3], [1, 0], 2000, 0],
    ]);
  });

  test('that all do the same are one group', () => {
    const streams = [thread(0, 1), thread(0, 2), thread(1, 1), thread(1, 2)];
    expect(groupsOf(writers(streams, [5, 5, 25, 25]))).toEqual([[[0, 1, 2, 3], [0, 0, 1, 1], 20, 0]]);
    expect(groupsOf(writers(streams.slice(0, 2), [5, 5]))).toEqual([[[0, 1], [0, 0], 0, 0]]);
  });

  test('one that computes in a thread groups with ranks whose main thread does', () => {
    const streams = [thread(0, 0), thread(1, 1), thread(2, 0), thread(3, 0)];
    expect(groupsOf(writers(streams, [0, 100, 200, 300]))).toEqual([[[0, 1, 2, 3], [0, 1, 2, 3], 100, 0]]);
  });

  test('a launcher without a rank does not number ranks', () => {
    const streams = [{}, thread(0, 0), thread(1, 0), thread(2, 0)];
    expect(groupsOf(writers(streams, [0, 100, 200, 300]))).toEqual([
      [[0], [0], 0, 0],
      [[1, 2, 3], [0, 1, 2], 100, 0],
    ]);
  });
});

test('sizes may differ by a multiple of the rank', () => {
  const streams = [0, 1, 2, 3].map((rank) => thread(rank, 0));
  const trace = writers(streams, [0, 100, 200, 300], [1000, 1010, 1020, 1030]);
  expect(groupsOf(trace)).toEqual([[[0, 1, 2, 3], [0, 1, 2, 3], 100, 10]]);
  expect(groupsOf(writers(streams, [0, 100, 200, 300], [1000, 1010, 1020, 7]))).toEqual([
    [[0, 1, 2], [0, 1, 2], 100, 10],
    [[3], [3], 0, 0],
  ]);
});

describe('processes without ranks are counted by their places in the group', () => {
  test('in the order of what they do', () => {
    const trace = writers([{ pid: 70 }, { pid: 90 }, { pid: 80 }], [200, 0, 100]);
    expect(groupsOf(trace)).toEqual([[[1, 2, 0], [0, 1, 2], 100, 0]]);
  });

  test('others in between do not matter; two of many that only differ are no group', () => {
    const trace = writers([{}, {}, {}, {}, {}], [0, 100, 7, 200, 300]);
    expect(groupsOf(trace)).toEqual([
      [[0, 1, 3, 4], [0, 1, 2, 3], 100, 0],
      [[2], [0], 0, 0],
    ]);
    expect(groupsOf(writers([{}, {}, {}], [0, 100, 7])).length).toBe(3);
    expect(groupsOf(writers([{}, {}, {}], [0, 100, 0]))).toEqual([
      [[0, 2], [0, 1], 0, 0],
      [[1], [0], 0, 0],
    ]);
  });
});

test('nothing is lost: each stream of a group is what the pattern says with its number', () => {
  const place = fc.constantFrom(0, 10, 20, 30, 40, 7);
  const stream = fc.record({ rank: fc.constantFrom(undefined, 0, 1, 2, 5), from: place, size: place });
  const isWhole = (all: readonly { rank: number | undefined; from: number; size: number }[]): void => {
    const streams = all.map(({ rank }) => (rank === undefined ? {} : { rank }));
    const [from, sizes] = [all.map((one) => one.from), all.map((one) => one.size)];
    const seen = new Map<number, number[][]>();
    for (const group of findLoops(writers(streams, from, sizes))) {
      group.streams.forEach((member, i) => {
        const further = group.numbers[i]! - group.numbers[0]!;
        expect(streams[member]!.rank ?? i).toBe(group.numbers[i]);
        const calls = Array.from(expandPatterns(group.patterns), ({ pattern, iterations }) => {
          if (pattern.kind !== 'call') throw new Error('a call was expected');
          return [pattern.offset!, pattern.requested!].map((number) => valueIn(number, iterations, further));
        });
        seen.set(member, calls);
      });
    }
    const expected = all.map((one) =>
      Array.from({ length: ITERATIONS }, (_, i) => [one.from + i * 1_000_000, one.size]),
    );
    expect(all.map((_, member) => seen.get(member))).toEqual(expected);
  };
  fc.assert(fc.property(fc.array(stream, { minLength: 1, maxLength: 12 }), isWhole), { numRuns: rounds(300) });
});
