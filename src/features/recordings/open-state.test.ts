import { expect, test } from 'vitest';
import { keptOpen, openState } from './open-state.ts';

const A = { paths: ['/w/a.strace'], id: 1, name: 'a' };
const B = { paths: ['/w/b1.darshan', '/w/b2.darshan'], id: 2, isLookedAt: true };

test('what was open is kept by its paths, and read again', () => {
  const state = openState([A, B], B, { base: [A], new: [B] })!;
  expect(state).toEqual({
    recordings: [{ paths: A.paths }, { paths: B.paths, isLookedAt: true }],
    current: B.paths,
    comparison: { base: [A.paths], new: [B.paths] },
  });
  expect(keptOpen(JSON.parse(JSON.stringify(state)))).toEqual(state);
});

test('nothing is kept of nothing', () => {
  expect(openState([], undefined, undefined)).toBeUndefined();
  expect(openState([A], undefined, undefined)).toEqual({ recordings: [{ paths: A.paths }] });
});

test.each([
  undefined,
  null,
  'a.strace',
  {},
  { recordings: [] },
  { recordings: ['/w/a.strace'] },
  { recordings: [{ paths: [] }] },
  { recordings: [{ paths: [7] }] },
  { recordings: [{ paths: ['/w/a'], isLookedAt: 'yes' }] },
  { recordings: [{ paths: ['/w/a'] }], current: '/w/a' },
  { recordings: [{ paths: ['/w/a'] }], comparison: { base: [['/w/a']] } },
])('what is kept in no known way opens nothing: %j', (value) => expect(keptOpen(value)).toBeUndefined());
