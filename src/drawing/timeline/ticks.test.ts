import { describe, expect, test } from 'vitest';
import { exactLength, exactPoint, exactTime, niceStep, timeLabel, timeTicks, valueTicks } from './ticks.ts';

describe('ticks of an axis', () => {
  test.each([
    [0, 1e9, 1000, ['0', '100 ms', '200 ms']],
    [1.2e9, 1.3e9, 500, ['1.2 s', '1.22 s', '1.24 s']],
    [0, 4e6, 400, ['0', '1 ms', '2 ms', '3 ms', '4 ms']],
    [0, 300e9, 600, ['0', '1 min', '2 min', '3 min']],
    [118e9, 124e9, 600, ['1 min 58 s', '1 min 59 s', '2 min', '2 min 1 s']],
    [2e9, 2e9 + 2000, 400, ['2 s + 0', '+1 µs', '+2 µs']],
    [1.20001e9 + 3e3, 1.20001e9 + 53e3, 900, ['1.2 s + 20 µs', '+30 µs', '+40 µs']],
    [3723.4e9, 3723.4e9 + 100, 900, ['62 min 3.4 s + 0', '+20 ns', '+40 ns']],
    [0, 1000, 400, ['0', '500 ns', '1 µs']],
    [0, 36000e9, 700, ['0', '2 h', '4 h']],
  ])('from %d to %d ns on %d pixels', (fromNs, toNs, width, first) => {
    const labels = timeTicks({ fromNs, toNs }, width).map(({ label }) => label);
    expect(labels.slice(0, first.length)).toEqual(first);
  });

  test('no two labels of an axis are the same, and none is closer than its spacing', () => {
    for (let power = 2; power < 15; power += 0.37) {
      const from = 7.3 * 10 ** power;
      const ticks = timeTicks({ fromNs: from, toNs: from + 10 ** power }, 900);
      expect(new Set(ticks.map(({ label }) => label)).size, `10^${power} ns`).toBe(ticks.length);
      expect(ticks.length).toBeGreaterThan(1);
      for (let i = 1; i < ticks.length; i++)
        expect(((ticks[i]!.at - ticks[i - 1]!.at) / 10 ** power) * 900).toBeGreaterThanOrEqual(95.9);
    }
  });

  test('steps are those that people count in', () =>
    expect([3, 70, 1.1e9, 12e9, 45e9, 100e9, 3e12, 5e12].map(niceStep)).toEqual([
      5, 100, 2e9, 20e9, 60e9, 120e9, 3600e9, 7200e9,
    ]));

  test('nothing is finer than a nanosecond', () =>
    expect(timeTicks({ fromNs: 0, toNs: 1 }, 860).map(({ label }) => label)).toEqual(['0', '1 ns']));

  test('a time that is read off is exact', () => {
    expect([0, 999, 12_345, 1_234_567, 1_234_567_891].map(exactTime)).toEqual([
      '0 ns',
      '999 ns',
      '12.345 µs',
      '1.235 ms',
      '1.234568 s',
    ]);
    expect(timeLabel(90.5e9, 0.5e9)).toBe('1 min 30.5 s');
  });

  test('an axis without a clock counts calls', () => {
    const span = { fromNs: 0, toNs: 5_000 };
    expect(timeTicks(span, 500, 'order').map(({ label }) => label)).toEqual([
      '0',
      '1,000',
      '2,000',
      '3,000',
      '4,000',
      '5,000',
    ]);
    expect(timeTicks({ fromNs: 0, toNs: 3 }, 900, 'order').map(({ label }) => label)).toEqual(['0', '1', '2', '3']);
    expect([exactPoint(1234, 'order'), exactLength(1, 'order'), exactLength(2e9, 'time')]).toEqual([
      'call 1,234',
      '1 call',
      '2 s',
    ]);
  });

  test('a lane ends at a round number that nothing is above', () => {
    expect(valueTicks(0, 'calls')).toEqual([]);
    expect(valueTicks(3, 'calls').map(({ label }) => label)).toEqual(['0', '3']);
    expect(valueTicks(17, 'calls').map(({ label }) => label)).toEqual(['0', '10', '20']);
    expect(valueTicks(1.7e9, 'bytes per second').map(({ label }) => label)).toEqual(['0', '1 GB/s', '2 GB/s']);
    expect(valueTicks(0.5, 'bytes per second').at(-1)!.at).toBeGreaterThanOrEqual(0.5);
  });
});
