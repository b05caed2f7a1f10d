import { describe, expect, test } from 'vitest';
import type { TimelineRow } from '../../analysis/timeline/timeline.ts';
import { RowLayout, rowHeightFor } from './row-layout.ts';

function row(key: string, parent: number, depth: number, isGroup: boolean): TimelineRow {
  const about = { label: key, description: '', standsFor: 1, events: 1, timeNs: 1, bytes: 0 };
  return { key, parent, depth, isGroup, ...about };
}

/** Two hosts with two ranks each, of which the first has two threads. */
const ROWS: TimelineRow[] = [
  row('a', -1, 0, true),
  row('a0', 0, 1, true),
  row('a0.1', 1, 2, false),
  row('a0.2', 1, 2, false),
  row('a1', 0, 1, false),
  row('b', -1, 0, true),
  row('b0', 5, 1, false),
];
const shown = (folded: readonly string[]): string[] =>
  [...new RowLayout(ROWS, new Set(folded)).visible].map((index) => ROWS[index]!.key);

describe('rows that show', () => {
  test('are all, less what is below a folded group, however deep', () => {
    expect(shown([])).toEqual(['a', 'a0', 'a0.1', 'a0.2', 'a1', 'b', 'b0']);
    expect(shown(['a0'])).toEqual(['a', 'a0', 'a1', 'b', 'b0']);
    expect(shown(['a'])).toEqual(['a', 'b', 'b0']);
    expect(shown(['a', 'a0', 'b', 'no such'])).toEqual(['a', 'b']);
  });

  test('are found by height, and heights by row', () => {
    const layout = new RowLayout(ROWS, new Set(['a0']));
    expect(layout.rowAt(0, 20)).toBe(0);
    expect(layout.rowAt(45, 20)).toBe(4);
    expect(layout.rowAt(500, 20)).toBe(-1);
    expect(layout.rowAt(-1, 20)).toBe(-1);
    expect([...layout.place]).toEqual([0, 1, -1, -1, 2, 3, 4]);
    expect([...layout.within(25, 30, 20)]).toEqual([1, 4]);
    expect([...layout.within(25, 30, 20, 1)]).toEqual([0, 1, 4, 5]);
  });

  test('groups stay at the top while their rows are there', () => {
    const layout = new RowLayout(ROWS, new Set());
    const headers = (top: number): string[] => layout.headers(top, 20).map((index) => ROWS[index]!.key);
    expect(headers(0)).toEqual([]);
    expect(headers(10)).toEqual(['a', 'a0']);
    expect(headers(45)).toEqual(['a', 'a0']);
    expect(headers(65)).toEqual(['a']);
    expect(headers(110)).toEqual(['b']);
  });

  test('ten thousand rows cost what they must', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => row(`r${index}`, index === 0 ? -1 : 0, 1, index === 0));
    const layout = new RowLayout(many, new Set());
    expect(layout.visible.length).toBe(10_000);
    expect(layout.within(199_000, 600, 20).length).toBe(30);
  });

  test('are higher where there are few', () =>
    expect([rowHeightFor(0, 400), rowHeightFor(5, 400), rowHeightFor(20, 400), rowHeightFor(5000, 400)]).toEqual([
      32, 32, 20, 18,
    ]));
});
