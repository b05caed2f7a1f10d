import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Tracks } from './tracks.ts';

test('nested calls share a track, overlapping ones do not', () => {
  const tracks = new Tracks(2);
  expect(tracks.place(0, 0, 10)).toBe(0);
  expect(tracks.place(0, 2, 5)).toBe(0);
  expect(tracks.place(0, 5, 10)).toBe(0);
  expect(tracks.place(0, 8, 12)).toBe(1);
  expect(tracks.place(1, 8, 9)).toBe(2);
  expect(tracks.place(0, 11, 13)).toBe(0);
  expect(tracks.all).toEqual([
    { stream: 0, lane: 0 },
    { stream: 0, lane: 1 },
    { stream: 1, lane: 0 },
  ]);
});

test('on a track any two calls are apart or one lies within the other', () => {
  const call = fc.record({ start: fc.nat(60), length: fc.nat(30), endless: fc.boolean() });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 40 }), (calls) => {
      const tracks = new Tracks(1);
      const placed = calls
        .sort((a, b) => a.start - b.start)
        .map(({ start, length, endless }) => {
          const end = endless && length === 7 ? Infinity : start + length;
          return { start, end, track: tracks.place(0, start, end) };
        });
      placed.forEach((a, i) => {
        for (const b of placed.slice(i + 1)) {
          const isApart = b.start >= a.end;
          if (a.track === b.track) expect(isApart || b.end <= a.end, JSON.stringify([a, b])).toBe(true);
        }
      });
    }),
  );
});
