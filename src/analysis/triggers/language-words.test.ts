import { expect, test } from 'vitest';
import type { SourceLanguage } from '../sites/source-language.ts';
import { withNamesOf } from './language-words.ts';
import { advising, say, slot } from './message.ts';

const inLanguage = (text: string, ...languages: SourceLanguage[]): string =>
  withNamesOf({ audience: 'code', text }, new Set(languages)).text;

test.each([
  [
    'Collect many of these elements in memory and write them by one H5Dwrite: select the whole block.',
    'Collect many of these elements in memory and write them by one assignment to a slice of the data set (data[first:end] = block).',
    'Collect many of these elements in memory and write them by one h5dwrite_f: select the whole block.',
  ],
  [
    'Use the collective call (MPI_File_write_at_all for MPI_File_write_at).',
    'Use the collective call (Write_at_all for Write_at).',
    'Use the collective call (MPI_File_write_at_all for MPI_File_write_at).',
  ],
  [
    'Access the variable collectively (nc_var_par_access): all processes call nc_put_vara, and wait.',
    'Access the variable collectively (set_collective): all processes assign their parts, and wait.',
    'Access the variable collectively (nf90_var_par_access): all processes call nf90_put_var, and wait.',
  ],
])('%s', (text, python, fortran) => {
  expect(inLanguage(text, 'python')).toBe(python);
  expect(inLanguage(text, 'fortran')).toBe(fortran);
  // Where lines are of several languages the names of C stand for all.
  expect(inLanguage(text, 'c')).toBe(text);
  expect(inLanguage(text, 'python', 'c')).toBe(text);
});

test('a number that another language does not need is none of its slots', () => {
  const sentence = say`Write an array by one call, with counts above ${slot('advisedNumber', 1)}, instead of its elements in a loop.`;
  const advice = { audience: 'code' as const, ...advising(sentence) };
  expect(withNamesOf(advice, new Set(['python']))).toEqual({
    audience: 'code',
    text: 'Assign an array to one slice instead of its elements in a loop.',
    slots: [],
  });
});
