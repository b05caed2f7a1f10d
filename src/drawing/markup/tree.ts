import { escapeMarkup, visibleText } from '../../base/markup.ts';

/**
 * Markup as data: what is drawn once and shown both on pages of the editor, which make elements of it, and in exported files,
 * which write it. Text stays text until then: nothing that a recording says can become markup.
 */
export interface Branch<Part = never> {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly Markup<Part>[];
}

export type Markup<Part = never> = string | Branch<Part> | Placed<Part>;

/** Something that only one of the media can show, such as an element that follows the pointer. */
interface Placed<Part> {
  readonly part: Part;
}

type Attributes = Readonly<Record<string, string | number>>;

/** Attributes that are undefined and children that are null are left out. */
export function branch<Part = never>(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  ...children: readonly (Markup<Part> | null)[]
): Branch<Part> {
  const known = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return {
    name,
    attributes: Object.fromEntries(known) as Attributes,
    children: children.filter((child) => child !== null),
  };
}

/** Elements without content or end. */
const VOID = new Set(['br']);

/**
 * The markup as text of HTML and SVG.
 * @param keepsLines line ends and tabs are shown as such, which is so below a `pre`.
 */
export function printed(markup: Markup, keepsLines = false): string {
  if (typeof markup === 'string') return escapeMarkup(keepsLines ? visibleCode(markup) : visibleText(markup));
  if ('part' in markup) return markup.part;
  const { name, attributes, children } = markup;
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`);
  const start = `<${name}${written.join('')}>`;
  if (VOID.has(name)) return start;
  return `${start}${children.map((child) => printed(child, keepsLines || name === 'pre')).join('')}</${name}>`;
}

/** Text with its lines and tabs; everything else that is not seen is made visible. */
export function visibleCode(code: string): string {
  return code
    .split(/([\n\t])/)
    .map((part) => (/[\n\t]/.test(part) ? part : visibleText(part)))
    .join('');
}
