import { describe, expect, test } from 'vitest';
import { analysed, codes, find } from '../../support/analysed-text.ts';
import { line, StraceText } from '../../support/strace-text.ts';

/** Triggers over files that are opened, read or asked for again. */
describe('P09 and P10: bytes that are handed over', () => {
  /** One writes the same bytes, the other reads them: in turns, or one after all of the other's. */
  function passing(inTurns: boolean): StraceText {
    const write = (text: StraceText): StraceText =>
      text.call(1, 'pwrite64(3</w/state>, ""..., 65536, 0) = 65536', 100, [line(3)]);
    const read = (text: StraceText): StraceText =>
      text.call(2, 'pread64(3</w/state>, ""..., 65536, 0) = 65536', 100, [line(4)]);
    const text = new StraceText();
    if (inTurns) return text.times(40, () => read(write(text)));
    text.times(40, () => write(text));
    return text.times(40, () => read(text));
  }

  test('what another process reads in between is not written in vain', async () => {
    const found = await codes(passing(true));
    for (const code of ['P09', 'P10']) expect(found).not.toContain(code);
    expect(await codes(passing(false))).toEqual(expect.arrayContaining(['P09', 'P10']));
  });
});

test.each([
  ['O_APPEND: the kernel chooses the places', 'O_WRONLY|O_APPEND', false],
  ['its own offset', 'O_WRONLY', true],
])('P08: two processes that write a file by %s', async (_how, flags, isFound) => {
  const text = new StraceText();
  for (const process of [1, 2]) text.call(process, `openat(AT_FDCWD, "/w/log", ${flags}) = 3</w/log>`, 10, [line(1)]);
  text.times(200, () => {
    for (const process of [1, 2]) text.call(process, 'write(3</w/log>, ""..., 17) = 17', 20, [line(3)]);
  });
  expect((await codes(text)).includes('P08')).toBe(isFound);
});

describe('P17: one question for each file', () => {
  test.each([
    [300, false],
    [1001, true],
  ])('of %i files', async (files, isFound) => {
    const text = new StraceText();
    text.times(files, (i) => text.call(1, `newfstatat(3</w>, "${i}", {st_size=1}, 0) = 0`, 20, [line(4)]));
    expect((await codes(text)).includes('P17')).toBe(isFound);
  });
});

describe('P17: opens of named pipes', () => {
  /** Readers that open pipes, and wait 10 s each time until somebody opens them to write; or files that open as slowly. */
  function waiting(isForWriter: boolean): string {
    const at = (milliseconds: number): string => (1_795_252_180 + milliseconds / 1000).toFixed(6);
    const opened = (file: string, how: string, seconds: string): string =>
      `openat(AT_FDCWD, "${file}", ${how}) = 3<${file}> <${seconds}>`;
    const steps = Array.from({ length: 40 }, (_, i) =>
      [1, 2, 3, 4, 5].flatMap((reader) => {
        const file = `/w/p${reader}_${i}`;
        return [
          [i * 10_100, `${reader} ${at(i * 10_100)} ${opened(file, 'O_RDONLY', '10.000000')}`],
          [i * 10_100 + 9999, `9 ${at(i * 10_100 + 9999 + reader / 10)} ${opened(file, 'O_WRONLY', '0.000050')}`],
          [i * 10_100 + 10_010, `${reader} ${at(i * 10_100 + 10_010)} read(3<${file}>, "x", 4096) = 1 <0.000010>`],
        ] as const;
      }),
    ).flat();
    steps.sort(([a], [b]) => a - b);
    const made = steps.map(([, text]) => text).filter((text) => isForWriter || !text.startsWith('9 '));
    return `${made.join('\n')}\n`;
  }

  test('that wait for the other end are no metadata, and no I/O of the run', async () => {
    const { insights, run } = await analysed(waiting(true));
    expect(insights.map(({ code }) => code)).not.toContain('P17');
    expect(run.ioShare).toBeLessThan(0.01);
    expect(insights.map(({ message }) => message).join()).not.toMatch(/\d (min|h)\b|[1-9]\d\d+ % of the run/);
  });

  test('of files that take as long are found, and are no more than the run', async () => {
    const { insights, run } = await analysed(waiting(false));
    const { message, cost } = insights.find(({ code }) => code === 'P17')!;
    expect(message).not.toMatch(/[1-9]\d\d+ % of the run/);
    expect(cost!.shareOfRun).toBeLessThanOrEqual(1);
    expect(run.ioShare).toBeGreaterThan(0.9);
  });
});

