import { describe, expect, test } from 'vitest';
import { codes, find } from '../support/analysed-text.ts';
import { line, StraceText } from '../support/strace-text.ts';

/** Triggers over many files. */
describe('L37: files that are read in turns', () => {
  interface Turns {
    readonly files?: number;
    readonly turns?: number;
    /** Bytes of each file, and of the reads of each. */
    readonly length?: number;
    /** The process of a turn. */
    readonly pid?: (turn: number) => number;
    /** Each process becomes another program before it begins. */
    readonly executes?: boolean;
    readonly lines?: boolean;
  }

  function reading({
    files = 40,
    turns = 3,
    length = 20_000,
    pid = () => 7,
    executes,
    lines = true,
  }: Turns): StraceText {
    const text = new StraceText();
    const from = (number: number): string[] => (lines ? [line(number)] : []);
    for (let turn = 0; turn < turns; turn++) {
      const process = pid(turn);
      if (executes) text.call(process, 'execve("/usr/bin/cc1", ["cc1"], 0x7ffc /* 9 vars */) = 0', 100);
      for (let file = 0; file < files; file++) {
        const path = `/w/${file}.bin`;
        text.call(process, `openat(AT_FDCWD, "${path}", O_RDONLY) = 3<${path}>`, 40, from(3));
        text.call(process, `read(3<${path}>, ""..., ${length}) = ${length}`, 30, from(4));
        text.call(process, `close(3<${path}>) = 0`, 10, from(5));
      }
    }
    return text;
  }

  test.each<readonly [string, Turns]>([
    ['by one process', {}],
    ['by a process for each turn', { pid: (turn) => 7 + turn }],
    ['where no lines are known', { lines: false }],
  ])('%s', async (_what, how) => {
    const { evidence, message } = await find('L37', reading(how));
    expect([evidence['files'], evidence['turns'], evidence['count']]).toEqual([40, 3, 360]);
    expect(message).toContain('of 40 small files that are read as a whole in turns, 3 times each,');
    expect(await codes(reading(how))).not.toContain('L02');
  });

  test.each<readonly [string, Turns]>([
    ['each file is read once', { turns: 1, files: 100 }],
    ['the files are few', { files: 20, turns: 6 }],
    ['the files are large', { length: 4 << 20 }],
    ['other programs read them, as compilers do their headers', { pid: (turn) => 7 + turn, executes: true }],
  ])('not where %s', async (_what, how) => {
    expect(await codes(reading(how))).not.toContain('L37');
  });

  test('one file that is opened again at once is the finding of L02', async () => {
    const found = await codes(reading({ files: 1, turns: 200 }));
    expect(found).toContain('L02');
    expect(found).not.toContain('L37');
  });
});
