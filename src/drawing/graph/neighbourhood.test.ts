import { expect, test } from 'vitest';
import { END, START } from './graph-shapes.ts';
import { neighbourhood, placeInColumn } from './neighbourhood.ts';

const edge = (from: string, to: string, count: number): { from: string; to: string; count: number } => ({
  from,
  to,
  count,
});

test('what leads to an activity stands above it, what follows below, the most travelled next to it', () => {
  const edges = [
    edge('rare', 'x', 1),
    edge('often', 'x', 9),
    edge('x', 'next', 5),
    edge('x', 'last', 2),
    edge('x', 'x', 99),
  ];
  expect(neighbourhood('x', [...edges, edge(START, 'x', 1), edge('last', END, 1), edge('a', 'b', 100)])).toEqual([
    START,
    'rare',
    'often',
    'x',
    'next',
    'last',
  ]);
});

test('where one step finds little there are two, and never more than eight', () => {
  const chain = ['a', 'b', 'c', 'd', 'e'].map((name, i, all) => edge(name, all[i + 1] ?? END, 1));
  expect(neighbourhood('c', chain)).toEqual(['a', 'b', 'c', 'd', 'e']);
  const star = Array.from({ length: 30 }, (_, i) => edge('x', `y${i}`, i));
  expect(neighbourhood('x', star)).toEqual(['x', 'y29', 'y28', 'y27', 'y26', 'y25', 'y24', 'y23']);
  expect(neighbourhood('alone', [])).toEqual(['alone']);
});

test('a column is as wide as its widest node, and nothing overlaps', () => {
  const nodes = ['a', 'b', 'c'].map((activity, i) => ({ activity, width: 100 + 40 * i, height: 60 }));
  const {
    width,
    nodes: placed,
    edges,
  } = placeInColumn(nodes, [edge('a', 'b', 1), edge('a', 'c', 1), edge('c', 'gone', 1)]);
  expect(width).toBe(180);
  expect(placed.map(({ y }) => y)).toEqual([0, 104, 208]);
  expect(placed.map(({ x, width: wide }) => x + wide / 2)).toEqual([90, 90, 90]);
  expect(edges.map(({ edge: { to } }) => to)).toEqual(['b', 'c']);
});
