/** Where lines stand after edits. Free of the editor's API, so that it can be tested by itself. Lines count from 0. */

/** A change of a document, as the editor reports it. */
export interface TextChange {
  readonly range: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  readonly text: string;
}

/** What a change does to lines. */
export interface LineEdit {
  readonly startLine: number;
  readonly endLine: number;
  /** Line breaks of the new text. */
  readonly breaks: number;
  /** What stood on the last changed line behind the change went with it: nothing but blanks stood before. */
  readonly carriesLastLine: boolean;
}

/**
 * The line edits of one event, in the order in which they are to be applied. Changes that keep all lines are left out.
 *
 * @param lineAt text of a line of the document **after** the event.
 */
export function lineEdits(changes: readonly TextChange[], lineAt: (line: number) => string): LineEdit[] {
  const ascending = [...changes].sort(
    (a, b) => a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character,
  );
  const edits: LineEdit[] = [];
  // The ranges are those before the event: from the last to the first they do not disturb each other.
  let moved = 0;
  for (const change of ascending) {
    const { start, end } = change.range;
    const breaks = change.text.split('\n').length - 1;
    const carries = carriesLastLine(change, breaks, moved, lineAt);
    if (breaks > 0 || end.line > start.line)
      edits.unshift({ startLine: start.line, endLine: end.line, breaks, carriesLastLine: carries });
    moved += breaks - (end.line - start.line);
  }
  return edits;
}

/** Enter in front of a line's code takes the code along; Enter behind it does not. */
function carriesLastLine(
  { range, text }: TextChange,
  breaks: number,
  moved: number,
  lineAt: (line: number) => string,
): boolean {
  const first = lineAt(range.start.line + moved);
  const last = lineAt(range.start.line + moved + breaks);
  const before = first.slice(0, range.start.character);
  const inserted = text.slice(text.lastIndexOf('\n') + 1).length;
  const behind = last.slice(breaks === 0 ? range.start.character + inserted : inserted);
  // A change over several lines takes the beginning of its last line away, and keeps the rest of that.
  return behind.trim() !== '' && (range.end.line > range.start.line || before.trim() === '');
}

/** Where a line stands after edits, each of which follows the one before. A removed line is where its successor stands. */
export function lineAfter(line: number, edits: readonly LineEdit[]): number {
  let at = line;
  for (const { startLine, endLine, breaks, carriesLastLine: carries } of edits) {
    if (at > endLine || (at === endLine && carries)) at += breaks - (endLine - startLine);
    else if (at > startLine) at = Math.min(at, startLine + breaks);
  }
  return at;
}
