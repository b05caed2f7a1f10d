import type { ViewColumn, ViewRow, ViewSides } from '../../src/features/comparison/protocol.ts';
import { button, make, type Cell } from '../kit/dom.ts';

type Verdict = ViewRow['verdict'];

/** A sign for each, so that nobody needs its colour. */
const SIGNS: Readonly<Record<Verdict, readonly [sign: string, colour: string]>> = {
  worse: ['▲', 'high'],
  new: ['+', 'warn'],
  mixed: ['◆', 'warn'],
  better: ['▼', 'ok'],
  gone: ['✓', 'ok'],
  unchanged: ['=', ''],
  'within the spread': ['≈', ''],
  'noise unknown': ['?', ''],
};

export function verdictMark(verdict: Verdict, words: string = verdict): HTMLElement {
  const [sign, colour] = SIGNS[verdict];
  return make(
    'span',
    { class: `verdict ${colour}` },
    make('span', { class: 'sign', 'aria-hidden': 'true' }, sign),
    make('span', {}, words),
  );
}

/** The cells of a row, in the order of its columns. */
export function cellsOf(row: ViewRow, columns: readonly ViewColumn[], choose: (number: number) => void): Cell[] {
  return columns.map(({ sort }) => {
    switch (sort) {
      case 'where':
        return placeOf(row, () => choose(row.number));
      case 'verdict':
        return verdictMark(row.verdict);
      case 'amount':
        return barsOf(row.amount);
      case 'change':
        return row.change;
      case 'calls':
        return row.calls;
      case 'bytes':
        return row.bytes;
      default:
        return row.recorded;
    }
  });
}

function placeOf({ title, where, path, isHere, about }: ViewRow, choose: () => void): HTMLElement {
  const name = title === '' ? where : `${title}, ${where}`;
  const does = isHere ? `Open ${name}` : `Select the calls of ${name}`;
  return make(
    'div',
    { class: 'what' },
    title === '' ? null : make('strong', {}, title),
    button(where, { class: 'link place', title: path, 'aria-label': does }, choose),
    ...about.filter((text) => text !== '').map((text) => make('span', { class: 'soft' }, text)),
  );
}

/** Both sides as bars of one scale: the base is hollow, the new side is filled. */
function barsOf({ base, new: changed, baseShare, newShare }: ViewSides): HTMLElement {
  const bar = (side: string, share: number, words: string): HTMLElement => {
    const drawn = make('span', { class: `bar ${side}` });
    drawn.style.width = `${(100 * share).toFixed(1)}%`;
    return make(
      'div',
      { class: 'side' },
      make('span', { class: 'track', 'aria-hidden': 'true' }, share > 0 ? drawn : null),
      make('span', { class: 'unseen' }, side === 'base' ? 'before ' : 'after '),
      make('span', {}, words),
    );
  };
  return make('div', { class: 'sides' }, bar('base', baseShare, base), bar('new', newShare, changed));
}
