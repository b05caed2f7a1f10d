/** Pieces that every part of the HTML report is made of. */
import { formatCount } from '../../base/quantities.ts';
import { tableOf, wide, type Column } from '../../drawing/markup/tables.ts';
import { branch, type Branch, type Markup } from '../../drawing/markup/tree.ts';

/** Rows of a table that are shown; a job can write a hundred thousand files. */
const MOST_ROWS = 200;

/** A table of no more than MOST_ROWS rows. */
export function limited(columns: readonly Column[], rows: readonly (readonly Markup[])[]): Branch[] {
  if (rows.length === 0) return [branch('p', { class: 'soft' }, 'None.')];
  const left = rows.length - MOST_ROWS;
  const table = wide(tableOf(columns, rows.slice(0, MOST_ROWS)), 'full');
  return left > 0 ? [table, branch('p', { class: 'soft' }, `… and ${formatCount(left)} more`)] : [table];
}

/** @param title '' where the content has headings of its own. */
export function section(title: string, ...content: readonly Markup[]): Branch {
  return branch('section', {}, title === '' ? null : branch('h2', {}, title), ...content);
}
