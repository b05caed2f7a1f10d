import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMIT, EMIT_LINE, freshFolder, has, open, placeOf, run } from '../support/programs.ts';

/** Modules of the user's that have the names of libraries and interpreters. */
const ready = has('gcc', 'strace');
const LIBRARY = `#include <unistd.h>
int put(int fd, const char *text)
{
    return write(fd, text, 10) == 10;
}
`;
const CALLER = `#include <fcntl.h>
int put(int fd, const char *text);
int main(void)
{
    int fd = open("out.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int i = 0; i < 300; i++)
        if (!put(fd, "0123456789"))
            return 1;
    return 0;
}
`;
let folder = '';

beforeAll(() => {
  folder = freshFolder('own');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function record(program: string): string {
  run(folder, 'strace', '-f', '-ttt', '-T', '-y', '-k', '-o', 'own.strace', program);
  return path.join(folder, 'own.strace');
}

describe.skipIf(!ready)(ready ? 'modules with the names of others' : 'gcc or strace is not on this machine', () => {
  test.each(['.', 'lib'])('a libutil.so of one’s own in %s: the finding is on its line', async (place) => {
    mkdirSync(path.join(folder, place), { recursive: true });
    writeFileSync(path.join(folder, 'util.c'), LIBRARY);
    writeFileSync(path.join(folder, 'caller.c'), CALLER);
    run(folder, 'gcc', '-g', '-O0', '-shared', '-fPIC', '-o', `${place}/libutil.so`, 'util.c');
    run(
      folder,
      'gcc',
      '-g',
      '-o',
      'caller',
      'caller.c',
      `-L${place}`,
      '-lutil',
      `-Wl,-rpath,${path.join(folder, place)}`,
    );
    const recording = await open(record('./caller'), folder);
    expect(placeOf(recording)).toBe('util.c:4');
  });

  test('a program of one’s own that is called node', async () => {
    writeFileSync(path.join(folder, 'emit.c'), EMIT);
    run(folder, 'gcc', '-g', '-O0', '-o', 'node', 'emit.c');
    const recording = await open(record('./node'), folder);
    expect(placeOf(recording)).toBe(EMIT_LINE);
  });
});
