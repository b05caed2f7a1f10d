import { visibleText } from '../../src/base/markup.ts';
import { factList, tableOf, type Column } from '../../src/drawing/markup/tables.ts';
import { visibleCode, type Markup } from '../../src/drawing/markup/tree.ts';

export { visibleText } from '../../src/base/markup.ts';
export type { Column } from '../../src/drawing/markup/tables.ts';

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
  block.textContent = visibleCode(code);
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

export type Cell = string | Node;

/** A table with a heading row; the first cell of each row is its heading. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], caption = ''): HTMLTableElement {
  return made(
    tableOf(
      columns,
      rows.map((row) => row.map(placed)),
      caption,
    ),
  ) as HTMLTableElement;
}

/** Names with their values, as a list of terms. */
export function facts(rows: readonly (readonly [name: string, value: Cell])[]): HTMLDListElement {
  return made(factList(rows.map(([name, value]) => [name, placed(value)]))) as HTMLDListElement;
}

function placed(cell: Cell): Markup<Node> {
  return typeof cell === 'string' ? cell : { part: cell };
}

const SVG = 'http://www.w3.org/2000/svg';

/** Markup as nodes of the page; what is a node already stands as it is. */
export function made(markup: Markup<Node>, context: { isSvg?: boolean; keepsLines?: boolean } = {}): Node {
  if (typeof markup === 'string')
    return document.createTextNode(context.keepsLines === true ? visibleCode(markup) : visibleText(markup));
  if ('part' in markup) return markup.part;
  const { name, attributes, children } = markup;
  const isSvg = context.isSvg === true || name === 'svg';
  const element = isSvg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  const inside = { isSvg, keepsLines: context.keepsLines === true || name === 'pre' };
  element.append(...children.map((child) => made(child, inside)));
  return element;
}
