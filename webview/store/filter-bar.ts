import type { JobFilter } from '../../src/features/store/protocol.ts';
import { formatCount } from '../../src/base/quantities.ts';
import { actionButton } from '../kit/action-button.ts';
import { make } from '../kit/dom.ts';
import { bytesText, dayText, parseBytes, parseCount, parseDay } from './amount-fields.ts';

/** Milliseconds after the last key until the filter is used. */
const TYPING = 200;
const DAY = 86_400;

interface Field {
  readonly name: keyof JobFilter;
  readonly label: string;
  readonly placeholder: string;
  readonly kind: 'text' | 'date';
  readonly read: (text: string) => JobFilter[keyof JobFilter];
  readonly write: (filter: JobFilter) => string;
  /** What is expected, when `read` understands nothing. */
  readonly expected: string;
}

const textField = (name: 'text' | 'application' | 'user' | 'insight', label: string, placeholder: string): Field => ({
  name,
  label,
  placeholder,
  kind: 'text',
  read: (text) => (text.trim() === '' ? undefined : text.trim()),
  write: (filter) => filter[name] ?? '',
  expected: '',
});

const SEARCH = textField('text', 'Search', 'application, path, job, user');
/** Behind a fold: what they hold stands in its heading. */
const CONDITIONS: readonly Field[] = [
  textField('application', 'Application', 'ior'),
  textField('user', 'User', '1000'),
  {
    name: 'from',
    label: 'From',
    placeholder: '',
    kind: 'date',
    read: parseDay,
    write: ({ from }) => (from === undefined ? '' : dayText(from)),
    expected: 'a day',
  },
  {
    name: 'to',
    label: 'Until',
    placeholder: '',
    kind: 'date',
    // The day itself belongs to it.
    read: (text) => {
      const day = parseDay(text);
      return day === undefined ? undefined : day + DAY;
    },
    write: ({ to }) => (to === undefined ? '' : dayText(to - DAY)),
    expected: 'a day',
  },
  {
    name: 'leastProcesses',
    label: 'Processes, at least',
    placeholder: '64',
    kind: 'text',
    read: parseCount,
    write: ({ leastProcesses }) => (leastProcesses === undefined ? '' : formatCount(leastProcesses)),
    expected: 'a whole number',
  },
  {
    name: 'leastBytes',
    label: 'Moved, at least',
    placeholder: '1 GB',
    kind: 'text',
    read: parseBytes,
    write: ({ leastBytes }) => (leastBytes === undefined ? '' : bytesText(leastBytes)),
    expected: 'a size such as 1 GB or 512 MiB',
  },
  {
    name: 'mostBandwidth',
    label: 'Bandwidth, at most',
    placeholder: '100 MB/s',
    kind: 'text',
    read: parseBytes,
    write: ({ mostBandwidth }) => (mostBandwidth === undefined ? '' : `${bytesText(mostBandwidth)}/s`),
    expected: 'a rate such as 100 MB/s',
  },
  textField('insight', 'Finding', 'P01'),
];

const FIELDS: readonly Field[] = [SEARCH, ...CONDITIONS];

/** Conditions on jobs, for every tab. */
export class FilterBar {
  readonly element = make('form', { class: 'filter-bar', role: 'search', 'aria-label': 'Filter jobs' });
  private readonly inputs = new Map<keyof JobFilter, HTMLInputElement>();
  private readonly heading = make('summary', {});
  private readonly clear = actionButton('Clear', { title: 'Show all jobs again' }, () => this.set({}));
  private readonly said = make('p', { class: 'problem', role: 'status' });
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private filter: JobFilter,
    private readonly changed: (filter: JobFilter) => void,
  ) {
    const conditions = make('div', { class: 'conditions' }, ...CONDITIONS.map((field) => this.field(field)));
    this.element.append(this.field(SEARCH), make('details', {}, this.heading, conditions), this.clear, this.said);
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.use();
    });
    this.write();
  }

  /** Conditions from elsewhere, such as a bar of a chart. */
  set(filter: JobFilter): void {
    this.filter = filter;
    this.write();
    this.said.textContent = '';
    this.changed(filter);
  }

  get current(): JobFilter {
    return this.filter;
  }

  private field({ name, label, placeholder, kind }: Field): HTMLElement {
    const input = make('input', { type: kind, placeholder, spellcheck: 'false', maxlength: '500' });
    this.inputs.set(name, input);
    input.addEventListener('input', () => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.use(), TYPING);
    });
    return make('label', {}, make('span', {}, label), input);
  }

  private write(): void {
    for (const field of FIELDS) this.inputs.get(field.name)!.value = field.write(this.filter);
    this.sayConditions();
  }

  private sayConditions(): void {
    this.clear.hidden = [...this.inputs.values()].every(({ value }) => value.trim() === '');
    const set = CONDITIONS.map((field) => ({ label: field.label, value: field.write(this.filter) }));
    const texts = set.filter(({ value }) => value !== '').map(({ label, value }) => `${label} ${value}`);
    this.heading.textContent = texts.length === 0 ? 'More filters' : `Filters: ${texts.join(' · ')}`;
  }

  /** What is understood counts; of the rest it is said what was expected. */
  private use(): void {
    clearTimeout(this.waiting);
    const conditions: [keyof JobFilter, JobFilter[keyof JobFilter]][] = [];
    const problems: string[] = [];
    for (const { name, label, read, expected } of FIELDS) {
      const input = this.inputs.get(name)!;
      const value = input.value.trim() === '' ? undefined : read(input.value);
      const isWrong = input.value.trim() !== '' && value === undefined;
      input.setAttribute('aria-invalid', String(isWrong));
      if (isWrong) problems.push(`${label}: ${expected} is expected.`);
      else if (value !== undefined) conditions.push([name, value]);
    }
    this.said.textContent = problems.join(' ');
    const filter = Object.fromEntries(conditions) as JobFilter;
    const isOther = JSON.stringify(filter) !== JSON.stringify(this.filter);
    this.filter = filter;
    this.sayConditions();
    if (isOther) this.changed(filter);
  }
}