describe('P17: what is needed, and what is asked', () => {
  /** Each folder is opened, listed and closed, and what is in it asked about, once. */
  function walk(folders: number, asking: number): StraceText {
    const text = new StraceText();
    return text.times(folders, (i) => {
      const folder = `/w/${i}`;
      text.call(1, `openat(AT_FDCWD, "${folder}", O_RDONLY|O_DIRECTORY) = 3<${folder}>`, 20, [line(4)]);
      text.times(2, () => text.call(1, `getdents64(3<${folder}>, 0x55 /* 4 entries */, 32768) = 96`, 20, [line(4)]));
      text.times(2, (j) =>
        text.call(1, `newfstatat(AT_FDCWD, "${folder}/${j}", {st_size=1}, 0) = 0`, 20, [line(asking)]),
      );
      text.call(1, `close(3<${folder}>) = 0`, 20, [line(4)]);
    });
  }

  test('a walk through folders is none, and no more than a remark where its questions are asked elsewhere', async () => {
    expect(await codes(walk(3000, 4))).not.toContain('P17');
    const { severity, recommendations, sites } = await find('P17', walk(3000, 9));
    expect([severity, sites.length]).toEqual(['info', 1]);
    expect(recommendations[0]!.text).toMatch(
      /^Most of these calls are the first on their file, or the first after it was changed, and may be needed\.$/,
    );
    expect(recommendations[0]!.snippet).toBeUndefined();
  });

  test('a program that asks its own open file before each write is told to keep the length', async () => {
    const text = new StraceText();
    text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_CREAT|O_APPEND, 0644) = 3</w/log>', 20, [line(4)]);
    text.times(300, () => {
      text.call(1, 'fstat(3</w/log>, {st_size=1}) = 0', 20, [line(10)]);
      text.call(1, 'write(3</w/log>, ""..., 47) = 47', 20, [line(15)]);
    });
    const [advice] = (await find('P17', text)).recommendations;
    expect(advice!.text).toMatch(/^There is no need to ask about an open file each time/);
    expect(advice!.snippet!.code).not.toContain('readdir');
  });

  test('files that are made and renamed once each are needed', async () => {
    const text = new StraceText();
    text.times(60, (i) => {
      text.call(1, `openat(AT_FDCWD, "/w/tmp${i}", O_WRONLY|O_CREAT, 0644) = 3</w/tmp${i}>`, 20, [line(4)]);
      text.call(1, `close(3</w/tmp${i}>) = 0`, 20, [line(4)]);
      text.call(1, `rename("/w/tmp${i}", "/w/${i}") = 0`, 20, [line(4)]);
      text.call(1, `fchmod(3</w/tmp${i}>, 0600) = 0`, 20, [line(4)]);
      text.call(1, `fchmod(3</w/tmp${i}>, 0644) = 0`, 20, [line(4)]);
    });
    expect(await codes(text)).not.toContain('P17');
  });
});

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

  test('not where processes that run side by side read all of the files once each', async () => {
    const text = new StraceText();
    for (let file = 0; file < 40; file++) {
      for (const process of [7, 8, 9]) {
        const path = `/w/${file}.bin`;
        text.call(process, `openat(AT_FDCWD, "${path}", O_RDONLY) = 3<${path}>`, 40, [line(3)]);
        text.call(process, `read(3<${path}>, ""..., 20000) = 20000`, 30, [line(4)]);
        text.call(process, `close(3<${path}>) = 0`, 10, [line(5)]);
      }
    }
    expect(await codes(text)).not.toContain('L37');
  });

  test('without what writes the files before', async () => {
    const text = new StraceText();
    text.times(40, (i) => {
      text.call(7, `openat(AT_FDCWD, "/w/${i}.bin", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/${i}.bin>`, 80, [line(1)]);
      text.call(7, `write(3</w/${i}.bin>, ""..., 20000) = 20000`, 30, [line(2)]);
      text.call(7, `close(3</w/${i}.bin>) = 0`, 10, [line(3)]);
    });
    text.times(120, (i) => {
      const path = `/w/${i % 40}.bin`;
      text.call(7, `openat(AT_FDCWD, "${path}", O_RDONLY) = 3<${path}>`, 40, [line(13)]);
      text.call(7, `read(3<${path}>, ""..., 20000) = 20000`, 30, [line(14)]);
      text.call(7, `close(3<${path}>) = 0`, 10, [line(15)]);
    });
    const { evidence, sites } = await find('L37', text);
    expect([evidence['turns'], evidence['count']]).toEqual([3, 360]);
    expect(sites).toHaveLength(3);
  });

  test('one file that is opened again at once is the finding of L02', async () => {
    const found = await codes(reading({ files: 1, turns: 200 }));
    expect(found).toContain('L02');
    expect(found).not.toContain('L37');
  });
});

