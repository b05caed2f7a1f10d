import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NONE } from '../../src/trace/events.ts';
import { installedStrace } from '../../src/record/strace-recorder.ts';
import { straceOptions } from '../../src/record/strace-command.ts';
import { freshFolder, has, open, run } from '../support/programs.ts';

/** Descriptors that close_range closes, or only marks to be closed by exec, recorded as "iolens record" has strace do it. */
const PROGRAM = `#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
static void put(int fd) { if (write(fd, "0123456789", 10) != 10) _exit(9); }
static long range(int first, unsigned last, int flags) { return syscall(SYS_close_range, first, last, flags); }
int main(void) {
  int kept = open("kept", O_CREAT | O_RDWR | O_TRUNC, 0644);
  int first = open("first", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  int last = open("last", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  put(kept); put(first); put(last);
  if (range(first, last, 0) != 0) return 77;
  if (lseek(last, 0, SEEK_SET) != -1) return 2;
  int again = open("first", O_WRONLY);
  put(again);
  if (again != first || range(kept, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */) != 0) return 3;
  put(kept); put(again);
  return 0;
}
`;

let folder = '';
beforeAll(() => {
  folder = freshFolder('close-range');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!has('strace', 'gcc'))(
  'close_range closes all in its range, and with CLOSE_RANGE_CLOEXEC none',
  async () => {
    writeFileSync(path.join(folder, 'program.c'), PROGRAM);
    run(folder, 'gcc', '-g', '-o', 'program', 'program.c');
    const output = path.join(folder, 'program.strace');
    const options = straceOptions({ output, abilities: installedStrace(), filePerProcess: false });
    run(folder, 'strace', ...options, path.join(folder, 'program'));
    const { trace } = await open(output, folder);
    const rows = Array.from({ length: trace.events.length }, (_, row) => {
      const value = (column: 'call' | 'file' | 'handle' | 'offset'): number => trace.events.value(column, row);
      const file = value('file') === NONE ? '' : path.basename(trace.files.at(value('file')).path);
      return { call: trace.calls.names[value('call')]!, file, handle: value('handle'), offset: value('offset') };
    });
    const of = (name: string): typeof rows => rows.filter(({ call }) => call === name);
    expect(of('close_range')).toHaveLength(2);
    expect(of('write').map(({ file, offset }) => [file, offset])).toEqual([
      ['kept', 0],
      ['first', 0],
      ['last', 0],
      ['first', 0],
      ['kept', 10],
      ['first', 10],
    ]);
    const [kept, first, last, again, keptStill, againStill] = of('write').map(({ handle }) => handle);
    expect([keptStill, againStill]).toEqual([kept, again]);
    expect(new Set([kept, first, last, again]).size).toBe(4);
    // What the range closed is no file any more.
    expect(of('lseek').map(({ file, handle }) => [file, handle])).toEqual([['', NONE]]);
  },
);
