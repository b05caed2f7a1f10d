/** Which rows of a long table are in sight: arithmetic alone, so that it can be tested without a page. */

/** Browsers lay out nothing that is much higher (Chromium: 2^25 pixels). */
export const MOST_PIXELS = 15_000_000;

/** Height of the room that is scrolled through. */
export function scrolledHeight(rows: number, rowHeight: number): number {
  return Math.min(rows * rowHeight, MOST_PIXELS);
}

/**
 * The first row in sight, with fractions, for a place of the scroll bar. Where rows need more pixels than there are, the bar
 * still leads over all of them: the end of the bar is the last row.
 */
export function rowAt(scrollTop: number, rows: number, rowHeight: number, viewHeight: number): number {
  const way = scrolledHeight(rows, rowHeight) - viewHeight;
  const rowsOfWay = rows - viewHeight / rowHeight;
  if (way <= 0 || rowsOfWay <= 0) return 0;
  return Math.min(rowsOfWay, Math.max(0, (scrollTop / way) * rowsOfWay));
}

/** The place of the scroll bar that has a row on top; the inverse of `rowAt`. */
export function scrollOf(row: number, rows: number, rowHeight: number, viewHeight: number): number {
  const way = scrolledHeight(rows, rowHeight) - viewHeight;
  const rowsOfWay = rows - viewHeight / rowHeight;
  if (way <= 0 || rowsOfWay <= 0) return 0;
  return (Math.min(rowsOfWay, Math.max(0, row)) / rowsOfWay) * way;
}

/** The first row on top that brings a row wholly into sight with the least moving. */
export function topShowing(row: number, top: number, rowHeight: number, viewHeight: number): number {
  const inSight = viewHeight / rowHeight;
  if (row < top) return row;
  return row + 1 > top + inSight ? row + 1 - inSight : top;
}
