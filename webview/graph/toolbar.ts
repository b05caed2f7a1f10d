import type { GraphChoices } from '../../src/messages/graph-messages.ts';
import type { ColourBy } from './appearance.ts';

/** The controls above the graph. */
export interface ToolbarEvents {
  /** The graph has to be made anew. */
  choose(choices: GraphChoices): void;
  colour(by: ColourBy): void;
  zoom(factor: number): void;
  fit(): void;
}

interface Option {
  readonly value: string;
  readonly label: string;
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
const COLOURS: readonly Option[] = [
  { value: 'time', label: 'time' },
  { value: 'bytes', label: 'bytes' },
  { value: 'partition', label: 'green and red cases' },
];

export class Toolbar {
  private readonly mapping = select('mapping', 'Activity', MAPPINGS);
  private readonly cases = select('cases', 'Case', CASES);
  private readonly filter = field('filter', 'Paths with', 'any');
  private readonly system = checkbox('system', 'System files');
  private readonly colour = select('colour', 'Colour', COLOURS);
  private readonly green = field('green', 'Green', 'cases, as s_*');
  private readonly red = field('red', 'Red', 'cases, as f_*');

  constructor(parent: HTMLElement, events: ToolbarEvents) {
    const choose = (): void => {
      events.choose(this.choices());
    };
    for (const control of [this.mapping, this.cases, this.filter, this.system, this.green, this.red]) {
      control.input.addEventListener('change', choose);
    }
    this.colour.input.addEventListener('change', () => {
      this.showPartition();
      events.colour(this.colour.input.value as ColourBy);
    });
    parent.append(
      this.mapping.label,
      this.cases.label,
      this.filter.label,
      this.system.label,
      this.colour.label,
      this.green.label,
      this.red.label,
    );
    parent.append(
      button('−', 'Zoom out', () => {
        events.zoom(0.8);
      }),
      button('+', 'Zoom in', () => {
        events.zoom(1.25);
      }),
      button('Fit', 'Show the whole graph', () => {
        events.fit();
      }),
    );
    this.showPartition();
  }

  show(choices: GraphChoices): void {
    const wanted = `${choices.mapping}:${choices.levels}`;
    if (![...this.mapping.input.options].some(({ value }) => value === wanted)) {
      this.mapping.input.append(new Option(`${choices.mapping}, ${choices.levels} levels`, wanted));
    }
    this.mapping.input.value = wanted;
    this.cases.input.value = choices.grouping;
    this.filter.input.value = choices.pathFilter;
    this.system.input.checked = choices.systemFiles;
    this.green.input.value = choices.green;
    this.red.input.value = choices.red;
    if (choices.green !== '' || choices.red !== '') this.colour.input.value = 'partition';
    this.showPartition();
  }

  get colourBy(): ColourBy {
    return this.colour.input.value as ColourBy;
  }

  private choices(): GraphChoices {
    const [mapping, levels] = this.mapping.input.value.split(':');
    return {
      mapping: mapping!,
      levels: Number(levels),
      pathFilter: this.filter.input.value,
      systemFiles: this.system.input.checked,
      grouping: this.cases.input.value as GraphChoices['grouping'],
      green: this.green.input.value,
      red: this.red.input.value,
    };
  }

  private showPartition(): void {
    const hidden = this.colour.input.value !== 'partition';
    this.green.label.hidden = hidden;
    this.red.label.hidden = hidden;
  }
}

function labelled(id: string, text: string, input: HTMLElement): HTMLLabelElement {
  const label = document.createElement('label');
  const caption = document.createElement('span');
  caption.textContent = text;
  input.id = id;
  label.append(caption, input);
  return label;
}

function select(
  id: string,
  text: string,
  options: readonly Option[],
): { label: HTMLLabelElement; input: HTMLSelectElement } {
  const input = document.createElement('select');
  input.append(...options.map(({ value, label }) => new Option(label, value)));
  return { label: labelled(id, text, input), input };
}

function field(id: string, text: string, placeholder: string): { label: HTMLLabelElement; input: HTMLInputElement } {
  const input = document.createElement('input');
  input.type = 'text';
  input.placeholder = placeholder;
  input.spellcheck = false;
  return { label: labelled(id, text, input), input };
}

function checkbox(id: string, text: string): { label: HTMLLabelElement; input: HTMLInputElement } {
  const input = document.createElement('input');
  input.type = 'checkbox';
  return { label: labelled(id, text, input), input };
}

function button(text: string, title: string, click: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  made.title = title;
  made.setAttribute('aria-label', title);
  made.addEventListener('click', click);
  return made;
}
