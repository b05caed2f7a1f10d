import type { ViewComparison, ViewSpread, ViewSpreadSide } from '../../src/features/comparison/protocol.ts';
import { make } from '../kit/dom.ts';
import { svgElement } from '../kit/svg.ts';

/** Pixels of a side's drawing; it is as wide as its room. */
const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;
/** Shares of the width are drawn in per cent: what stands at an end stays whole by this margin of the style sheet. */
const DOT = 4;

/** Each run as a dot, the range of a side as a line, its median as a stroke. */
export function spreadTab({ said, runs, lines }: ViewComparison['spread']): HTMLElement[] {
  return [
    ...said.map((text) => make('p', { class: 'known' }, text)),
    ...figures(runs),
    ...(lines.length === 0 ? [] : [make('h2', {}, 'Lines with the largest changes'), ...figures(lines)]),
  ];
}

function figures(spreads: readonly ViewSpread[]): HTMLElement[] {
  return spreads.map(({ title, base, new: changed, most }) =>
    make(
      'figure',
      { class: 'spread' },
      make('figcaption', {}, title),
      sideOf('Base', 'base', base),
      sideOf('New', 'new', changed),
      make('div', { class: 'lane' }, make('span'), axisOf(most)),
    ),
  );
}

function axisOf(most: string): HTMLElement {
  return make('div', { class: 'axis soft' }, make('span', {}, '0'), make('span', {}, most));
}

function sideOf(name: string, kind: string, side: ViewSpreadSide): HTMLElement {
  const { dots, words } = side;
  const runs = dots.length < 2 ? '' : `; runs: ${dots.map(({ text }) => text).join(', ')}`;
  const svg = svgElement('svg', { height: HEIGHT, role: 'img', 'aria-label': `${name}: ${words}${runs}`, class: kind });
  svg.append(...marksOf(side));
  return make(
    'div',
    { class: 'lane' },
    make('span', { class: 'soft' }, name),
    make('div', { class: 'plot' }, svg),
    make('span', { class: 'words' }, words),
  );
}

function marksOf({ dots, low, high, median }: ViewSpreadSide): SVGElement[] {
  const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
  const stroke = (x1: number, x2: number, from: number, kind: string): SVGElement =>
    svgElement('line', { x1: percent(x1), x2: percent(x2), y1: from, y2: HEIGHT - from, class: kind });
  const points = dots.map(({ at, text }) => {
    const dot = svgElement('circle', { cx: percent(at), cy: MIDDLE, r: DOT, class: 'dot' });
    dot.append(svgElement('title', {}, text));
    return dot;
  });
  return [
    svgElement('line', { x1: '0', x2: '100%', y1: MIDDLE, y2: MIDDLE, class: 'rule' }),
    svgElement('line', { x1: percent(low), x2: percent(high), y1: MIDDLE, y2: MIDDLE, class: 'range' }),
    ...points,
    ...(dots.length === 1 ? [] : [stroke(median, median, 2, 'median')]),
  ];
}
