import { fileURLToPath } from 'node:url';
import fastCheck from 'fast-check';
import { describe, expect, test } from 'vitest';
import { artifactLocation, fileUri, physicalLocation, utf16Column } from './sarif-location.ts';

const context = { root: '/home/me/app', excerpts: new Map([['/home/me/app/a.c', new Map([[3, '\tgrößer(🚀, x);']])]]) };

describe('SARIF locations', () => {
  test.each([
    ['/home/me/app/src/a b.c', { uri: 'src/a%20b.c', uriBaseId: '%SRCROOT%' }],
    ['/home/me/apple/a.c', { uri: 'file:///home/me/apple/a.c' }],
    ['src/c:d/ä#?.c', { uri: 'src/c%3Ad/%C3%A4%23%3F.c' }],
  ])('%s', (file, location) => expect(artifactLocation(file, context)).toEqual(location));

  test('every absolute path leads back from its URI', () => {
    const part = fastCheck.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[/\0]|^\.\.?$/.test(text));
    fastCheck.assert(
      fastCheck.property(fastCheck.array(part, { minLength: 1 }), (parts) => {
        const path = `/${parts.join('/')}`;
        expect(fileURLToPath(fileUri(path))).toBe(path);
      }),
    );
  });

  test('columns are those of UTF-16, from the bytes of the compiler', () => {
    // A tab, `gr`, two bytes of `ö`, …: the rocket begins at byte 11 and takes four bytes, two units.
    expect(utf16Column('\tgrößer(🚀, x);', 1)).toBe(1);
    expect(utf16Column('\tgrößer(🚀, x);', 4)).toBe(4);
    expect(utf16Column('\tgrößer(🚀, x);', 6)).toBe(5);
    expect(utf16Column('\tgrößer(🚀, x);', 17)).toBe(13);
    expect(utf16Column('short', 99)).toBeUndefined();
    expect(physicalLocation({ file: '/home/me/app/a.c', line: 3, column: 2 }, context).region).toEqual({
      startLine: 3,
      startColumn: 2,
      snippet: { text: '\tgrößer(🚀, x);' },
    });
  });

  test('without the source there is the line alone', () =>
    expect(physicalLocation({ file: '/home/me/app/b.c', line: 3, column: 2 }, context).region).toEqual({
      startLine: 3,
    }));
});
