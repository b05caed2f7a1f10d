import type { SourceEdit } from '../../analysis/fixes/fix.ts';

/**
 * A file's text after edits, as editors make them: every position counts in the text before, of several insertions at one
 * place the first comes first, and an insertion stands in front of what is replaced there.
 */
export function editedText(text: string, edits: readonly SourceEdit[]): string {
  const fromTheEnd = [...edits].reverse().sort((a, b) => b.start - a.start || b.end - a.end);
  return fromTheEnd.reduce((all, { start, end, text: put }) => all.slice(0, start) + put + all.slice(end), text);
}
