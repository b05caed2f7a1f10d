import { amountOf, namedPlace, shareOf } from '../../src/drawing/call-tree/call-words.ts';
import { matches, placeAt } from '../../src/drawing/call-tree/shown-tree.ts';
import type { Way } from '../../src/drawing/call-tree/ways.ts';
import { make } from '../kit/dom.ts';
import type { CallActs, FlameSubject } from './flame-view.ts';

/** Ways that are listed below one: nobody reads on. */
const MOST_BELOW = 200;
/** A tree opens on the way on which nearly all of it lies. */
const NEARLY_ALL = 0.6;
const FIRST_DEPTH = 24;

interface Row {
  readonly way: Way;
  readonly depth: number;
  isOpen: boolean;
}

/** A call tree as rows that unfold, each with its share, its amounts and its place. */
export class CallTreeView {
  readonly element = make('div', { class: 'wide call-tree' });
  private subject: FlameSubject | undefined;
  private rows: Row[] = [];
  private focused = 0;

  constructor(private readonly acts: CallActs) {
    this.element.addEventListener('click', ({ target }) => {
      const at = this.rowOf(target);
      if (at === undefined) return;
      if ((target as Element).closest('.twisty') === null) this.choose(at);
      else this.toggle(at);
    });
    this.element.addEventListener('dblclick', ({ target }) => this.toggle(this.rowOf(target)));
    this.element.addEventListener('keydown', (event) => this.press(event, this.rowOf(event.target)));
  }

  show(subject: FlameSubject): void {
    this.subject = subject;
    this.rows = subject.root.next.slice(0, MOST_BELOW).map((way) => ({ way, depth: 0, isOpen: false }));
    this.focused = 0;
    let at = 0;
    while (at < this.rows.length && this.rows[at]!.depth < FIRST_DEPTH) {
      const { way } = this.rows[at]!;
      if (at > 0 && way.total < NEARLY_ALL * this.rows[at - 1]!.way.total) break;
      if (way.next.length === 0) break;
      this.unfold(at);
      at++;
    }
    this.draw();
  }

  private draw(): void {
    const { measure, label } = this.subject!;
    const title = { timeNs: 'Time', bytes: 'Bytes', calls: 'Calls' }[measure];
    const head = ['Function or call', 'Share', title, 'Itself'].map((text, column) =>
      make('th', { scope: 'col', role: 'columnheader', ...(column > 0 && { class: 'number' }) }, text),
    );
    const rows = this.rows.map((row, at) => this.drawn(row, at));
    this.element.replaceChildren(
      rows.length === 0
        ? make('p', { class: 'soft' }, 'Nothing of it is here.')
        : make(
            'table',
            { role: 'treegrid', 'aria-label': label },
            make('thead', {}, make('tr', { role: 'row' }, ...head)),
            make('tbody', {}, ...rows),
          ),
    );
  }

  private drawn({ way, depth, isOpen }: Row, at: number): HTMLElement {
    const { ways, measure, whole, search } = this.subject!;
    const place = placeAt(ways.tree, way.node);
    const name = namedPlace(ways.tree, way);
    const hasNext = way.next.length > 0;
    const twisty = make('span', { class: 'twisty', 'aria-hidden': 'true' }, hasNext ? (isOpen ? '▾' : '▸') : ' ');
    const named = make('span', { class: matches(place, search) ? 'found' : '' }, name);
    const share = make('span', { class: 'bar', 'aria-hidden': 'true' });
    share.style.width = `${Math.round(60 * Math.min(1, way.total / whole))}px`;
    const first = make('td', { role: 'gridcell', title: name }, twisty, named);
    first.style.paddingLeft = `${Math.min(depth, 20) * 14}px`;
    const number = (...content: (Node | string)[]): HTMLElement =>
      make('td', { role: 'gridcell', class: 'number' }, ...content);
    return make(
      'tr',
      {
        ...{ role: 'row', 'data-row': String(at), 'aria-level': String(depth + 1), class: place.kind },
        ...(hasNext && { 'aria-expanded': String(isOpen) }),
        tabindex: at === this.focused ? '0' : '-1',
      },
      first,
      number(share, shareOf(way.total, whole)),
      number(amountOf(measure, way.total)),
      number(way.self > 0 ? amountOf(measure, way.self) : ''),
    );
  }

  private rowOf(target: EventTarget | null): number | undefined {
    const row = (target as Element | null)?.closest('[data-row]');
    return row === null || row === undefined ? undefined : Number(row.getAttribute('data-row'));
  }

  private choose(at: number): void {
    this.focus(at);
    this.acts.go(this.rows[at]!.way.node);
  }

  private unfold(at: number): void {
    const { way, depth } = this.rows[at]!;
    this.rows[at]!.isOpen = true;
    const below = way.next.slice(0, MOST_BELOW).map((next) => ({ way: next, depth: depth + 1, isOpen: false }));
    this.rows.splice(at + 1, 0, ...below);
  }

  private fold(at: number): void {
    const { depth } = this.rows[at]!;
    this.rows[at]!.isOpen = false;
    const end = this.rows.findIndex((row, other) => other > at && row.depth <= depth);
    this.rows.splice(at + 1, (end < 0 ? this.rows.length : end) - at - 1);
  }

  private toggle(at: number | undefined): void {
    if (at === undefined || this.rows[at]!.way.next.length === 0) return;
    if (this.rows[at]!.isOpen) this.fold(at);
    else this.unfold(at);
    this.draw();
    this.focus(at);
  }

  private press(event: KeyboardEvent, at: number | undefined): void {
    if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const { isOpen, way, depth } = this.rows[at]!;
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.focus(at + 1),
      ArrowUp: () => this.focus(at - 1),
      ArrowRight: () => (isOpen ? this.focus(at + 1) : this.toggle(at)),
      ArrowLeft: () =>
        isOpen ? this.toggle(at) : this.focus(this.rows.findLastIndex((row, i) => i < at && row.depth < depth)),
      Home: () => this.focus(0),
      End: () => this.focus(this.rows.length - 1),
      Enter: () => this.choose(at),
      c: () => this.acts.around(way.node),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
  }

  private focus(at: number): void {
    if (this.rows[at] === undefined) return;
    const rows = this.element.querySelectorAll<HTMLElement>('[data-row]');
    rows[this.focused]?.setAttribute('tabindex', '-1');
    rows[at]!.setAttribute('tabindex', '0');
    rows[at]!.focus();
    this.focused = at;
  }
}
