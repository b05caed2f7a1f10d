import {
  DEFAULT_CHOICES,
  DEFAULT_DISPLAY,
  type GraphChoices,
  type GraphDisplay,
  type GraphOffers,
} from '../../src/features/graph/protocol.ts';
import type { ColourBy } from './appearance.ts';
import { make } from '../kit/dom.ts';
import { OneRow } from '../kit/one-row.ts';
import { button, checkbox, choose, field, select, type Option } from './controls.ts';

/** The controls above the graph. */
interface ToolbarEvents {
  /** The graph has to be made anew. */
  choose(choices: GraphChoices): void;
  /** The same graph has to be shown otherwise. */
  display(display: GraphDisplay): void;
  colour(by: ColourBy): void;
  zoom(factor: number): void;
  fit(): void;
  layOutAnew(): void;
  editMapping(): void;
  picture(format: 'svg' | 'png'): void;
}

const MAPPINGS: readonly Option[] = [
  { value: 'call+path:1', label: 'call and top folder' },
  { value: 'call+path:2', label: 'call and 2 folders' },
  { value: 'call+path:3', label: 'call and 3 folders' },
  { value: 'call+path:4', label: 'call and 4 folders' },
  { value: 'call+file:1', label: 'call and file' },
  { value: 'path:2', label: '2 folders' },
  { value: 'call:1', label: 'call' },
  { value: 'site:1', label: 'source line' },
];
const CASES: readonly Option[] = [
  { value: 'file', label: 'recording file' },
  { value: 'rank', label: 'rank' },
  { value: 'pid', label: 'process or thread' },
];
const CALLS: readonly Option[] = [
  { value: 'outermost', label: 'the program’s own' },
  { value: 'requests', label: 'requests to files' },
  { value: 'all', label: 'of all layers' },
];
const COLOURS: readonly Option[] = [
  { value: 'time', label: 'time' },
  { value: 'bytes', label: 'bytes' },
  { value: 'partition', label: 'green and red cases' },
];
const SHARES: readonly Option[] = [
  { value: '', label: 'the costliest 80' },
  { value: '0', label: 'all' },
  ...[0.001, 0.005, 0.01, 0.05].map((share) => ({ value: String(share), label: `from ${share * 100} % of the time` })),
];
const COUNTS: readonly Option[] = [
  { value: '', label: 'the commonest 200' },
  { value: '0', label: 'all' },
  ...[2, 10, 100, 1000].map((count) => ({
    value: String(count),
    label: `from ${count.toLocaleString('en-US')} times`,
  })),
];
/** In front of the JSON text of rules, as the value of an option. */
const RULES = 'rules:';

export class Toolbar {
  private readonly mapping = select('mapping', 'Activity', MAPPINGS);
  private readonly cases = select('cases', 'Case', CASES);
  private readonly layer = select('layer', 'Calls', CALLS);
  private readonly filter = field('filter', 'Paths with', 'any');
  private readonly system = checkbox('system', 'System files');
  private readonly colour = select('colour', 'Colour', COLOURS);
  private readonly green = field('green', 'Green', 'cases, as s_*');
  private readonly red = field('red', 'Red', 'cases, as f_*');
  private readonly base = select('base', 'Compare with', []);
  private readonly share = select('share', 'Show activities', SHARES);
  private readonly count = select('count', 'Show edges', COUNTS);
  private readonly boxes = checkbox('boxes', 'Folders');
  private readonly joined = checkbox('joined', 'Join ⇅');
  private collapsed: readonly string[] = [];

  constructor(
    parent: HTMLElement,
    private readonly events: ToolbarEvents,
  ) {
    this.joined.label.title = 'Edges that go back and forth between two activities are one line';
    this.listen();
    const edit = button('Edit…', 'Write a mapping of your own', () => events.editMapping());
    const { mapping, layer, filter, system, colour, green, red, base, cases, share, count, boxes, joined } = this;
    const items: readonly (readonly [worth: number, element: HTMLElement])[] = [
      [10, mapping.label],
      [4, edit],
      [5, layer.label],
      [7, filter.label],
      [6, system.label],
      [8, colour.label],
      [5, green.label],
      [5, red.label],
      [5, base.label],
      [9, group(buttonsOf(this.zooms()))],
      [3, cases.label],
      [2, share.label],
      [2, count.label],
      [2, boxes.label],
      [2, joined.label],
      [1, group(buttonsOf(this.rest()))],
    ];
    new OneRow(
      parent,
      items.map(([worth, element]) => ({ worth, element })),
    );
    this.layer.label.title =
      'Of a transfer that goes through several layers: the call that the program made, what reached the file, or all';
    this.offer({ mappings: [], recordings: [] });
    this.offerLayers([]);
    this.showPartition();
  }

  private zooms(): ButtonWords[] {
    const { events } = this;
    return [
      ['−', 'Zoom out', () => events.zoom(0.8)],
      ['+', 'Zoom in', () => events.zoom(1.25)],
      ['Fit', 'Show the whole graph', () => events.fit()],
    ];
  }

  private rest(): ButtonWords[] {
    const { events } = this;
    return [
      ['Lay out', 'Lay out again: everything may move', () => events.layOutAnew()],
      ['SVG', 'Save the graph as an SVG file', () => events.picture('svg')],
      ['PNG', 'Save the graph as a PNG file', () => events.picture('png')],
    ];
  }

