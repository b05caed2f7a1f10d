import { amountOf, namedPlace, shareOf } from '../../src/drawing/call-tree/call-words.ts';
import { matches, placeAt } from '../../src/drawing/call-tree/shown-tree.ts';
import type { FunctionAmount } from '../../src/drawing/call-tree/ways.ts';
import { make } from '../kit/dom.ts';
import { FlameView, type CallActs, type FlameSubject } from './flame-view.ts';

/** Functions that are listed; a search finds the others. */
const MOST_FUNCTIONS = 200;

/** All functions, and of the one that is chosen what calls it (above) and what it calls (below). */
export class SandwichView {
  readonly element: HTMLElement;
  private readonly list = make('div', { class: 'functions wide', tabindex: '0', role: 'region' });
  private readonly callers: FlameView;
  private readonly callees: FlameView;
  private subject: FlameSubject | undefined;
  private functions: readonly FunctionAmount[] = [];
  private chosen: number | undefined;

  constructor(acts: CallActs) {
    const around = { ...acts, around: (node: number) => this.choose(node) };
    this.callers = new FlameView(around);
    this.callees = new FlameView(around);
    this.list.setAttribute('aria-label', 'Functions and calls');
    this.list.addEventListener('click', ({ target }) => {
      const row = (target as Element).closest('[data-node]');
      if (row !== null) this.choose(Number(row.getAttribute('data-node')));
    });
    const flames = make(
      'div',
      { class: 'flames' },
      make('h3', {}, 'Called by'),
      this.callers.element,
      make('h3', {}, 'Calls'),
      this.callees.element,
    );
    this.element = make('div', { class: 'sandwich' }, this.list, flames);
  }

  /** @param node stands for the function that is to be chosen, where one is. */
  show(subject: FlameSubject, node?: number): void {
    this.subject = subject;
    const all = subject.ways.functions;
    const { tree } = subject.ways;
    const found = all.filter(({ place }) => subject.search === '' || matches(tree.places[place]!, subject.search));
    this.functions = found.slice(0, MOST_FUNCTIONS);
    const first = found.find(({ place }) => tree.places[place]!.kind === 'program') ?? found[0];
    this.chosen = node ?? first?.node;
    this.draw();
  }

  private choose(node: number): void {
    this.chosen = node;
    this.draw();
    this.list.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }

  private draw(): void {
    const { subject, chosen } = this;
    if (subject === undefined) return;
    const { ways, measure, whole } = subject;
    const title = { timeNs: 'Time', bytes: 'Bytes', calls: 'Calls' }[measure];
    const head = ['Function or call', title, 'Share', 'Itself'].map((text, column) =>
      make('th', { scope: 'col', ...(column > 0 && { class: 'number' }) }, text),
    );
    const key = chosen === undefined ? undefined : ways.calleesOf(chosen);
    const rows = this.functions.map(({ node, total, self }) => {
      const way = ways.calleesOf(node);
      const isChosen = key?.node === way.node;
      const name = namedPlace(ways.tree, way);
      const about = { type: 'button', class: 'link', 'data-node': String(node), title: name };
      const named = make('button', { ...about, 'aria-pressed': String(isChosen) }, placeAt(ways.tree, node).name);
      return make(
        'tr',
        isChosen ? { class: 'is-selected' } : {},
        make('th', { scope: 'row' }, named),
        make('td', { class: 'number' }, amountOf(measure, total)),
        make('td', { class: 'number' }, shareOf(total, whole)),
        make('td', { class: 'number' }, self > 0 ? amountOf(measure, self) : ''),
      );
    });
    const table = make('table', {}, make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...rows));
    this.list.replaceChildren(table);
    if (chosen === undefined) return;
    const name = ways.tree.places[ways.tree.place[chosen]!]!.name;
    const callers = { ...subject, root: ways.callersOf(chosen), isUpward: true, label: `What calls ${name}` };
    this.callers.show(callers);
    this.callees.show({ ...subject, root: ways.calleesOf(chosen), isUpward: false, label: `What ${name} calls` });
  }
}
