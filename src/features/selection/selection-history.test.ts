import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { isSame, MOST_KEPT, narrowed, SelectionHistory } from './selection-history.ts';

const rank = (number: number): SelectionPart => ({ kind: 'rank', rank: number });
const ranks = fc.array(fc.nat(3), { maxLength: 4 }).map((numbers): Selection => numbers.map(rank));

describe('the way back', () => {
  test('leads through what was selected, and forward again', () =>
    fc.assert(
      fc.property(fc.array(ranks, { maxLength: 30 }), (selections) => {
        const history = new SelectionHistory();
        const walked: Selection[] = [[]];
        for (const selection of selections) if (history.change(selection)) walked.push(selection);
        const back: Selection[] = [history.current];
        while (history.back()) back.push(history.current);
        expect(back).toEqual([...walked].reverse());
        expect(history.canGoBack).toBe(false);
        const forward: Selection[] = [history.current];
        while (history.forward()) forward.push(history.current);
        expect(forward).toEqual(walked);
      }),
    ));

  test('is cut by selecting something else', () => {
    const history = new SelectionHistory();
    history.change([rank(1)]);
    history.change([rank(2)]);
    history.back();
    expect(history.canGoForward).toBe(true);
    history.change([rank(3)]);
    expect(history.canGoForward).toBe(false);
    history.back();
    expect(history.current).toEqual([rank(1)]);
  });

  test('has one step for all that was selected in passing', () => {
    const history = new SelectionHistory();
    history.change([rank(1)]);
    for (const number of [2, 3, 4]) history.change([rank(number)], true);
    history.change([rank(5)]);
    const back: Selection[] = [];
    while (history.back()) back.push(history.current);
    expect(back).toEqual([[rank(4)], [rank(1)], []]);
  });

  test('is bounded', () => {
    const history = new SelectionHistory();
    for (let number = 0; number < 3 * MOST_KEPT; number++) history.change([rank(number)]);
    let steps = 0;
    while (history.back()) steps++;
    expect(steps).toBe(MOST_KEPT);
  });

  test('outlives the window; what else stands in its state is nothing', () => {
    const history = new SelectionHistory();
    history.change([rank(1)]);
    history.change([rank(2)]);
    const again = new SelectionHistory(JSON.parse(JSON.stringify(history.kept)));
    expect(again.current).toEqual([rank(2)]);
    again.back();
    expect(again.current).toEqual([rank(1)]);
    for (const junk of [null, 7, {}, { current: [{ kind: 'rank', rank: -1 }], past: [] }, { current: [], past: [[7]] }])
      expect(new SelectionHistory(junk).kept).toEqual({ current: [], past: [] });
  });
});

test('what is selected already is no change, whatever the order of its properties', () => {
  const history = new SelectionHistory();
  expect(history.change([{ kind: 'line', file: '/a.c', line: 3 }])).toBe(true);
  expect(history.change([{ line: 3, file: '/a.c', kind: 'line' }])).toBe(false);
  expect(isSame([rank(1), rank(2)], [rank(2), rank(1)])).toBe(false);
});

test('what is no selection is not taken', () => {
  const history = new SelectionHistory();
  expect(history.change([{ kind: 'rank', rank: NaN }])).toBe(false);
  expect(history.change(Array.from({ length: 17 }, () => rank(1)))).toBe(false);
});

test('a part of the same kind gives way', () => {
  const file: SelectionPart = { kind: 'file', path: '/a' };
  expect(narrowed([rank(1), file], rank(2))).toEqual([file, rank(2)]);
});
