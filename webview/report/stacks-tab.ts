import {
  CALL_VIEWS,
  type CallMeasure,
  type CallTree,
  type ReportViewState,
} from '../../src/features/report/protocol.ts';
import type { SelectionPart } from '../../src/features/selection/protocol.ts';
import { amountOf, measuresOf, measureWords, shareOf } from '../../src/drawing/call-tree/call-words.ts';
import { flameLegend } from '../../src/drawing/call-tree/flame-picture.ts';
import { lineOf, onlyMatching, placeAt, withoutLibraryInsides } from '../../src/drawing/call-tree/shown-tree.ts';
import { Ways } from '../../src/drawing/call-tree/ways.ts';
import { button, make, made } from '../kit/dom.ts';
import { OneRow } from '../kit/one-row.ts';
import { CallTreeView } from './call-tree-view.ts';
import { FlameView, type FlameSubject } from './flame-view.ts';
import { SandwichView } from './sandwich-view.ts';

type Choices = ReportViewState['stacks'];
type CallView = Choices['view'];

const VIEW_NAMES: Readonly<Record<CallView, string>> = {
  flame: 'Flame chart',
  down: 'Call tree',
  inverted: 'Inverted call tree',
  function: 'Callers and callees',
};
const MEASURE_NAMES: Readonly<Record<CallMeasure, string>> = { timeNs: 'time', bytes: 'bytes', calls: 'calls' };
const KEYS: Readonly<Record<CallView, string>> = {
  flame: 'Arrow keys walk. Enter: source and selection. Z: this block alone. 0: all. C: callers and callees.',
  down: 'Arrow keys walk and unfold. Enter: source and selection. C: callers and callees.',
  inverted: 'Arrow keys walk and unfold. Enter: source and selection. C: callers and callees.',
  function: 'Arrow keys walk a chart. Enter: source and selection. C: callers and callees of a block.',
};

/** What the tab asks of the rest of the page. */
interface StacksActs {
  readonly ask: (onlySelected: boolean) => Promise<CallTree>;
  readonly openFrame: (place: number, line: number) => void;
  readonly select: (part: SelectionPart) => void;
  readonly keep: (choices: Choices) => void;
}

/** Call stacks as flame chart, call tree, inverted call tree, and around one function. */
export class StacksTab {
  readonly element = make('div', { class: 'stacks' });
  private readonly body = make('div', {});
  private readonly about = make('p', { class: 'soft' });
  private readonly said = make('p', { class: 'said', 'aria-hidden': 'true' });
  private readonly legend = make('div', {});
  private readonly view: HTMLSelectElement;
  private readonly measure = make('select', { 'aria-label': 'Weighed by' });
  private readonly search = make('input', { type: 'search', placeholder: 'Function or file' });
  private readonly lines = toggle('Lines', 'The lines of a function stand apart');
  private readonly insides = toggle('Inside libraries', 'Also what libraries call in themselves');
  private readonly only = toggle('Only selected', 'Only the calls that are selected in all views');
  private readonly flame: FlameView;
  private readonly rows: CallTreeView;
  private readonly sandwich: SandwichView;
  private tree: CallTree | undefined;
  private shown: CallTree | undefined;
  private around: number | undefined;
  private asked = 0;

