import { describe, expect, test } from 'vitest';
import { offering } from '../../../../test/support/fixes/fix-programs.ts';
import { editedText } from '../../../export/report/edited-text.ts';
import type { Fix, FixRequest } from '../fix.ts';

/** Programs in which the obvious edit would be wrong: it is refused, or keeps what the program writes. */

const HEAD = '#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\n';

/** The repair of the line that the text `here` stands on. */
async function repair(
  text: string,
  trigger: string,
  here: string,
  more: Partial<FixRequest> = {},
): Promise<Fix | undefined> {
  const line = text.slice(0, text.indexOf(here)).split('\n').length;
  const place = { file: '/x/program.c', line };
  const numbers = {
    count: 1000,
    medianBytes: 7,
    threaded: false,
    plainFiles: true,
    closedAt: [],
    touchedAt: [],
    examples: [],
  };
  const fixes = await offering.find({
    trigger,
    language: 'c',
    place,
    sources: { [place.file]: text },
    ...numbers,
    ...more,
  });
  return fixes.find(({ kind }) => kind !== 'example');
}

test('a source is read as it stands now, however often it was asked about', async () => {
  const program = `${HEAD}void all(int fd, const char *p) {\n  for (int i = 0; i < 9; i++)\n    write(fd, &p[i], 1);\n}\n`;
  const placesOf = (fix: Fix | undefined): number[] => fix!.edits.map(({ start }) => start);
  const before = placesOf(await repair(program, 'posix-small-writes', 'write('));
  for (let lines = 1; lines <= 10; lines++) {
    const moved = await repair('\n'.repeat(lines) + program, 'posix-small-writes', 'write(');
    expect(placesOf(moved)).toEqual(before.map((start) => start + lines));
    expect(placesOf(await repair(program, 'posix-small-writes', 'write('))).toEqual(before);
  }
  expect(await repair(program.replace('write(', 'writes('), 'posix-small-writes', 'writes(')).toBeUndefined();
});

describe('pread takes the place of seek and read', () => {
  const body = (code: string): string =>
    `${HEAD}int look(const char *p, char *b) {\n  int k = 0, fd = open(p, O_RDONLY);\n  lseek(fd, 4, SEEK_SET);\n${code}\n  close(fd);\n  return k;\n}\n`;

  test('where one access follows', async () => {
    const text = body('  if (read(fd, b, 4) == 4)\n    k++;');
    expect(editedText(text, (await repair(text, 'seek-before-every-access', 'lseek'))!.edits)).toContain(
      'pread(fd, b, 4, 4)',
    );
  });

  test('not where a loop reads on', async () => {
    const text = body('  while (read(fd, b, 4) == 4)\n    k++;');
    expect(await repair(text, 'seek-before-every-access', 'lseek')).toBeUndefined();
  });

  test('not where a second read goes on from the first', async () => {
    const text = body('  k += read(fd, b, 4);\n  k += read(fd, b, 4);');
    expect(await repair(text, 'seek-before-every-access', 'lseek')).toBeUndefined();
  });
});

describe('a file that is kept open', () => {
  const log = (more: string, where: string): string =>
    `${HEAD}static void note(const char *p) {\n  int fd = open(p, O_WRONLY | O_APPEND);\n  close(fd);\n${where === 'note' ? more : ''}}\n` +
    `int main(int n, char **argv) {\n${where === 'main' ? more : ''}  for (int i = 0; i < n; i++) {\n    note(argv[0]);\n${where === 'loop' ? more : ''}  }\n}\n`;

  test.each([
    ['main', true],
    ['loop', false],
    ['note', false],
  ])('with a rename in %s', async (where, offered) => {
    const text = log('  rename("a", "b");\n', where);
    const fix = await repair(text, 'open-close-in-loop', 'open(p');
    expect(fix !== undefined).toBe(offered);
  });
});
