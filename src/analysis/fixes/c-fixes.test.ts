import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repairing } from '../../../test/support/fix-programs.ts';
import { editedText } from '../../export/report/edited-text.ts';
import type { Fix, FixRequest } from './fix.ts';

/** Programs in which the obvious edit would be wrong: it is refused, or keeps what the program writes. */

const HEAD = '#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\n';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-c-fixes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The repair of the line that the text `here` stands on. */
async function repair(
  text: string,
  trigger: string,
  here: string,
  more: Partial<FixRequest> = {},
): Promise<Fix | undefined> {
  const line = text.slice(0, text.indexOf(here)).split('\n').length;
  const place = { file: '/x/program.c', line };
  const numbers = { count: 1000, medianBytes: 7, threaded: false, closedAt: [], touchedAt: [], examples: [] };
  const fixes = await repairing.find({
    trigger,
    language: 'c',
    place,
    sources: { [place.file]: text },
    ...numbers,
    ...more,
  });
  return fixes.find(({ kind }) => kind !== 'example');
}

function outputOf(text: string, name: string): string {
  const source = path.join(folder, `${name}.c`);
  const output = path.join(folder, `${name}.out`);
  writeFileSync(source, text);
  execFileSync('gcc', ['-Wall', '-Werror', '-o', path.join(folder, name), source], { stdio: 'pipe' });
  execFileSync(path.join(folder, name), [output]);
  return readFileSync(output, 'utf8');
}

const withCompiler = test.skipIf(spawnSync('gcc', ['--version']).error !== undefined);

test('a source is read as it stands now, however often it was asked about', async () => {
  const program = `${HEAD}void all(int fd, const char *p) {\n  for (int i = 0; i < 9; i++) write(fd, p, 7);\n}\n`;
  const placesOf = (fix: Fix | undefined): number[] => fix!.edits.map(({ start }) => start);
  const before = placesOf(await repair(program, 'posix-small-writes', 'write('));
  for (let lines = 1; lines <= 10; lines++) {
    const moved = await repair('\n'.repeat(lines) + program, 'posix-small-writes', 'write(');
    expect(placesOf(moved)).toEqual(before.map((start) => start + (start < HEAD.length ? 0 : lines)));
    expect(placesOf(await repair(program, 'posix-small-writes', 'write('))).toEqual(before);
  }
  expect(await repair(program.replace('write(', 'read('), 'posix-small-writes', 'read(')).toBeUndefined();
});

describe('buffered writes keep their order', () => {
  const main = (body: string): string =>
    `${HEAD}int main(int n, char **v) {\n  int fd = open(v[n - 1], O_WRONLY | O_CREAT | O_TRUNC, 0644);\n${body}\n  return close(fd);\n}\n`;
  const LOOP = '  for (int i = 0; i < 3; i++) {\n    if (write(fd, "record\\n", 7) < 0) return 1;\n';

  withCompiler('with another write of the same function', async () => {
    const text = main(`${LOOP}    if (i == 1 && write(fd, "-- marker --\\n", 13) < 0) return 1;\n  }`);
    const fix = await repair(text, 'posix-small-writes', '"record');
    expect(outputOf(editedText(text, fix!.edits), 'marker')).toBe(outputOf(text, 'marker0'));
  });

  withCompiler('with dprintf before and behind', async () => {
    const text = main(`  dprintf(fd, "header\\n");\n${LOOP}  }\n  dprintf(fd, "trailer\\n");`);
    const fix = await repair(text, 'posix-small-writes', '"record');
    expect(outputOf(editedText(text, fix!.edits), 'printed')).toBe(outputOf(text, 'printed0'));
  });

  test('refused where a stream shares the descriptor', async () => {
    const text = main(`  FILE *stream = fdopen(fd, "w");\n${LOOP}    fprintf(stream, "x");\n  }`);
    expect(await repair(text, 'posix-small-writes', '"record')).toBeUndefined();
  });

  test('refused where another access stands in the head of a loop', async () => {
    const text = main(`${LOOP}  }\n  int other = dup(fd);\n  while (write(other, "x", 1) == 1 && n++ < 3) {}`);
    expect(await repair(text, 'posix-small-writes', '"record')).toBeUndefined();
  });

  test('refused where the recording saw another place write the file', async () => {
    const text = main(`${LOOP}  }`);
    expect(await repair(text, 'posix-small-writes', '"record')).toBeDefined();
    const touchedAt = [{ file: '/x/other.c', line: 3 }];
    expect(await repair(text, 'posix-small-writes', '"record', { touchedAt })).toBeUndefined();
  });
});

describe('pread takes the place of seek and read', () => {
  const body = (code: string): string =>
    `${HEAD}int look(int fd, char *b) {\n  int k = 0;\n  lseek(fd, 4, SEEK_SET);\n${code}\n  return k;\n}\n`;

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
    `${HEAD}void note(const char *p) {\n  int fd = open(p, O_WRONLY | O_APPEND);\n  close(fd);\n${where === 'note' ? more : ''}}\n` +
    `int main(int n, char **v) {\n${where === 'main' ? more : ''}  for (int i = 0; i < n; i++) {\n    note(v[0]);\n${where === 'loop' ? more : ''}  }\n}\n`;

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
