import { describe, expect, test } from 'vitest';
import { randomNumbers } from '../../../test/support/random-numbers.ts';
import { changePoints, strongestStretch } from './change-points.ts';
import { higherByChance, percentileOf, quantile, rankSums, tailOfNormal } from './ranks.ts';

const SEEDS = 200;

/** Between 0 and 1, never one of them. */
function uniform(seed: number): () => number {
  const random = randomNumbers(1 + seed * 7919);
  for (let i = 0; i < 10; i++) random(2);
  return () => (random(1_000_000) + 0.5) / 1_000_000;
}

function normal(seed: number): () => number {
  const next = uniform(seed);
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}

type Noise = (seed: number, count: number) => number[];
const each = (next: () => number, count: number): number[] => Array.from({ length: count }, () => next());

const NOISES: Record<string, Noise> = {
  normal: (seed, count) => each(normal(seed), count),
  'log-normal, as bandwidths are': (seed, count) => each(normal(seed), count).map((value) => Math.exp(value)),
  Cauchy: (seed, count) => each(uniform(seed), count).map((value) => Math.tan(Math.PI * (value - 0.5))),
  'of three values only': (seed, count) => each(uniform(seed), count).map((value) => Math.floor(value * 3)),
  'that is the same nearly always': (seed, count) => each(uniform(seed), count).map((value) => (value > 0.9 ? 1 : 0)),
  'with a spread that grows': (seed, count) => each(normal(seed), count).map((value, i) => value * (1 + i / 20)),
};
const LENGTHS = [12, 20, 50, 120];

describe('a change is told of noise no more often than is said', () => {
  test.each(Object.keys(NOISES))('%s', (name) => {
    const pValues: number[] = [];
    for (let seed = 0; seed < SEEDS; seed++)
      pValues.push(strongestStretch(NOISES[name]!(seed, LENGTHS[seed % LENGTHS.length]!))!.pValue);
    const share = (bound: number): number => pValues.filter((value) => value <= bound).length / SEEDS;
    expect(share(0.01)).toBeLessThanOrEqual(0.01);
    expect(share(0.05)).toBeLessThanOrEqual(0.05);
    expect(share(0.2)).toBeLessThanOrEqual(0.2);
  });

  test('that has a memory: a file system is slow for days', () => {
    const alarms = (memory: number): number =>
      Array.from({ length: SEEDS }, (_, seed) => {
        const next = normal(seed);
        let state = 0;
        const series = Array.from({ length: 80 }, () => (state = memory * state + next()));
        return strongestStretch(series)!.pValue <= 0.01 ? 1 : 0;
      }).reduce<number>((sum, one) => sum + one, 0) / SEEDS;
    expect(alarms(0.3)).toBeLessThanOrEqual(0.03);
    expect(alarms(0.6)).toBeLessThanOrEqual(0.06);
  });
});

describe('a change that was made is found', () => {
  test.each([
    [40, 35, 1],
    [12, 60, 0.95],
    [60, 10, 0.95],
    [10, 10, 0.8],
  ])('%i values before, %i behind it', (before, after, least) => {
    let found = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const next = normal(seed);
      const values = Array.from(
        { length: before + after },
        (_, i) => (i < before ? 1.2 : 0.6) * Math.exp(0.15 * next()),
      );
      const changes = changePoints(values, 0.01);
      if (changes.some(({ at }) => Math.abs(at - before) <= 4)) found++;
      expect(changes.length).toBeLessThanOrEqual(2);
    }
    expect(found / SEEDS).toBeGreaterThanOrEqual(least);
  });

  test('and that it went again', () => {
    const next = normal(3);
    const values = Array.from({ length: 90 }, (_, i) => (i >= 30 && i < 55 ? 0.5 : 1) * Math.exp(0.1 * next()));
    expect(changePoints(values, 0.01).map(({ at, from, to }) => [at, from, to])).toEqual([
      [30, 0, 55],
      [55, 30, 90],
    ]);
  });

  test('of a long series, in a moment', () => {
    const next = normal(4);
    const values = Array.from({ length: 20_000 }, (_, i) => (i < 15_000 ? 1 : 0.9) * Math.exp(0.3 * next()));
    const changes = changePoints(values, 0.01);
    expect(changes).toHaveLength(1);
    expect(Math.abs(changes[0]!.at - 15_000)).toBeLessThan(100);
  });
});

describe('ranks', () => {
  test('of equal values are the mean of theirs', () => {
    expect([...rankSums([3, 1, 3, 2]).ranks]).toEqual([3.5, 1, 3.5, 2]);
    expect([...rankSums([3, 1, 3, 2]).sums]).toEqual([0, 3.5, 4.5, 8, 10]);
  });

  test('say where a value lies', () => {
    expect(percentileOf(2, [1, 2, 3, 4])).toBe(0.375);
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([], 0.5)).toBeUndefined();
    const low = [1, 2, 3, 4, 5, 6, 7];
    expect(
      higherByChance(
        low,
        low.map((value) => value + 10),
      ),
    ).toBeLessThan(0.002);
    expect(
      higherByChance(
        low.map((value) => value + 10),
        low,
      ),
    ).toBeGreaterThan(0.99);
  });

  test('the tail of the normal distribution, as tables have it', () => {
    for (const [z, tail] of [
      [0, 0.5],
      [1.959964, 0.025],
      [-1.959964, 0.975],
      [5, 2.866516e-7],
      [10, 7.619853e-24],
    ] as const)
      expect(tailOfNormal(z) / tail).toBeCloseTo(1, 5);
  });
});
