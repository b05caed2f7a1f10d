import { describe, expect, test } from 'vitest';
import { chosenFixes, editsByFile, sourceEdits } from './chosen-fixes.ts';
import type { EditDocument, FixDocument } from './fixes-document.ts';

function edit(line: number, column: number, endColumn: number, newText: string): EditDocument {
  return { file: '/w/a.c', line, column, endLine: line, endColumn, newText };
}

function fix(id: string, kind: FixDocument['kind'], ...edits: EditDocument[]): FixDocument {
  return {
    id,
    code: 'P06',
    codes: ['P06'],
    places: [{ code: 'P06', file: '/w/a.c', line: 1 }],
    trigger: 'posix-small-writes',
    file: '/w/a.c',
    line: 1,
    function: 'main',
    title: id,
    kind,
    reason: null,
    notes: [],
    lineNote: null,
    gain: { savedNs: null, lowNs: null, highNs: null },
    edits,
  };
}

test('fixes are found by their names, each once; a wrong name tells the right ones', () => {
  const fixes = [fix('P06-1', 'repair'), fix('P06-2', 'example')];
  expect(chosenFixes({ schema: 'iolens/fixes@1', fixes }, ['P06-2', 'P06-2'])).toEqual([fixes[1]]);
  expect(() => chosenFixes({ schema: 'iolens/fixes@1', fixes }, ['P06-3'])).toThrow('there are P06-1, P06-2');
});

describe('several fixes', () => {
  const include = edit(1, 1, 1, '#include <string.h>\n');

  test('do once what they do alike', () => {
    const chosen = [fix('P06-1', 'repair', include, edit(5, 1, 4, 'a')), fix('P06-2', 'repair', include)];
    expect(editsByFile(chosen).get('/w/a.c')).toEqual([include, edit(5, 1, 4, 'a')]);
  });

  test.each([
    ['the same words', edit(5, 3, 9, 'a'), edit(5, 3, 9, 'b')],
    ['words in common', edit(5, 3, 9, 'a'), edit(5, 8, 12, 'b')],
    ['words within others', edit(5, 3, 9, 'a'), edit(5, 5, 6, 'b')],
    ['a place that both insert at', edit(5, 3, 3, 'a'), edit(5, 3, 3, 'b')],
    ['an insertion within words', edit(5, 3, 9, 'a'), edit(5, 4, 4, 'b')],
  ])('are refused for %s', (_what, one, other) => {
    expect(() => editsByFile([fix('P06-1', 'repair', one), fix('P06-2', 'trade', other)])).toThrow(
      'P06-1 and P06-2 change the same text (/w/a.c:5)',
    );
  });

  test('may stand side by side, and comments at one place', () => {
    const beside = [fix('P06-1', 'repair', edit(5, 3, 9, 'a')), fix('P06-2', 'repair', edit(5, 9, 12, 'b'))];
    expect(editsByFile(beside).get('/w/a.c')).toHaveLength(2);
    const comments = [fix('P06-1', 'repair', edit(5, 1, 1, 'a')), fix('P06-2', 'example', edit(5, 1, 1, '// b\n'))];
    expect(editsByFile(comments).get('/w/a.c')).toHaveLength(2);
  });
});

test('lines and columns become places in the text, with its line ends; a text that has no such place was changed', () => {
  const text = 'a\r\nbcd\r\n';
  expect(sourceEdits(text, [edit(2, 2, 3, 'x\ny')])).toEqual([{ file: '/w/a.c', start: 4, end: 5, text: 'x\r\ny' }]);
  expect(() => sourceEdits(text, [edit(2, 9, 9, 'x')])).toThrow('was changed meanwhile');
  expect(() => sourceEdits(text, [edit(7, 1, 1, 'x')])).toThrow('was changed meanwhile');
});
