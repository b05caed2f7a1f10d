import type * as vscode from 'vscode';
import { expect, test } from 'vitest';
import { followEdits } from './edited-lines.ts';

type Change = vscode.TextDocumentContentChangeEvent;

function change(from: [number, number], to: [number, number], text: string): Change {
  const range = { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } };
  return { range, text } as unknown as Change;
}

test.each([
  ['a line put above', change([2, 0], [2, 0], 'new\n'), [0, 6], true],
  ['a line put below', change([6, 0], [6, 0], 'new\n'), [0, 5], false],
  ['a line put in front of the very line', change([5, 0], [5, 0], 'new\n'), [0, 6], true],
  ['a statement put in front of the line’s code', change([5, 4], [5, 4], 'flush();\n    '), [0, 6], true],
  ['a line broken in its middle stays', change([5, 4], [5, 4], '\n'), [0, 5], false],
  ['two lines taken away above', change([1, 0], [3, 0], ''), [0, 3], true],
  ['text within a line', change([1, 0], [1, 3], 'abc'), [0, 5], false],
])('%s', (_name, edit, lines, moved) => {
  const places = [{ line: 0 }, { line: 5 }];
  expect(followEdits(places, [edit])).toBe(moved);
  expect(places.map(({ line }) => line)).toEqual(lines);
});
