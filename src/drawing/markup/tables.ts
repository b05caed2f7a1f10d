import { branch, type Branch, type Markup } from './tree.ts';

/** Cells that are numbers stand to the right. */
export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** What the column means, where its title cannot say it. */
  readonly hint?: string;
}

/** Columns of numbers. */
export function numbers(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title, isNumber: true }));
}

/** A table with a heading row; the first cell of each row is its heading. */
export function tableOf<Part = never>(
  columns: readonly Column[],
  rows: readonly (readonly Markup<Part>[])[],
  caption = '',
): Branch<Part> {
  const head = columns.map(({ title, isNumber, hint }, column) =>
    // The first column names its row: it stands on the left, whatever it holds.
    branch(
      'th',
      { scope: 'col', class: numberClass(column > 0 && isNumber), title: hint === '' ? undefined : hint },
      title,
    ),
  );
  const body = rows.map((row) =>
    branch(
      'tr',
      {},
      ...row.map((cell, column) =>
        column === 0
          ? branch('th', { scope: 'row' }, cell)
          : branch('td', { class: numberClass(columns[column]?.isNumber) }, cell),
      ),
    ),
  );
  return branch(
    'table',
    {},
    caption === '' ? null : branch('caption', {}, caption),
    branch('thead', {}, branch('tr', {}, ...head)),
    branch('tbody', {}, ...body),
  );
}

function numberClass(isNumber: boolean | undefined): string | undefined {
  return isNumber === true ? 'number' : undefined;
}

/** Names with their values, as a list of terms. */
export function factList<Part = never>(rows: readonly (readonly [name: string, value: Markup<Part>])[]): Branch<Part> {
  const terms = rows.flatMap(([name, value]) => [branch('dt', {}, name), branch('dd', {}, value)]);
  return branch('dl', { class: 'facts' }, ...terms);
}

/** What is wider than the page moves in itself. */
export function wide<Part = never>(content: Markup<Part>, kind = ''): Branch<Part> {
  return branch('div', { class: `wide ${kind}`.trim() }, content);
}

/** Behind a click; what is not open stays folded on paper. */
export function folded<Part = never>(title: string, content: Markup<Part>, isOpen = false): Branch<Part> {
  return branch('details', { open: isOpen ? '' : undefined }, branch('summary', {}, title), content);
}