describe('L38: polling', () => {
  const asks = (answer: string): string => `newfstatat(AT_FDCWD, "/w/flag", 0x7ffc, 0) = ${answer}`;

  function polling(times: number, pause: number, calls: readonly string[]): StraceText {
    const text = new StraceText();
    return text.times(times, () => {
      text.wait(pause);
      for (const call of calls) text.call(7, call, 20, [line(3)]);
    });
  }

  const reopened = [
    'openat(AT_FDCWD, "/w/flag", O_RDONLY) = 3</w/flag>',
    'read(3</w/flag>, "wait", 64) = 4',
    'close(3</w/flag>) = 0',
  ];

  test.each<readonly [string, readonly string[]]>([
    ['a file that is not there', [asks('-1 ENOENT (No such file or directory)')]],
    ['a file that is there', [asks('0')]],
    ['what stands in a file', reopened],
    ['the end of a file', ['read(3</w/flag>, "", 64) = 0']],
  ])('for %s: nothing is to be remembered, and no saving is promised', async (_what, calls) => {
    const text = polling(200, 60_000, calls);
    const { insights, run } = await analysed(text);
    const { evidence, message, gain, cost } = insights.find(({ code }) => code === 'L38')!;
    expect(evidence['count']).toBe(199);
    // Fewer questions do not shorten the run: at most the calls themselves can go, and nothing of the pauses between.
    expect(gain).toMatchObject({ savedNs: null, lowNs: 0 });
    expect(gain.method).toContain('which fewer questions do not shorten');
    expect(gain.highNs).toBeLessThanOrEqual(cost!.highNs);
    expect(gain.highNs! / run.untracedNs).toBeLessThan(0.001);
    expect([run.savableNs, run.savableShare]).toEqual([null, null]);
    expect(evidence['pauseNs']).toBeGreaterThan(59.9e6);
    expect(message).toMatch(/each after a pause \(60(\.\d+)? ms on average\)/);
    const found = insights.map(({ code }) => code);
    for (const code of ['L02', 'L11', 'L12']) expect(found).not.toContain(code);
  });

  test('not where the pauses are no longer than those of a tracer that looks at deep stacks', async () => {
    const found = await codes(polling(200, 20_000, [asks('0')]));
    expect(found).toContain('L12');
    expect(found).not.toContain('L38');
    // It stops the program as long before every other call.
    const stopped = new StraceText();
    stopped.times(200, () => {
      for (const call of reopened) stopped.wait(8500).call(7, call, 20, [line(3)]);
    });
    expect(await codes(stopped)).toContain('L02');
    expect(await codes(stopped)).not.toContain('L38');
  });

  test('where the tracer is quicker before other calls, shorter pauses are some, too', async () => {
    expect(await codes(polling(200, 10_000, reopened))).toContain('L38');
  });

  test('not where the questions follow each other at once', async () => {
    const found = await codes(polling(200, 0, [asks('0')]));
    expect(found).toContain('L12');
    expect(found).not.toContain('L38');
  });

  test('not where a few pauses stand between many questions', async () => {
    const found = await codes(
      polling(
        40,
        60_000,
        Array.from({ length: 20 }, () => asks('0')),
      ),
    );
    expect(found).toContain('L12');
    expect(found).not.toContain('L38');
  });

  test('not where each step opens the file to read another part of it', async () => {
    const text = new StraceText();
    text.times(200, (i) => {
      text.wait(60_000);
      text.call(7, 'openat(AT_FDCWD, "/w/input", O_RDONLY) = 3</w/input>', 20, [line(3)]);
      text.call(7, `pread64(3</w/input>, ""..., 4096, ${i * 4096}) = 4096`, 20, [line(4)]);
      text.call(7, 'close(3</w/input>) = 0', 10, [line(5)]);
    });
    const found = await codes(text);
    expect(found).toContain('L02');
    expect(found).not.toContain('L38');
  });

  test('not where each step opens the file to write', async () => {
    const text = polling(200, 60_000, [
      'openat(AT_FDCWD, "/w/log", O_WRONLY|O_APPEND) = 3</w/log>',
      'close(3</w/log>) = 0',
    ]);
    const found = await codes(text);
    expect(found).toContain('L02');
    expect(found).not.toContain('L38');
  });
});
