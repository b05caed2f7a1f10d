import type * as vscode from 'vscode';

/** Something that stands at a line of a document (counted from 0) and moves with the text. */
export interface LinePlace {
  line: number;
}

/**
 * Moves places below an edit of their document up or down with their lines.
 * @returns whether any moved.
 */
export function followEdits(
  places: readonly LinePlace[],
  changes: vscode.TextDocumentChangeEvent['contentChanges'],
): boolean {
  let moved = false;
  for (const { range, text } of changes) {
    const delta = text.split('\n').length - 1 - (range.end.line - range.start.line);
    if (delta === 0) continue;
    // Text put in front of a line's code makes the same indentation again: the code moves, as at the line's beginning.
    const last = text.slice(text.lastIndexOf('\n') + 1);
    const endsBeforeCode = range.end.character === 0 || (last.trim() === '' && last.length === range.end.character);
    for (const place of places) {
      const isBelow = place.line > range.end.line || (place.line === range.end.line && endsBeforeCode);
      if (!isBelow || place.line < range.start.line) continue;
      place.line += delta;
      moved = true;
    }
  }
  return moved;
}