  constructor(
    private choices: Choices,
    private readonly acts: StacksActs,
  ) {
    const options = CALL_VIEWS.map((view) => make('option', { value: view }, VIEW_NAMES[view]));
    this.view = make('select', { 'aria-label': 'View of the call stacks' }, ...options);
    const callActs = {
      go: (node: number) => this.go(node),
      around: (node: number) => this.showAround(node),
      say: (words: string) => (this.said.textContent = words),
    };
    this.flame = new FlameView(callActs);
    this.rows = new CallTreeView(callActs);
    this.sandwich = new SandwichView(callActs);
    this.search.setAttribute('aria-label', 'Only stacks with this function or file');
    const bar = make('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Call stacks' });
    const by = make('label', {}, make('span', {}, 'by'), this.measure);
    const items = [this.view, by, this.search, this.only, this.lines, this.insides];
    new OneRow(
      bar,
      items.map((element, at) => ({ element, worth: items.length - at })),
    );
    this.element.append(bar, this.about, this.legend, this.body, this.said);
    this.listen();
    void this.load();
  }

  /** Another selection: what shows only that is another one, too. */
  selectionChanged(isMarked: boolean): void {
    this.only.disabled = !isMarked && !isPressed(this.only);
    if (isPressed(this.only)) void this.load();
  }

  private listen(): void {
    this.view.value = this.choices.view;
    this.view.addEventListener('change', () => this.choose({ view: this.view.value as CallView }));
    this.measure.addEventListener('change', () => this.choose({ measure: this.measure.value as CallMeasure }));
    this.search.addEventListener('input', () => this.draw());
    for (const pressed of [this.lines, this.insides]) pressed.addEventListener('click', () => this.draw());
    this.only.addEventListener('click', () => void this.load());
    this.only.disabled = true;
  }

  private choose(choices: Partial<Choices>): void {
    this.choices = { ...this.choices, ...choices };
    this.around = undefined;
    this.acts.keep(this.choices);
    this.draw();
  }

  private async load(): Promise<void> {
    const number = ++this.asked;
    this.about.textContent = 'Gathering the call stacks…';
    try {
      const tree = await this.acts.ask(isPressed(this.only));
      if (number !== this.asked) return;
      this.tree = tree;
      this.around = undefined;
      this.draw();
    } catch (error) {
      if (number === this.asked) this.about.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private draw(): void {
    const { tree } = this;
    if (tree === undefined) return;
    const offered = measuresOf(tree);
    const measure = offered.includes(this.choices.measure) ? this.choices.measure : offered[0];
    this.measure.replaceChildren(...offered.map((each) => make('option', { value: each }, MEASURE_NAMES[each])));
    this.said.textContent = KEYS[this.choices.view];
    this.legend.replaceChildren();
    if (!tree.hasStacks || measure === undefined) {
      this.about.textContent = tree.hasStacks || isPressed(this.only) ? NOTHING : NO_STACKS;
      this.body.replaceChildren();
      return;
    }
    this.measure.value = measure;
    const search = this.search.value.trim();
    const whole = isPressed(this.insides) ? tree : withoutLibraryInsides(tree);
    this.shown = onlyMatching(whole, search);
    const ways = new Ways(this.shown, { measure, byLine: isPressed(this.lines) });
    const all = tree[measure].reduce((sum, amount) => sum + amount, 0);
    const part = search === '' ? '' : ` · with “${search}”: ${shareOf(ways.total, all)}`;
    this.about.textContent = `${measureWords(measure, tree.times)}: ${amountOf(measure, all)}${part}`;
    if (['flame', 'function'].includes(this.choices.view)) this.legend.replaceChildren(made(flameLegend(this.shown)));
    this.drawView({ ways, measure, whole: all, search, isUpward: false, root: ways.root, label: '' });
  }

  private drawView(subject: Omit<FlameSubject, 'label'> & { label: string }): void {
    const { view } = this.choices;
    const label = VIEW_NAMES[view];
    const shown = { flame: this.flame, down: this.rows, inverted: this.rows, function: this.sandwich }[view].element;
    if (this.body.firstChild !== shown) this.body.replaceChildren(shown);
    switch (view) {
      case 'flame':
        this.flame.show({ ...subject, label });
        break;
      case 'down':
        this.rows.show({ ...subject, label });
        break;
      case 'inverted':
        this.rows.show({ ...subject, label, root: subject.ways.inverted });
        break;
      case 'function':
        this.sandwich.show({ ...subject, label }, this.around);
        break;
    }
  }

  private go(node: number): void {
    const { shown } = this;
    if (shown === undefined) return;
    const found = lineOf(shown, node);
    if (found?.place.isHere === true) this.acts.openFrame(shown.places.indexOf(found.place), found.line);
    const part = partOf(shown, node);
    if (part !== undefined) this.acts.select(part);
  }

  private showAround(node: number): void {
    this.view.value = 'function';
    this.choose({ view: 'function' });
    this.around = node;
    this.draw();
  }
}

const NOTHING = 'No selected call counts for findings.';
const NO_STACKS =
  'The recording keeps no call stacks. iolens record keeps them; so does strace with -k, and Darshan with DXT and stack tracing.';

/** What a place selects in all views; undefined for libraries and functions without a name. */
function partOf(tree: CallTree, node: number): SelectionPart | undefined {
  const { kind, name, file } = placeAt(tree, node);
  if (kind === 'call') return { kind: 'call', call: name };
  // The name of one whose function is not known is its line.
  return kind === 'program' && file !== '' && !name.includes(':') ? { kind: 'function', file, name } : undefined;
}

function toggle(text: string, title: string): HTMLButtonElement {
  const made = button(text, { class: 'toggle', title, 'aria-pressed': 'false' }, () =>
    made.setAttribute('aria-pressed', String(!isPressed(made))),
  );
  return made;
}

function isPressed(toggled: HTMLButtonElement): boolean {
  return toggled.getAttribute('aria-pressed') === 'true';
}
