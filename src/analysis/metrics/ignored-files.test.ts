import fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { FileTable } from '../../trace/files.ts';
import { DEFAULT_IGNORED, ignoredFiles } from './ignored-files.ts';

/** What paths and patterns that nearly match have in common. */
const PIECES = [
  ...DEFAULT_IGNORED.flatMap((pattern) => pattern.split(/[*[\]]+/)),
  ...['/', 'a', '.', '..', '//', '\\', '\n', 'ä', '20240101', '3.11'],
];

/** Patterns that users may give, with all that globs know. */
const OTHERS = ['a/*', '*/a', '**', '*.py', '/a//b/*', 'x.*.y', '**/', '/a/', 'a', '!a*', '{a,b}*', 'a?b*', '[!a]*'];

test.each([
  ['the default ones', DEFAULT_IGNORED],
  ['others', OTHERS],
  ...OTHERS.map((pattern): [string, readonly string[]] => [pattern, [pattern]]),
])('a path is left out if the whole expression of a pattern matches it: %s', (_name, patterns) => {
  const isMatch = picomatch([...patterns], { dot: true });
  const path = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 50 }), (paths) => {
      const files = new FileTable();
      for (const each of paths) files.intern('', each);
      const expected = files.files.map((file) => Number(file.kind !== 'regular' || isMatch(file.path)));
      expect([...ignoredFiles(files, patterns)]).toEqual(expected);
    }),
  );
});
