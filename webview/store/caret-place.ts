/** Columns between tab stops: as the style sheet says. */
const TAB_SIZE = 4;

/** Where the caret is: line and column from 0, with tabs as wide as they are drawn. */
export function caretCell(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position);
  const start = before.lastIndexOf('\n') + 1;
  let column = 0;
  for (const character of before.slice(start))
    column = character === '\t' ? (Math.floor(column / TAB_SIZE) + 1) * TAB_SIZE : column + 1;
  return { line: before.split('\n').length - 1, column };
}

/** The part of a name before the caret, which a completion takes the place of. */
export function wordBefore(text: string, position: number): string {
  return /[\p{L}_][\p{L}\p{N}_]*$/u.exec(text.slice(0, position))?.[0] ?? '';
}
