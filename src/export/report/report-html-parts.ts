/** Pieces that every part of the HTML report is made of. */
import { formatCount } from '../../base/quantities.ts';
import { element, escapeMarkup } from '../../base/markup.ts';

/** Rows of a table that are shown; a job can write a hundred thousand files. */
const MOST_ROWS = 200;

/** A table of no more than MOST_ROWS rows. */
export function limited(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[],
): string {
  if (rows.length === 0) return '<p class="dim">None.</p>';
  const left = rows.length - MOST_ROWS;
  const rest = left > 0 ? `<p class="dim">… and ${formatCount(left)} more</p>` : '';
  return table(head, rows.slice(0, MOST_ROWS), numbers) + rest;
}

/**
 * @param rows cells that are markup already.
 * @param numbers columns that are set to the right.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly number[],
): string {
  const kind = (i: number): string | undefined => (numbers.includes(i) ? 'number' : undefined);
  const titles = head.map((title, i) => element('th', { scope: 'col', class: kind(i) }, escapeMarkup(title)));
  const lines = rows.map((row) => element('tr', {}, ...row.map((cell, i) => element('td', { class: kind(i) }, cell))));
  return `<div class="wide"><table><thead><tr>${titles.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table></div>`;
}

/** @param content markup. */
export function section(title: string, content: string): string {
  return element('section', {}, element('h2', {}, escapeMarkup(title)), content);
}
