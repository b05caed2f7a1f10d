import { expect, test } from 'vitest';
import type { Trace } from '../../trace/trace.ts';
import { waitedShares } from './hidden.ts';
import type { CallGroup } from './observed-calls.ts';

/** A process of a first thread and another, whose I/O takes 100 ms of the second that the process lasts. */
function shareOf(firstThreadNs: number | undefined, ioOfFirst = false): number {
  const life = { lastedNs: 1e9, userNs: 1e9, systemNs: 0, ...(firstThreadNs !== undefined && { firstThreadNs }) };
  const stream = (pid: number): Trace['streams'][number] => ({ host: '', pid, processId: 7, part: 0 });
  const part = { name: '', path: '', commandId: '', host: '', launchId: '', run: '', life };
  const trace = { streams: [stream(7), stream(8)], parts: [part] } as unknown as Trace;
  const group = { laneTimes: new Map([[ioOfFirst ? 0 : 1, 100e6]]) } as unknown as CallGroup;
  const lanes = { of: Int32Array.from([0, 1]), count: 2 };
  return waitedShares(trace, lanes, [group]).get(ioOfFirst ? 0 : 1) ?? 1;
}

test('of I/O beside the first thread so much is waited for as that thread waits', () => {
  expect(shareOf(1e9)).toBe(0);
  expect(shareOf(950e6)).toBeCloseTo(0.5, 9);
  expect(shareOf(200e6)).toBe(1);
});

test('the first thread waits for its own, and what nobody recorded hides nothing', () => {
  expect(shareOf(1e9, true)).toBe(1);
  expect(shareOf(undefined)).toBe(1);
});
