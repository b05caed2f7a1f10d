import { describe, expect, test } from 'vitest';
import { LineShift } from './line-shift.ts';

const header = (text: string): string => `--- a/x.c\n+++ b/x.c\n${text}\n`;

describe('LineShift', () => {
  test('lines behind an insertion move, those before stay', () => {
    const shift = LineShift.fromDiff(header('@@ -4,0 +5,10 @@'));
    expect(shift.place(4)).toEqual({ line: 4, changed: false });
    expect(shift.place(5)).toEqual({ line: 15, changed: false });
  });
  test('an insertion before the first line', () =>
    expect(LineShift.fromDiff(header('@@ -0,0 +1 @@')).place(1)).toEqual({ line: 2, changed: false }));
  test('changed lines are said to be changed and lead to their successors', () => {
    const shift = LineShift.fromDiff(header('@@ -10,3 +12,2 @@'));
    expect([10, 11, 12, 13].map((line) => shift.place(line))).toEqual([
      { line: 12, changed: true },
      { line: 13, changed: true },
      { line: 13, changed: true },
      { line: 12, changed: false },
    ]);
  });
  test('removed lines lead to what follows them', () => {
    const shift = LineShift.fromDiff(header('@@ -7,2 +6,0 @@'));
    expect(shift.place(7)).toEqual({ line: 7, changed: true });
    expect(shift.place(9)).toEqual({ line: 7, changed: false });
  });
  test('several hunks add up; no difference moves nothing', () => {
    const shift = LineShift.fromDiff(header('@@ -2 +2,3 @@ int f(void)\n-a\n+b\n@@ -20,0 +23 @@'));
    expect(shift.place(19)).toEqual({ line: 21, changed: false });
    expect(shift.place(30)).toEqual({ line: 33, changed: false });
    expect(LineShift.fromDiff('').isEmpty).toBe(true);
  });
});
