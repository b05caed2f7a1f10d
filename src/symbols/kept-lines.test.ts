import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shiftOfKeptLines } from './kept-lines.ts';

const linesFrom = (texts: readonly string[], first = 1): Map<number, string> =>
  new Map(texts.map((text, i) => [first + i, text]));

describe('lines of which the texts were kept', () => {
  const then = ['int emit(int fd)', '{', '    char rec[32];', '    write(fd, rec, 32);', '    return 0;', '}'];

  test('move down with what was put above them', () => {
    const shift = shiftOfKeptLines(linesFrom(then, 10), ['/* new */', '', ...Array<string>(9).fill(''), ...then])!;
    expect(shift.place(13)).toEqual({ line: 15, changed: false });
  });

  test('move up with what was taken away above them', () => {
    const shift = shiftOfKeptLines(linesFrom(then, 10), then)!;
    expect([10, 13, 15].map((line) => shift.place(line).line)).toEqual([1, 4, 6]);
  });

  test('are said to be changed where their text is another', () => {
    const now = then.map((text) => text.replace('rec, 32', 'rec, sizeof rec'));
    const shift = shiftOfKeptLines(linesFrom(then), now)!;
    expect(shift.place(4)).toEqual({ line: 4, changed: true });
    expect(shift.place(5)).toEqual({ line: 5, changed: false });
  });

  test('are told apart where the same text stands twice', () => {
    const twice = [...then, ...then.map((text) => text.replace('emit', 'emit_all'))];
    const shift = shiftOfKeptLines(linesFrom(twice), ['', ...twice])!;
    expect([4, 10].map((line) => shift.place(line))).toEqual([
      { line: 5, changed: false },
      { line: 11, changed: false },
    ]);
  });

  test('of another file are not found', () => {
    expect(shiftOfKeptLines(linesFrom(then), ['program heat', 'end program'])).toBeUndefined();
  });

  /** Lines with a text of their own, so that the truth is known; of each edit so many are inserted or deleted. */
  const edits = fc.array(fc.record({ at: fc.nat(60), removed: fc.nat(4), added: fc.nat(4) }), { maxLength: 6 });
  const kept = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 40 });

  test('stand where they were moved, whatever was put in or taken away around them', () => {
    fc.assert(
      fc.property(edits, kept, (changes, numbers) => {
        const before = Array.from({ length: 60 }, (_, i) => `statement(${i + 1});`);
        const now = [...before];
        changes.forEach(({ at, removed, added }, i) =>
          now.splice(
            Math.min(at, now.length),
            removed,
            ...Array.from({ length: added }, (__, k) => `new_${i}_${k}();`),
          ),
        );
        const texts = new Map(numbers.map((line) => [line, before[line - 1]!]));
        const shift = shiftOfKeptLines(texts, now);
        const survivors = numbers.filter((line) => now.includes(before[line - 1]!));
        expect(shift === undefined).toBe(survivors.length === 0);
        for (const line of survivors)
          expect(shift!.place(line)).toEqual({ line: now.indexOf(before[line - 1]!) + 1, changed: false });
      }),
    );
  });
});
