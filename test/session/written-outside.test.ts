import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writtenFiles } from '../../src/analysis/trials/written-files.ts';
import { outsideOf } from '../../src/session/trial/written-outside.ts';
import { freshFolder, open } from '../support/programs.ts';
import { StraceText } from '../support/strace-text.ts';

/** Which files a trial could do harm to. */
let folder = '';
beforeEach(() => {
  folder = realpathSync(freshFolder('outside'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function written(...calls: readonly string[]): Promise<string[]> {
  const text = new StraceText();
  for (const call of calls) text.call(7, call, 20);
  const file = path.join(folder, 'run.strace');
  writeFileSync(file, text.toString());
  const { trace, metrics } = await open(file, folder);
  return writtenFiles(trace, metrics);
}

test('files count that are opened for writing, made, renamed or removed, and no others', async () => {
  const files = await written(
    'openat(AT_FDCWD, "/in", O_RDONLY) = 3</in>',
    'openat(AT_FDCWD, "/out", O_WRONLY|O_CREAT, 0600) = 4</out>',
    'openat(AT_FDCWD, "/failed", O_WRONLY|O_CREAT, 0600) = -1 EACCES (Permission denied)',
    'openat(AT_FDCWD, "/dev/null", O_WRONLY) = 5</dev/null>',
    'write(1</handed/to.it>, "x", 1) = 1',
    'unlink("/gone") = 0',
    'rename("/old", "/new") = 0',
    'mkdir("/made", 0777) = 0',
    'stat("/asked", {st_mode=S_IFREG|0644, st_size=3, ...}) = 0',
  );
  expect(files).toEqual(['/gone', '/made', '/new', '/old', '/out']);
});

test('where no open was recorded, what is written counts', async () => {
  expect(await written('write(4</out>, "x", 1) = 1')).toEqual(['/out']);
});

test('a file lies outside wherever links lead, under what a rule makes of its path', () => {
  const [work, other] = [path.join(folder, 'work'), path.join(folder, 'other')];
  for (const each of [work, other]) mkdirSync(each);
  symlinkSync(other, path.join(work, 'link'));
  const rules = [{ from: '/home/hpc/app', to: work }];
  const files = ['out', 'new/folder/out', '../out', 'link/out', `${work}2/out`, `${work}/out`, '/home/hpc/app/out'];
  expect(outsideOf(files, work, rules)).toEqual(['../out', 'link/out', `${work}2/out`]);
  expect(outsideOf(['/home/hpc/app/out'], work, [])).toEqual(['/home/hpc/app/out']);
});
