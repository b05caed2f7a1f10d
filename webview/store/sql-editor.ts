import type { Completion } from '../../src/features/store/protocol.ts';
import { MOST_SQL } from '../../src/features/store/protocol.ts';
import { make } from '../kit/dom.ts';
import { caretCell, wordBefore } from './caret-place.ts';

interface SqlEditorEvents {
  complete(sql: string, position: number): Promise<readonly Completion[]>;
  run(): void;
  /** The text is another one. */
  changed(sql: string): void;
}

/** Completions that are listed: more letters find the others. */
const MOST_LISTED = 50;
const TYPING = 80;

/** A field for SQL that completes names of tables, columns and functions. */
export class SqlEditor {
  readonly element: HTMLElement;
  private readonly field = make('textarea', {
    'aria-label': 'SQL',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    rows: '8',
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
    wrap: 'off',
    maxlength: String(MOST_SQL),
  });
  private readonly list = make('ul', { role: 'listbox', id: 'completions', 'aria-label': 'Completions' });
  private readonly said = make('div', { class: 'unseen', role: 'status' });
  private listed: readonly Completion[] = [];
  private active = 0;
  /** Only completions of the text as it is now are shown. */
  private generation = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    sql: string,
    private readonly events: SqlEditorEvents,
  ) {
    this.field.value = sql;
    this.list.hidden = true;
    this.element = make('div', { class: 'sql-editor' }, this.field, this.list, this.said);
    this.field.addEventListener('input', () => {
      this.events.changed(this.field.value);
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => void this.complete(false), TYPING);
    });
    this.field.addEventListener('keydown', (event) => this.press(event));
    for (const left of ['blur', 'click', 'scroll']) this.field.addEventListener(left, () => this.close());
    // A press would take the focus from the field before the click comes.
    this.list.addEventListener('mousedown', (event) => event.preventDefault());
  }

  get sql(): string {
    return this.field.value;
  }

  set(sql: string): void {
    this.close();
    this.field.value = sql;
    this.events.changed(sql);
  }

  focus(): void {
    this.field.focus();
  }

  private press(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.close();
      this.events.run();
    } else if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault();
      void this.complete(true);
    } else if (!this.list.hidden) this.pressInList(event);
  }

  private pressInList(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) this.mark((this.active + step + this.listed.length) % this.listed.length);
    else if (event.key === 'Enter' || event.key === 'Tab') this.take(this.active);
    else if (event.key === 'Escape') this.close();
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      this.close();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param isAsked by the user, also where no letter stands before the caret. */
  private async complete(isAsked: boolean): Promise<void> {
    const generation = ++this.generation;
    const { value, selectionStart } = this.field;
    const word = wordBefore(value, selectionStart);
    const isAfterDot = value[selectionStart - 1] === '.';
    if (word === '' && !isAfterDot && !isAsked) {
      this.close();
      return;
    }
    // Without completions the field is a field: what is wrong is said when the text is run.
    const found = await this.events.complete(value, selectionStart).catch(() => []);
    if (generation !== this.generation || document.activeElement !== this.field) return;
    const isDone = found.length === 1 && found[0]!.text === word;
    this.show(isDone ? [] : found.slice(0, MOST_LISTED), value, selectionStart);
  }

  private show(found: readonly Completion[], text: string, position: number): void {
    this.listed = found;
    this.list.replaceChildren(
      ...found.map(({ text: name, kind, about }, index) => {
        const option = make(
          'li',
          { role: 'option', id: `completion-${index}` },
          make('span', { class: 'name' }, name),
          make('span', { class: 'soft' }, about === '' ? kind : `${kind}: ${about}`),
        );
        option.addEventListener('click', () => this.take(index));
        return option;
      }),
    );
    this.list.hidden = found.length === 0;
    this.said.textContent = found.length === 0 ? '' : `${found.length} completions`;
    if (found.length === 0) {
      this.close();
      return;
    }
    this.field.setAttribute('aria-controls', this.list.id);
    this.placeList(text, position);
    this.mark(0);
  }

  /** Below the caret. */
  private placeList(text: string, position: number): void {
    const style = getComputedStyle(this.field);
    const { line, column } = caretCell(text, position - wordBefore(text, position).length);
    const context = document.createElement('canvas').getContext('2d')!;
    context.font = `${style.fontSize} ${style.fontFamily}`;
    const left = column * context.measureText('0').width + Number.parseFloat(style.paddingLeft) - this.field.scrollLeft;
    const height = Number.parseFloat(style.lineHeight);
    const top = (line + 1) * height + Number.parseFloat(style.paddingTop) - this.field.scrollTop;
    this.list.style.left = `${Math.max(0, Math.min(left, this.field.clientWidth - 240))}px`;
    this.list.style.top = `${Math.min(top, this.field.clientHeight)}px`;
  }

  private mark(index: number): void {
    this.active = index;
    [...this.list.children].forEach((option, at) => {
      option.setAttribute('aria-selected', String(at === index));
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    });
    this.field.setAttribute('aria-activedescendant', `completion-${index}`);
  }

  private take(index: number): void {
    const completion = this.listed[index];
    if (completion === undefined) return;
    const { value, selectionStart } = this.field;
    const from = selectionStart - wordBefore(value, selectionStart).length;
    this.field.setRangeText(completion.text, from, selectionStart, 'end');
    this.close();
    this.events.changed(this.field.value);
  }

  private close(): void {
    this.generation++;
    clearTimeout(this.waiting);
    this.list.hidden = true;
    this.listed = [];
    this.field.removeAttribute('aria-activedescendant');
    this.field.removeAttribute('aria-controls');
  }
}
