import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceEdit } from '../../src/analysis/fixes/fix.ts';
import { unifiedDiff } from '../../src/export/fixes/unified-diff.ts';
import { editedText } from '../../src/export/report/edited-text.ts';
import { randomNumbers } from '../support/random-numbers.ts';
import { freshFolder, has, run } from '../support/programs.ts';

let folder = '';
beforeEach(() => {
  folder = freshFolder('diff');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What each tool makes of the diff, in a folder with the text before. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  git: ['git', 'apply', 'change.diff'],
  patch: ['patch', '-p1', '--quiet', '--fuzz=0', '--input=change.diff'],
};

function applied(tool: string, name: string, text: string, edits: readonly SourceEdit[]): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  writeFileSync(path.join(folder, 'change.diff'), unifiedDiff(name, text, edits));
  const [program, ...options] = TOOLS[tool]!;
  run(folder, program!, ...options);
  return readFileSync(file, 'utf8');
}

const edit = (start: number, end: number, text: string): SourceEdit => ({ file: 'x', start, end, text });

const TWENTY = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('');
const CASES: readonly (readonly [string, string, readonly SourceEdit[]])[] = [
  ['a line is inserted at the top', 'a\nb\n', [edit(0, 0, 'first\n')]],
  ['the last line has no line feed, and changes', 'a\nb', [edit(2, 3, 'c')]],
  ['the last line has no line feed, and stays', 'a\nb', [edit(0, 1, 'c')]],
  ['a line follows one without a line feed', 'a\nb', [edit(3, 3, '\nc\n')]],
  ['all is taken out', 'a\nb\n', [edit(0, 4, '')]],
  ['an empty file is filled', '', [edit(0, 0, 'a\n')]],
  ['lines end with CR LF', 'a\r\nb\r\nc\r\n', [edit(3, 4, 'x\r\ny')]],
  ['two changes of a line', 'int a = b;\n', [edit(4, 5, 'x'), edit(8, 9, 'y')]],
  ['changes far apart', TWENTY, [edit(0, 0, 'top\n'), edit(TWENTY.length, TWENTY.length, 'end\n')]],
  ['changes whose contexts meet', TWENTY, [edit(0, 6, 'L'), edit(7 * 7, 7 * 7 + 6, 'M')]],
];

describe.each(Object.keys(TOOLS))('%s', (tool) => {
  const isThere = has(tool);

  test.skipIf(!isThere).each(CASES)('%s', (_name, text, edits) => {
    const after = editedText(text, edits);
    if (after !== '') expect(applied(tool, 'src/in.c', text, edits)).toBe(after);
    else expect(unifiedDiff('src/in.c', text, edits)).toContain('@@ -1,2 +0,0 @@\n-a\n-b\n');
  });

  test.skipIf(!isThere).each(['with space.c', 'größe.c', 'quo"te\\.c'])('a file named %s', (name) => {
    expect(applied(tool, name, 'a\n', [edit(0, 1, 'b')])).toBe('b\n');
  });

  test.skipIf(!isThere)('random edits of random texts', () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 25; round++) {
      const text = Array.from({ length: 40 }, () => (random(5) === 0 ? '\n' : `${'xy'[round % 2]!}\n`)).join('');
      const places = Array.from({ length: 6 }, () => random(text.length + 1)).sort((a, b) => a - b);
      const edits = [0, 2, 4].map((i) => edit(places[i]!, places[i + 1]!, random(2) === 0 ? '' : 'new\nlines\n'));
      const after = editedText(text, edits);
      if (after !== text) expect(applied(tool, 'in.c', text, edits)).toBe(after);
    }
  });
});

test.skipIf(!has('git'))('in a folder of a repository the names are relative to that folder', () => {
  run(folder, 'git', 'init', '--quiet');
  const below = path.join(folder, 'below');
  mkdirSync(below);
  writeFileSync(path.join(below, 'in.c'), 'a\n');
  writeFileSync(path.join(below, 'change.diff'), unifiedDiff('in.c', 'a\n', [edit(0, 1, 'b')]));
  run(below, 'git', 'apply', 'change.diff');
  expect(readFileSync(path.join(below, 'in.c'), 'utf8')).toBe('b\n');
});

test('what changes nothing has no diff', () => {
  expect(unifiedDiff('in.c', 'a\n', [edit(0, 1, 'a')])).toBe('');
});
