import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bindNumber, type Names } from './evaluate.ts';
import { bindPath, literalPath } from './path-template.ts';
import { ranksOf } from './ranks.ts';

const names: Names = {
  size: 8,
  rank: 3,
  series: ['i', '', 'j'],
  variables: { BLOCK: '64KiB', TWICE: '2 * BLOCK', LOOP: 'LOOP + 1', WORDS: 'ten', RANK: '99' },
};
const valueOf = (text: string | number, iterations = [5, 0, 7]): number => bindNumber(text, names)(iterations);

describe('expressions', () => {
  test.each<[string | number, number]>([
    [42, 42],
    ['RANK * 1048576 + i * 640', 3 * 1048576 + 5 * 640],
    ['2 + 3 * 4 - 10 / 3 % 2', 13],
    ['2 - 3 - 4', -5],
    ['100 / 10 / 5', 2],
    ['-7 / 2', -3],
    ['-7 % 3', -1],
    ['-(2 + 3) * -2', 10],
    ['(RANK + SIZE - 1) % SIZE', 2],
    ['i * j', 35],
    ['TWICE + 1', 131073],
    ['4KiB + 1MiB', 4096 + 1048576],
    ['1.5KiB', 1536],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s', (text, value) => expect(valueOf(text)).toBe(value));

  test('of one iteration after the other', () => {
    const bound = bindNumber('i * 10 + j', names);
    expect([bound([0, 0, 0]), bound([1, 0, 2]), bound([2, 0, 9])]).toEqual([0, 12, 29]);
  });

  test('of durations have decimals', () => expect(bindNumber('0.5 + RANK / 4', names, 'real')([])).toBe(1.25));

  test.each([
    ['2 +', 'a number, a variable or "(" is expected at the end'],
    ['(2', '")" is expected at the end'],
    ['2 3', 'an operator or the end is expected at character 3 ("3")'],
    ['2 ** 3', 'at character 4 ("*")'],
    ['process.exit(1)', '"." at character 8'],
    ['a[0]', '"[" at character 2'],
    ['N', 'N is not known here'],
    ['constructor', 'constructor is not known here'],
    ['WORDS', 'the variable WORDS is no number'],
    ['LOOP', 'the variable LOOP needs itself'],
    ['1 / (RANK - 3)', 'divides by 0'],
    ['1 % 0', 'divides by 0'],
    ['0.5', 'is no whole number'],
    ['1e300', 'beyond 2^53'],
    ['9007199254740991 + 1', 'beyond 2^53'],
    ['3000000000 * 4000000', 'beyond 2^53'],
    [2 ** 60, 'beyond 2^53'],
    [NaN, 'beyond 2^53'],
    ['('.repeat(100) + '1' + ')'.repeat(100), 'nested more than 64 deep'],
    ['-'.repeat(100) + '1', 'nested more than 64 deep'],
    ['1+'.repeat(2000), '1000 are the most'],
  ])('%s is refused', (text, words) => expect(() => valueOf(text)).toThrow(words));

  test('give what C gives', () => {
    const small = fc.integer({ min: -1000, max: 1000 });
    fc.assert(
      fc.property(small, small, small, (a, b, c) => {
        const text = (number: number): string => (number < 0 ? `(${number})` : String(number));
        const value = valueOf(`${text(a)} + ${text(b)} * ${text(c)} - ${text(a)}`);
        expect(value).toBe(a + b * c - a);
        if (c === 0) return;
        expect(valueOf(`${text(a)} / ${text(c)} * ${text(c)} + ${text(a)} % ${text(c)}`)).toBe(a);
      }),
    );
  });

  test('whatever the text, there is a number or a word', () => {
    const piece = fc.constantFrom('1', 'RANK', 'i', '+', '-', '*', '/', '%', '(', ')', ' ', 'KiB', '0', '9e9', '.');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        let value: number | Error;
        try {
          value = valueOf(pieces.join(''));
        } catch (error) {
          value = error as Error;
        }
        expect(Number.isSafeInteger(value) || (value as Error).name === 'ExpressionError').toBe(true);
      }),
    );
  });
});

describe('path templates', () => {
  test.each([
    ['plain', 'plain'],
    ['./a//b/./c', 'a/b/c'],
    ['out.{RANK:4}/part{i}', 'out.0003/part5'],
    ['{{x}}', '{x}'],
    ['a..b/..c', 'a..b/..c'],
  ])('%s', (text, path) => expect(bindPath(text, names)([5, 0, 7])).toBe(path));

  test('a literal path is itself', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z{}: -]{1,20}$/), (name) => {
        expect(bindPath(literalPath(`x${name}`), names)([])).toBe(`x${name}`);
      }),
    ));

  test('a number cannot lead out', () =>
    expect(() => bindPath('{i}/../../x', names)([5, 0, 7])).toThrow('leaves the folder'));
});

test('ranks', () => {
  const of = (text: string, size: number): number[] =>
    ranksOf(text, size, { N: '2' }).flatMap((named, rank) => (named ? [rank] : []));
  expect(of('all', 3)).toEqual([0, 1, 2]);
  expect(of('1..3', 8)).toEqual([1, 2, 3]);
  expect(of('1..3', 2)).toEqual([1]);
  expect(of('0, SIZE / 2 .. SIZE - 1', 4)).toEqual([0, 2, 3]);
  expect(of('N', 4)).toEqual([2]);
  expect(of('1..0', 4)).toEqual([]);
  expect(of('0..9007199254740991', 2)).toEqual([0, 1]);
  for (const text of ['', '1..2..3', 'RANK', '-1', '1,,2']) expect(() => of(text, 4)).toThrow();
});
