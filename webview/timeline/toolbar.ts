import type { Picture } from '../../src/base/page-values.ts';
import type { GROUPINGS, TimelineChoices } from '../../src/features/timeline/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { button, make } from '../kit/dom.ts';
import { OneRow } from '../kit/one-row.ts';
import type { TimelineModel } from './model.ts';

interface ToolbarEvents {
  choose(choices: Partial<TimelineChoices>): void;
  search(text: string, direction: 1 | -1): void;
  zoom(factor: number): void;
  whole(): void;
  dragMoves(moves: boolean): void;
  picture(format: Picture['format']): void;
  back(): void;
  clear(): void;
  help(): void;
}

const GROUPING_NAMES: Readonly<Record<(typeof GROUPINGS)[number], string>> = {
  stream: 'process and thread',
  file: 'file',
  layer: 'layer',
  site: 'source line',
  stack: 'call stack',
  handle: 'handle',
};
const ORDER_NAMES = {
  recorded: 'as recorded',
  time: 'most time',
  events: 'most calls',
  bytes: 'most bytes',
  outliers: 'outliers first',
};
const COLOUR_NAMES = {
  operation: 'operation',
  layer: 'layer',
  file: 'file',
  size: 'request size',
  site: 'source line',
  insight: 'finding',
};

/** The controls above the timeline. */
export class Toolbar {
  private readonly grouping = select('grouping', 'Rows', GROUPING_NAMES);
  private readonly order = select('order', 'Order', ORDER_NAMES);
  private readonly colour = select('colour', 'Colour', COLOUR_NAMES);
  private readonly facets = toggle('Layers', 'Rows of each layer apart, on one axis of time');
  private readonly exemplars = toggle('Alike as one', 'Rows that are alike are shown as one, with their number');
  private readonly own = toggle('Own files', 'Leaves out files of the system, the loader and libraries');
  private readonly only = toggle('Only selected', 'Leaves out what is not selected');
  private readonly drag = toggle(
    'Drag moves',
    'Dragging moves the time; otherwise it chooses a range. Shift does the other.',
  );
  private readonly filter = field('Rows with', 'Filter rows');
  private readonly text = field('Find: call, path, function', 'Search events');
  private readonly found = make('span', { class: 'found', role: 'status' });
  private readonly chosen = make('span', { class: 'chosen' });
  private readonly clear: HTMLButtonElement;
  private readonly row: OneRow;

  constructor(
    parent: HTMLElement,
    private readonly events: ToolbarEvents,
  ) {
    const back = actionButton(
      '←',
      { title: 'Back to the selection before', 'aria-label': 'Back to the selection before' },
      () => events.back(),
    );
    this.clear = button('✕', { title: 'Select nothing', 'aria-label': 'Select nothing' }, () => events.clear());
    const items: readonly (readonly [worth: number, element: HTMLElement])[] = [
      [10, this.grouping.label],
      [5, this.order.label],
      [5, this.filter],
      [3, this.facets],
      [2, this.exemplars],
      [4, this.own],
      [8, this.colour.label],
      [7, this.searchGroup()],
      [6, group('Selection', back, this.chosen, this.clear, this.only)],
      [3, this.drag],
      [9, this.zoomGroup()],
      [1, this.pictureGroup()],
    ];
    this.row = new OneRow(
      parent,
      items.map(([worth, element]) => ({ worth, element })),
    );
    this.listen();
  }

  show(model: TimelineModel): void {
    const { choices, selection } = model;
    this.grouping.input.value = choices.grouping;
    this.order.input.value = choices.order;
    this.colour.input.value = choices.colourBy;
    if (document.activeElement !== this.filter) this.filter.value = choices.rowFilter;
    press(this.facets, choices.facets);
    press(this.exemplars, choices.exemplars);
    press(this.own, choices.ownFilesOnly);
    press(this.only, choices.onlySelected);
    press(this.drag, model.dragMoves);
    const isSelected = selection.parts.length > 0;
    this.chosen.textContent = isSelected ? selection.parts.join(' › ') : 'nothing selected';
    this.chosen.title = this.chosen.textContent;
    this.clear.disabled = !isSelected;
    this.only.disabled = !isSelected && !choices.onlySelected;
  }

