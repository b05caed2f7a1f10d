import { describe, expect, test } from 'vitest';
import { lines, read } from '../../../test/support/darshan/darshan-samples.ts';
import type { Trace } from '../../trace/trace.ts';

/** Segments that begin one second after the other. @param durations in units of 0.1 ms. */
function readSegments(durations: readonly number[]): Promise<Trace> {
  const rows = durations.map((duration, i) => {
    const end = i + duration / 1e4;
    return ` X_POSIX       0  write${String(i).padStart(9)}               0             100${i.toFixed(4).padStart(12)}${end.toFixed(4).padStart(12)}`;
  });
  const head = [
    '# DXT, file_id: 7, file_name: /scratch/a',
    '# DXT, rank: 0, hostname: nid1',
    `# DXT, write_count: ${durations.length}, read_count: 0`,
  ];
  return read(lines('', '# ***', '# DXT_POSIX module data', '# ***', '', ...head, ...rows));
}
const durationsOf = ({ events }: Trace): number[] =>
  Array.from({ length: events.length }, (_, row) => Math.round(events.value('duration', row)));

describe('durations of times with four decimals', () => {
  test('are not known where most calls seem to take no time and the others are few', async () => {
    const trace = await readSegments([...Array.from({ length: 99 }, (_, i) => (i % 20 === 0 ? 1 : 0)), 2]);
    expect(trace.damage).toEqual([]);
    expect(trace.capabilities).toMatchObject({ time: true, duration: false });
    expect(durationsOf(trace)).toEqual(Array.from({ length: 100 }, () => NaN));
    expect(trace.events.value('start', 99)).toBe(99e9);
    expect(trace.durationNs).toBe(99_000_200_000);
    expect(trace.notes.join()).toContain('how long they took is not known, findings go by calls and bytes');
  });

  test('are kept where long calls are most of the time', async () => {
    const trace = await readSegments([...Array.from({ length: 99 }, () => 0), 5000]);
    expect(trace.capabilities.duration).toBe(true);
    expect(durationsOf(trace)[99]).toBe(500_000_000);
    expect(trace.notes.join()).toContain('seem to take no time');
  });

  test('are kept where most calls are longer than the last decimal', async () => {
    const trace = await readSegments([0, 2, 3]);
    expect(trace.capabilities.duration).toBe(true);
    expect(durationsOf(trace)).toEqual([0, 200_000, 300_000]);
  });
});
