/** Elements of the page. Text goes in as text only: names come from a log, and a log is not to be trusted. */

type Child = Node | string | null;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  for (const child of children) {
    if (child === null) continue;
    element.append(typeof child === 'string' ? visibleText(child) : child);
  }
  return element;
}

/** Source code with its lines and tabs. */
export function codeBlock(code: string, label: string): HTMLPreElement {
  const block = make('pre', { tabindex: '0', 'aria-label': label });
  block.textContent = code
    .split(/([\n\t])/)
    .map((part) => (/[\n\t]/.test(part) ? part : visibleText(part)))
    .join('');
  return block;
}

export function button(
  text: string,
  attributes: Readonly<Record<string, string>>,
  click: () => void,
): HTMLButtonElement {
  const made = make('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', click);
  return made;
}

/** Cells that are numbers stand to the right. */
export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** What the column means, where its title cannot say it. */
  readonly hint?: string;
}

export type Cell = string | Node;

/** A table with a heading row; the first cell of each row is its heading. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], caption = ''): HTMLTableElement {
  const head = make(
    'tr',
    {},
    ...columns.map(({ title, isNumber, hint }, column) =>
      // The first column names its row: it stands on the left, whatever it holds.
      make('th', { scope: 'col', class: numberClass(column > 0 && isNumber), ...(hint && { title: hint }) }, title),
    ),
  );
  const body = rows.map((row) =>
    make(
      'tr',
      {},
      ...row.map((cell, column) =>
        column === 0
          ? make('th', { scope: 'row' }, cell)
          : make('td', { class: numberClass(columns[column]?.isNumber) }, cell),
      ),
    ),
  );
  const made = make('table', {}, make('thead', {}, head), make('tbody', {}, ...body));
  if (caption !== '') made.prepend(make('caption', {}, caption));
  return made;
}

function numberClass(isNumber: boolean | undefined): string {
  return isNumber === true ? 'number' : '';
}

/** Names with their values, as a list of terms. */
export function facts(rows: readonly (readonly [name: string, value: Cell])[]): HTMLDListElement {
  return make(
    'dl',
    { class: 'facts' },
    ...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
  );
}

/**
 * Control characters as pictures (`␛`), and marks that are not seen or turn the direction of writing as escapes: a name can
 * neither hide a part of itself nor look like another.
 */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
    return code === 0x7f ? '\u2421' : `\\u{${code.toString(16)}}`;
  });
}

/** The block of Unicode with a picture for each control character. */
const CONTROL_PICTURES = 0x2400;
