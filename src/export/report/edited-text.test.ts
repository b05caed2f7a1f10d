import { expect, test } from 'vitest';
import { editedText } from './edited-text.ts';

const at = (start: number, end: number, text: string) => ({ file: '/x', start, end, text });

test('insertions at one place keep their order, whatever else begins there', () => {
  expect(editedText('abc', [at(1, 1, '1'), at(1, 1, '2')])).toBe('a12bc');
  expect(editedText('abc', [at(1, 1, '1'), at(1, 2, 'B')])).toBe('a1Bc');
  expect(editedText('abc', [at(1, 2, 'B'), at(1, 1, '1'), at(1, 1, '2')])).toBe('a12Bc');
});

test('an insertion behind what is replaced, and edits given in any order', () =>
  expect(editedText('abcd', [at(3, 4, 'D'), at(1, 2, ''), at(2, 2, '-')])).toBe('a-cD'));
