import { describe, expect, test } from 'vitest';
import { folds, frameColumns, stackAround, stackLines, type TextLines } from './strace-lines.ts';

function documentOf(text: string): TextLines {
  const lines = text.split('\n');
  return { lineCount: lines.length, lineAt: (line) => ({ text: lines[line]! }) };
}

const always = (): Promise<boolean> => Promise.resolve(true);

const TEXT = `1 write(1</f>, "x", 1) = 1
 > /app(main+0xce) [0x11ce]
 > /lib/libc.so.6(__libc_start_main+0x85) [0x27285]
1 close(1</f>) = 0
     0.000012 read(0, "", 1) = 0
 | 00000  7f 45                                             .E               |
 > /my app/x (1)(f(int)+0x1) [0x2] src/main.c:7
 > unexpected_backtracing_error [0x7f35b11bd007]
 > too many stack frames`;

describe('the lines of a recording', () => {
  test('stacks and dumps fold under their calls', async () => {
    expect(await folds(documentOf(TEXT), { most: 10, pause: always })).toEqual([
      { call: 0, last: 2 },
      { call: 4, last: 8 },
    ]);
    expect(await folds(documentOf(''), { most: 10, pause: always })).toEqual([]);
    expect(await folds(documentOf('a\nb\nc'), { most: 10, pause: always })).toEqual([]);
  });

  test('a stack is found from any of its lines, and has an end', () => {
    expect(stackAround(documentOf(TEXT), 0)).toBeUndefined();
    expect(stackAround(documentOf(TEXT), 2)).toMatchObject({ first: 1, lines: { length: 2 } });
    expect(stackAround(documentOf(TEXT), 8)).toMatchObject({ first: 6, lines: { length: 3 } });
    const endless = stackAround(documentOf(' > /x(f+0x1) [0x1]\n'.repeat(100_000)), 50_000)!;
    expect(endless.first).toBe(50_000 - 256);
    expect(endless.lines).toHaveLength(512);
  });

  test('the place in the code is a link, the rest of the line is not', () => {
    const linked = (text: string): string | undefined => {
      const columns = frameColumns(text);
      return columns && text.slice(columns.start, columns.end);
    };
    expect(linked(' > /my app/x (1)(f(int)+0x1) [0x2] src/main.c:7')).toBe('/my app/x (1)(f(int)+0x1) [0x2]');
    expect(linked(' > too many stack frames')).toBeUndefined();
    expect(linked('1 write(1, " > /x() [0x1]", 9) = 9')).toBeUndefined();
  });

  test('a document of a million lines is looked at in slices, up to a bound, and can be left', async () => {
    const block = '1 write(1</f>, "x", 1) = 1\n > /app(main+0xce) [0x11ce]\n > /app(_start+0x21) [0x1061]'.split('\n');
    const million: TextLines = { lineCount: 999_999, lineAt: (line) => ({ text: block[line % 3]! }) };
    let slices = 0;
    const counting = (): Promise<boolean> => Promise.resolve(++slices < 1000);
    expect(await folds(million, { most: Infinity, pause: counting })).toHaveLength(333_333);
    expect(slices).toBe(100);
    expect(await folds(million, { most: 5000, pause: always })).toHaveLength(5000);
    expect(await stackLines(million, { most: 10_000, pause: always })).toHaveLength(10_000);
    expect(await stackLines(million, { most: Infinity, pause: () => Promise.resolve(false) })).toHaveLength(6666);
  });
});