  private listen(): void {
    const { mapping, cases, layer, filter, system, green, red, base, share, count, boxes, joined } = this;
    for (const { input } of [mapping, cases, layer, filter, system, green, red, base]) {
      input.addEventListener('change', () => {
        // Folders of one mapping mean nothing to another; those of paths go on.
        if (input === mapping.input && this.collapsed.length > 0) this.collapsed = [];
        this.events.choose(this.choices());
      });
    }
    for (const { input } of [share, count, boxes, joined]) {
      input.addEventListener('change', () => this.events.display(this.display(input === joined.input)));
    }
    this.colour.input.addEventListener('change', () => {
      this.showPartition();
      this.events.colour(this.colourBy);
    });
  }

  show(choices: GraphChoices, display: GraphDisplay, joins: boolean): void {
    const { mapping, levels, rules } = choices;
    if (mapping === 'rules') choose(this.mapping.input, `${RULES}${rules}`, 'rules of your own');
    else choose(this.mapping.input, `${mapping}:${levels}`, `${mapping}, ${levels} levels`);
    this.cases.input.value = choices.grouping;
    choose(this.layer.input, choices.layer, choices.layer);
    this.filter.input.value = choices.pathFilter;
    this.system.input.checked = choices.systemFiles;
    this.green.input.value = choices.green;
    this.red.input.value = choices.red;
    choose(this.base.input, JSON.stringify(choices.base), choices.base[0]?.split('/').at(-1) ?? 'nothing');
    this.collapsed = choices.collapsed;
    this.shownDisplay = display;
    choose(this.share.input, display.leastShare === null ? '' : String(display.leastShare), String(display.leastShare));
    choose(this.count.input, display.leastCount === null ? '' : String(display.leastCount), String(display.leastCount));
    this.boxes.input.checked = display.boxes;
    this.joined.input.checked = joins;
    if (choices.green !== '' || choices.red !== '' || choices.base.length > 0) this.colour.input.value = 'partition';
    this.showPartition();
  }

  /** Saved mappings, and what the recording can be compared with. */
  offer({ mappings, recordings }: GraphOffers): void {
    const { input } = this.mapping;
    const chosen = input.value;
    const label = input.selectedOptions[0]?.label ?? chosen;
    const saved = mappings.map(({ name, rules }) => new Option(name, `${RULES}${rules}`));
    input.replaceChildren(...MAPPINGS.map(({ value, label }) => new Option(label, value)), ...saved);
    if (chosen !== '') choose(input, chosen, label);
    const base = this.base.input.value;
    const others = recordings.map(({ name, paths }) => {
      const option = new Option(shortName(name, recordings), JSON.stringify(paths));
      option.title = name;
      return option;
    });
    this.base.input.replaceChildren(new Option('nothing', '[]'), ...others);
    if ([...this.base.input.options].some(({ value }) => value === base)) this.base.input.value = base;
    this.base.label.hidden = recordings.length === 0;
  }

  /** Layers of the recording; where there is one only there is nothing to choose. */
  offerLayers(layers: readonly string[]): void {
    const { input, label } = this.layer;
    const chosen = input.value || DEFAULT_CHOICES.layer;
    const named = layers.map((layer) => new Option(layer, layer));
    input.replaceChildren(...CALLS.map(({ value, label: text }) => new Option(text, value)), ...named);
    choose(input, chosen, chosen);
    label.hidden = layers.length < 2 && chosen === DEFAULT_CHOICES.layer;
  }

  get colourBy(): ColourBy {
    return this.colour.input.value as ColourBy;
  }

  choices(): GraphChoices {
    const { value } = this.mapping.input;
    const isRules = value.startsWith(RULES);
    const [mapping, levels] = (isRules ? 'rules:1' : value).split(':');
    return {
      mapping: mapping as GraphChoices['mapping'],
      levels: Number(levels),
      rules: isRules ? value.slice(RULES.length) : '',
      collapsed: this.collapsed,
      pathFilter: this.filter.input.value,
      systemFiles: this.system.input.checked,
      grouping: this.cases.input.value as GraphChoices['grouping'],
      layer: this.layer.input.value,
      green: this.green.input.value,
      red: this.red.input.value,
      base: JSON.parse(this.base.input.value || '[]') as string[],
    };
  }

  private shownDisplay: GraphDisplay = DEFAULT_DISPLAY;

  private display(isJoinedChosen: boolean): GraphDisplay {
    const least = (text: string): number | null => (text === '' ? null : Number(text));
    return {
      leastShare: least(this.share.input.value),
      leastCount: least(this.count.input.value),
      boxes: this.boxes.input.checked,
      // Until the user says something the number of edges decides.
      joined: isJoinedChosen ? this.joined.input.checked : this.shownDisplay.joined,
    };
  }

  private showPartition(): void {
    const isHidden = this.colour.input.value !== 'partition' || this.base.input.value !== '[]';
    this.green.label.hidden = isHidden;
    this.red.label.hidden = isHidden;
  }
}

/** The file's name alone, where no other recording has the same. */
function shortName(name: string, recordings: GraphOffers['recordings']): string {
  const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const isOnly = recordings.filter((other) => fileName(other.name) === fileName(name)).length === 1;
  return isOnly && fileName(name) !== '' ? fileName(name) : name;
}

type ButtonWords = readonly [text: string, title: string, click: () => void];

/** Controls that stay beside each other. */
function group(controls: readonly HTMLElement[]): HTMLDivElement {
  return make('div', { class: 'group' }, ...controls);
}

function buttonsOf(list: readonly ButtonWords[]): HTMLElement[] {
  return list.map(([text, title, click]) => button(text, title, click));
}
