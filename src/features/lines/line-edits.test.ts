import { describe, expect, test } from 'vitest';
import { lineAfter, lineEdits, type LineEdit, type TextChange } from './line-edits.ts';

/** Applies changes to a text as an editor does, and tells where the line with the mark stands by the edits. */
function follow(before: string, ...events: TextChange[][]): { text: string; lines: Record<string, number> } {
  let text = before;
  const edits: LineEdit[] = [];
  for (const changes of events) {
    const offset = (place: { line: number; character: number }): number =>
      text
        .split('\n')
        .slice(0, place.line)
        .reduce((sum, line) => sum + line.length + 1, place.character);
    const placed = changes.map(({ range, text: added }) => [offset(range.start), offset(range.end), added] as const);
    for (const [from, to, added] of [...placed].sort(([a], [b]) => b - a))
      text = text.slice(0, from) + added + text.slice(to);
    const after = text.split('\n');
    edits.push(...lineEdits(changes, (line) => after[line] ?? ''));
  }
  const marks = [...before.matchAll(/\b[A-Z]\b/g)].map(([mark]) => mark);
  const lines = Object.fromEntries(
    marks.map((mark) => [
      mark,
      lineAfter(
        before.split('\n').findIndex((line) => line.includes(mark)),
        edits,
      ),
    ]),
  );
  return { text, lines };
}

const change = (from: [number, number], to: [number, number], text: string): TextChange => ({
  range: { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } },
  text,
});

/** Each mark still stands on the line that it is said to be on. */
function expectFollowed({ text, lines }: ReturnType<typeof follow>): void {
  for (const [mark, line] of Object.entries(lines)) expect(text.split('\n')[line], mark).toContain(mark);
}

const BEFORE = 'A();\n    B();\n    C();\n\nD();';

describe('lines follow edits', () => {
  test.each<[string, TextChange[]]>([
    ['Enter at the end of a line', [change([1, 8], [1, 8], '\n    ')]],
    ['Enter at column 0', [change([1, 0], [1, 0], '\n')]],
    ['Enter inside the indentation', [change([1, 2], [1, 2], '\n    ')]],
    ['Enter in front of the code', [change([1, 4], [1, 4], '\n    ')]],
    ['Enter that replaces the indentation', [change([1, 0], [1, 4], '\n    ')]],
    ['Enter that takes blanks behind it away', [change([1, 8], [1, 8], '\n    '), change([3, 0], [3, 0], '')]],
    ['ten lines on top', [change([0, 0], [0, 0], 'x\n'.repeat(10))]],
    ['a line joined to the one above', [change([0, 4], [1, 4], ' ')]],
    ['a blank line removed', [change([2, 8], [3, 0], '')]],
    ['two cursors', [change([2, 0], [2, 0], 'y\n'), change([1, 0], [1, 0], 'x\nx\n')]],
    ['two cursors, the first first', [change([1, 2], [1, 2], '\n  '), change([2, 4], [2, 4], '\n')]],
    ['a change within a line', [change([1, 4], [1, 5], 'B')]],
    ['lines replaced by as many', [change([1, 0], [3, 0], '  B();\n  C();\n')]],
  ])('%s', (_name, changes) => expectFollowed(follow(BEFORE, changes)));

  test('edits follow each other', () =>
    expectFollowed(
      follow(
        BEFORE,
        [change([0, 0], [0, 0], 'x\n')],
        [change([2, 2], [2, 2], '\n  ')],
        [change([0, 0], [1, 0], '')],
        [change([3, 8], [3, 8], '\n\n')],
      ),
    ));

  test('a removed line is where its successor stands', () => {
    const { text, lines } = follow(BEFORE, [change([1, 0], [3, 0], '')]);
    expect(text).toBe('A();\n\nD();');
    expect(lines).toEqual({ A: 0, B: 1, C: 1, D: 2 });
  });
});
