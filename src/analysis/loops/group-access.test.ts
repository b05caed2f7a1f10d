import { expect, test } from 'vitest';
import { CALLS, eventTrace } from '../../../test/support/event-trace.ts';
import { findLoops } from './find-loops.ts';
import { groupAccess, spreadOf } from './group-access.ts';

const WRITE = CALLS.findIndex(([name]) => name === 'write');

/** How three ranks write 12 times each, in one group: rank r `sizes[r]` bytes, each time `steps` further. */
function accessOf(sizes: readonly number[], step: number, moved: readonly number[] = sizes): unknown {
  const streams = sizes.map((_, rank) => ({ rank }));
  const trace = eventTrace(streams, ['/f'], sizes.length * 12, (event, row) => {
    const stream = Math.floor(row / 12);
    Object.assign(event, { stream, call: WRITE, file: 0, offset: stream * 50 + (row % 12) * step });
    Object.assign(event, { bytes: moved[stream]!, requested: sizes[stream]! });
  });
  const [group, ...others] = findLoops(trace);
  const [loop] = group!.patterns;
  if (loop?.kind !== 'loop' || others.length > 0) throw new Error('one loop of all was expected');
  const access = groupAccess(trace, loop, 0, spreadOf(group!.numbers));
  return access && [access.kind, access.bytes, access.movedBytes, access.isSteady];
}

test('ranks that write other sizes each leave gaps where all of them do', () => {
  expect(accessOf([100, 110, 120], 1000)).toEqual(['strided', 110, 110, true]);
  expect(accessOf([980, 990, 1000], 1000)).toBeUndefined();
});

test('an average that happens to be the step is nothing that goes on', () => {
  expect(accessOf([900, 1000, 1100], 1000)).toBeUndefined();
  expect(accessOf([1000, 1000, 1000], 1000)).toEqual(['contiguous', 1000, 1000, true]);
});

test('nothing is said where sizes differ and not all of it was moved', () => {
  expect(accessOf([100, 110, 120], 1000, [100, 110, 60])).toBeUndefined();
  expect(accessOf([100, 100, 100], 1000, [100, 100, 40])).toEqual(['strided', 100, 80, false]);
});
