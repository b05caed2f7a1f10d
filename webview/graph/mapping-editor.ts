import { formatCount, formatDuration } from '../../src/base/quantities.ts';
import type { MappingPreview } from '../../src/features/graph/protocol.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { make, table } from '../kit/dom.ts';
import { area, button, choose, field, select } from './controls.ts';
import { documentOf, EMPTY_MAPPING, textsOf, type MappingTexts, type RuleTexts } from './mapping-form.ts';

interface MappingEditorEvents {
  /** What would this mapping make? */
  readonly preview: (rules: string) => Promise<MappingPreview>;
  readonly apply: (rules: string) => void;
  readonly save: (name: string, rules: string) => void;
  readonly close: () => void;
}

const BASES = [
  { value: 'call+path:1', label: 'call and top folder' },
  { value: 'call+path:2', label: 'call and 2 folders' },
  { value: 'call+path:3', label: 'call and 3 folders' },
  { value: 'call+file', label: 'call and file' },
  { value: 'path:2', label: '2 folders' },
  { value: 'call', label: 'call' },
  { value: 'site', label: 'source line' },
  { value: '', label: 'nothing: leave them out' },
];
/** A preview is asked for when the user stops typing. */
const PAUSE_MS = 250;

/** A form in which a mapping is written, and what it would make before it is applied. */
export class MappingEditor {
  private readonly base = select('rules-base', 'Calls that no rule names', BASES);
  private readonly variables = area('rules-variables', 'Site variables', '$SCRATCH = /p/scratch/project');
  private readonly groups = area('rules-groups', 'Call groups', 'read* = read|pread64|readv');
  private readonly without = field('rules-without', 'Leave out calls', 'lseek, fcntl');
  private readonly name = field('rules-name', 'Name', 'my mapping');
  private readonly rows = make('tbody');
  private readonly result = make('div', { class: 'preview', role: 'status' });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private request = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly events: MappingEditorEvents,
  ) {
    const fields = [this.base, this.variables, this.groups, this.without].map(({ label }) => label);
    const head = ['Path', 'Calls', 'When', 'Activity', 'Order'].map((title) => make('th', { scope: 'col' }, title));
    const rules = make('table', { class: 'rules' }, make('thead', {}, make('tr', {}, ...head)), this.rows);
    const add = button('Add rule', 'Add a rule after the others', () => {
      this.addRule({ path: '', calls: '', when: '', name: '' }).focus();
      this.changed();
    });
    const form = make(
      'form',
      {},
      make('h2', {}, 'Mapping'),
      make('div', { class: 'fields' }, ...fields),
      make(
        'p',
        { class: 'hint' },
        'The first rule that fits names the activity. Paths are globs: * within a part, ** for any number of parts. In a name {call}, {path}, {path:2}, {name} and {host} are filled in; without a name the calls are left out.',
      ),
      rules,
      add,
      this.result,
      this.actions(),
    );
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', () => this.changed());
    root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
    root.append(form);
  }

  private actions(): HTMLElement {
    const withDocument = (use: (rules: string) => void) => (): void => {
      const rules = this.document();
      if (rules !== undefined) use(rules);
    };
    return make(
      'div',
      { class: 'actions' },
      button('Apply', 'Make the graph with this mapping', withDocument(this.events.apply)),
      this.name.label,
      button(
        'Save',
        'Save the mapping in the settings under its name',
        withDocument((rules) => {
          const name = this.name.input.value.trim();
          if (name === '') this.name.input.focus();
          else this.events.save(name, rules);
        }),
      ),
      button('Close', 'Close the editor', () => this.close()),
    );
  }

  /** Opens the editor with a mapping: the JSON text of rules, or a fixed one. */
  open(rules: string, fixed: string): void {
    const texts: MappingTexts = rules === '' ? { ...EMPTY_MAPPING, base: fixed } : textsOf(rules);
    choose(this.base.input, texts.base, texts.base);
    this.variables.input.value = texts.siteVariables;
    this.groups.input.value = texts.callGroups;
    this.without.input.value = texts.withoutCalls;
    this.rows.replaceChildren();
    for (const rule of texts.rules) this.addRule(rule);
    this.root.hidden = false;
    this.base.input.focus();
    this.ask();
  }

  close(): void {
    this.root.hidden = true;
    clearTimeout(this.timer);
    this.events.close();
  }

  get isOpen(): boolean {
    return !this.root.hidden;
  }

  private showPreview(preview: MappingPreview): void {
    const { activities, activityCount, mappedEvents, unmapped, unmappedEvents } = preview;
    const head = [{ title: 'activity' }, { title: 'events', isNumber: true }, { title: 'time', isNumber: true }];
    const rows = (list: MappingPreview['activities']): string[][] =>
      list.map(({ name, events, timeNs }) => [name, formatCount(events), formatDuration(timeNs)]);
    const listed = activityCount > activities.length ? `, the largest ${formatCount(activities.length)}` : '';
    const made = `${formatCount(activityCount)} activities of ${formatCount(mappedEvents)} events${listed}`;
    const out = `${formatCount(unmappedEvents)} events are left out`;
    this.result.className = 'preview';
    this.result.replaceChildren(
      scrolling(table(head, rows(activities), made), 'What the mapping makes'),
      ...(unmappedEvents === 0
        ? [make('p', {}, 'No event is left out.')]
        : [scrolling(table([{ title: 'call' }, ...head.slice(1)], rows(unmapped), out), 'What is left out')]),
    );
  }

  private complain(problem: string): void {
    this.result.className = 'preview problem';
    this.result.replaceChildren(make('p', {}, problem));
  }

  private changed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE_MS);
  }

  private ask(): void {
    const rules = this.document();
    if (rules === undefined) return;
    const request = ++this.request;
    this.events.preview(rules).then(
      (preview) => {
        if (request === this.request) this.showPreview(preview);
      },
      (error: unknown) => {
        if (request === this.request) this.complain(messageOf(error));
      },
    );
  }

  /** The JSON text of what the fields say; undefined, and a word about it, when they say nothing that can be read. */
  private document(): string | undefined {
    try {
      return documentOf({
        base: this.base.input.value,
        siteVariables: this.variables.input.value,
        callGroups: this.groups.input.value,
        withoutCalls: this.without.input.value,
        rules: [...this.rows.rows].map(ruleOf),
      });
    } catch (error) {
      // An answer that is on its way is to what was written before.
      this.request++;
      this.complain(messageOf(error));
      return undefined;
    }
  }

  /** @returns its first field. */
  private addRule(rule: RuleTexts): HTMLInputElement {
    const row = make('tr');
    const inputs = (['path', 'calls', 'when', 'name'] as const).map((part) => {
      const labels = {
        ...{ path: 'Path of the rule', calls: 'Calls of the rule' },
        ...{ when: 'Conditions of the rule', name: 'Activity of the rule' },
      };
      const hints = { path: '/p/scratch/**/*.h5', calls: 'read|pread64', when: 'size >= 1M', name: 'leave out' };
      const input = make('input', { type: 'text', 'aria-label': labels[part], placeholder: hints[part], name: part });
      input.spellcheck = false;
      input.value = rule[part];
      return input;
    });
    const move = (by: -1 | 1) => (): void => {
      const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
      if (by < 0) other?.before(row);
      else other?.after(row);
      inputs[0]!.focus();
      this.changed();
    };
    const buttons = [
      button('↑', 'Move the rule up', move(-1)),
      button('↓', 'Move the rule down', move(1)),
      button('✕', 'Remove the rule', () => {
        row.remove();
        this.changed();
      }),
    ];
    row.append(...inputs.map((input) => make('td', {}, input)), make('td', { class: 'order' }, ...buttons));
    this.rows.append(row);
    return inputs[0]!;
  }
}

function ruleOf(row: HTMLTableRowElement): RuleTexts {
  const [path, calls, when, name] = [...row.querySelectorAll('input')].map(({ value }) => value);
  return { path: path ?? '', calls: calls ?? '', when: when ?? '', name: name ?? '' };
}

function scrolling(content: HTMLElement, label: string): HTMLElement {
  return make('div', { class: 'scrolling', tabindex: '0', role: 'region', 'aria-label': label }, content);
}
