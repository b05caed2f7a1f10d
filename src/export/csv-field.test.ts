import { expect, test } from 'vitest';
import { csvText } from './csv-field.ts';

test.each([
  ['/scratch/a,b', '"/scratch/a,b"'],
  ['say "x"', '"say ""x"""'],
  ['=HYPERLINK("http://x";A1)', `"'=HYPERLINK(""http://x"";A1)"`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3+cmd|x', "'-2+3+cmd|x"],
  ['+1 555', "'+1 555"],
  ['\t=1', "'\t=1"],
  // Whole numbers that are too large for a number.
  ['-9223372036854775808', '-9223372036854775808'],
  ['-0.5', '-0.5'],
  ['a=b', 'a=b'],
  ['', ''],
])('%s is a text', (text, field) => {
  expect(csvText(text)).toBe(field);
});
