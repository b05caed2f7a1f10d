import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StorageSamples } from '../../trace/storage-samples.ts';
import { Bins } from './bins.ts';
import { storageLanes } from './storage-lanes.ts';

const ORIGIN = 1_700_000_000;

function samples(steps: readonly (readonly [seconds: number, read: number, written: number])[]): StorageSamples {
  const column = (of: 0 | 1 | 2): number[] => {
    let sum = of === 0 ? ORIGIN - 1 : 0;
    return [sum, ...steps.map((step) => (sum += step[of]))];
  };
  return { at: column(0), read: column(1), written: column(2), stalled: column(0).map((at) => (at - ORIGIN + 1) / 4) };
}

const STEPS = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(1e9), fc.nat(1e9)), { minLength: 1 });

test('however long the bins are, they hold what went to storage and came from it meanwhile', () => {
  fc.assert(
    fc.property(STEPS, fc.integer({ min: 1, max: 300 }), (steps, count) => {
      const storage = samples(steps);
      const bins = new Bins(0, (storage.at.at(-1)! - ORIGIN + 1) * 1e9, count);
      const lanes = storageLanes([{ trace: { startTime: ORIGIN, durationNs: 60e9 }, storage }], bins)!;
      const sum = (rates: Float32Array): number => rates.reduce((all, rate) => all + (rate * bins.width) / 1e9, 0);
      // The first look was a second before the origin.
      const share = (steps[0]![0] - 1) / steps[0]![0];
      const within = (of: 1 | 2): number => steps.reduce((all, step, i) => all + step[of] * (i === 0 ? share : 1), 0);
      expect(sum(lanes.readRate)).toBeCloseTo(within(1), -3);
      expect(sum(lanes.writeRate)).toBeCloseTo(within(2), -3);
      expect(Math.max(...lanes.waiting!)).toBeLessThanOrEqual(25.001);
    }),
  );
});

test('before the first look and after the last nothing is said to have moved', () => {
  const storage = { at: [ORIGIN + 2, ORIGIN + 3], read: [0, 8e6], written: [0, 0] };
  const lanes = storageLanes([{ trace: { startTime: ORIGIN, durationNs: 60e9 }, storage }], new Bins(0, 5e9, 5))!;
  expect([...lanes.readRate]).toEqual([0, 0, 8e6, 0, 0]);
  expect(lanes.waiting).toBeUndefined();
});

test('of several recordings each counts from its own origin; without a date or a note there are no lanes', () => {
  const [one, other] = [0, 100].map((later) => ({
    trace: { startTime: ORIGIN + later, durationNs: 2e9 },
    storage: { at: [ORIGIN + later, ORIGIN + later + 2], read: [0, 2e6], written: [0, 4e6], stalled: [0, later / 100] },
  }));
  const lanes = storageLanes([one!, other!], new Bins(0, 2e9, 2))!;
  expect([...lanes.readRate]).toEqual([2e6, 2e6]);
  expect([...lanes.waiting!]).toEqual([50, 50]);
  expect(
    storageLanes(
      [{ ...one!, trace: { startTime: null, durationNs: 2e9 } }, { trace: { startTime: 1, durationNs: 1 } }],
      new Bins(0, 1, 1),
    ),
  ).toBeUndefined();
});

test('a note of another time is of another run', () => {
  const storage = { at: [ORIGIN + 2, ORIGIN + 3], read: [0, 8e6], written: [0, 0] };
  for (const startTime of [ORIGIN - 9, ORIGIN + 9])
    expect(storageLanes([{ trace: { startTime, durationNs: 5e9 }, storage }], new Bins(0, 5e9, 5))).toBeUndefined();
});