  say(found: string): void {
    this.found.textContent = found;
  }

  focusSearch(): void {
    this.row.reveal(this.text);
    this.text.focus();
    this.text.select();
  }

  /** The next or the previous event of the text that was searched for. */
  searchAgain(direction: 1 | -1): void {
    if (this.text.value === '') this.focusSearch();
    else this.events.search(this.text.value, direction);
  }

  private listen(): void {
    const { events } = this;
    const choose = (input: HTMLElement, choices: () => Partial<TimelineChoices>): void =>
      input.addEventListener('change', () => events.choose(choices()));
    choose(this.grouping.input, () => ({ grouping: this.grouping.input.value as TimelineChoices['grouping'] }));
    choose(this.order.input, () => ({ order: this.order.input.value as TimelineChoices['order'] }));
    choose(this.colour.input, () => ({ colourBy: this.colour.input.value as TimelineChoices['colourBy'] }));
    const onPress = (made: HTMLButtonElement, does: (isPressed: boolean) => void): void =>
      made.addEventListener('click', () => {
        press(made, !isPressed(made));
        does(isPressed(made));
      });
    onPress(this.facets, (facets) => events.choose({ facets }));
    onPress(this.exemplars, (exemplars) => events.choose({ exemplars }));
    onPress(this.own, (ownFilesOnly) => events.choose({ ownFilesOnly }));
    onPress(this.only, (onlySelected) => events.choose({ onlySelected }));
    onPress(this.drag, (moves) => events.dragMoves(moves));
    let waiting: number | undefined;
    this.filter.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = window.setTimeout(() => events.choose({ rowFilter: this.filter.value.trim() }), 200);
    });
    this.text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || this.text.value === '') return;
      event.preventDefault();
      events.search(this.text.value, event.shiftKey ? -1 : 1);
    });
    this.text.addEventListener('input', () => this.say(''));
  }

  private searchGroup(): HTMLElement {
    const step = (sign: string, title: string, direction: 1 | -1): HTMLElement =>
      actionButton(sign, { title, 'aria-label': title }, () => this.searchAgain(direction));
    return group(
      'Search',
      this.text,
      step('↑', 'Previous event found (Shift+Enter)', -1),
      step('↓', 'Next event found (Enter)', 1),
      this.found,
    );
  }

  private zoomGroup(): HTMLElement {
    const { events } = this;
    return group(
      'View',
      act('−', 'Zoom out (−)', () => events.zoom(0.5)),
      act('+', 'Zoom in (+)', () => events.zoom(2)),
      act('Whole run', 'Show the whole run (0)', () => events.whole()),
    );
  }

  private pictureGroup(): HTMLElement {
    const { events } = this;
    return group(
      'Pictures and help',
      act('PNG', 'Save what shows as a PNG picture', () => events.picture('png')),
      act('SVG', 'Save what shows as an SVG drawing', () => events.picture('svg')),
      act('?', 'Keys and mouse (?)', () => events.help()),
    );
  }
}

function act(sign: string, title: string, does: () => void): HTMLElement {
  return actionButton(sign, { title, 'aria-label': title }, does);
}

function group(name: string, ...children: readonly HTMLElement[]): HTMLElement {
  return make('div', { role: 'group', 'aria-label': name, class: 'group' }, ...children);
}

function select(
  id: string,
  caption: string,
  values: Readonly<Record<string, string>>,
): { label: HTMLLabelElement; input: HTMLSelectElement } {
  const input = make('select', { id });
  input.append(...Object.entries(values).map(([value, name]) => new Option(name, value)));
  return { label: make('label', { for: id }, make('span', {}, caption), input), input };
}

function field(placeholder: string, label: string): HTMLInputElement {
  return make('input', { type: 'search', placeholder, 'aria-label': label, spellcheck: 'false' });
}

function toggle(text: string, title: string): HTMLButtonElement {
  return make('button', { type: 'button', class: 'toggle', title, 'aria-pressed': 'false' }, text);
}

function press(made: HTMLButtonElement, isOn: boolean): void {
  made.setAttribute('aria-pressed', String(isOn));
}

const isPressed = (made: HTMLButtonElement): boolean => made.getAttribute('aria-pressed') === 'true';
