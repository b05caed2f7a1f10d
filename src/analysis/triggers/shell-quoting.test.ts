import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuoted } from './shell-quoting.ts';
import { rounds } from '../../../test/support/rounds.ts';

/** The word as bash understands it. */
function understood(word: string): string {
  return execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' });
}

test('plain paths stay as they are', () => expect(shellQuoted('/scratch/u/out-1.dat')).toBe('/scratch/u/out-1.dat'));

test.each([
  ['/a b', "'/a b'"],
  ["/it's", "'/it'\\''s'"],
  ['/$(rm -rf ~)`id`;"x"', `'/$(rm -rf ~)\`id\`;"x"'`],
  ['/a\nrm -rf ~', "$'/a\\x0arm -rf \\x7e'"],
  ['', "''"],
])('%j', (path, word) => {
  expect(shellQuoted(path)).toBe(word);
  expect(understood(word)).toBe(path);
});

test('a name that looks like an option is none', () => expect(shellQuoted('-rf')).toBe('./-rf'));

test('whatever is in a name is one word, and no control character is left in it', () => {
  const name = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && !text.startsWith('-'));
  fc.assert(
    fc.property(name, (text) => {
      const word = shellQuoted(text);
      expect(understood(word)).toBe(text);
      // oxlint-disable-next-line no-control-regex -- they are what must not be there
      expect(word).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    }),
    { numRuns: rounds(60) },
  );
});
