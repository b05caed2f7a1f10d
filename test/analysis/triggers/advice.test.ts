import { describe, expect, test } from 'vitest';
import { at, find, codes, MiB } from '../../support/analysed-text.ts';
import { frame, line, StraceText } from '../../support/strace-text.ts';

/** What is advised can be done, and its examples do no harm where they are followed. */
function lineOf(file: string): string[] {
  return [`/w/app(work+0x7) [0x7] /w/${file}:7`];
}

async function adviceOf(code: string, text: StraceText): Promise<string> {
  const { recommendations } = await find(code, text);
  return recommendations
    .flatMap(({ text: words, snippet, alternatives = [] }) => [
      words,
      snippet?.code ?? '',
      ...alternatives.map((of) => of.code),
    ])
    .join('\n');
}

test('what a close releases has to be released otherwise where the file stays open', async () => {
  const text = new StraceText();
  text.times(300, () => {
    text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_APPEND) = 3</w/log>', 30, lineOf('b.c'));
    text.call(1, 'flock(3</w/log>, LOCK_EX) = 0', 10, lineOf('b.c'));
    text.call(1, 'write(3</w/log>, ""..., 100) = 100', 30, lineOf('b.c'));
    text.call(1, 'close(3</w/log>) = 0', 10, lineOf('b.c'));
  });
  expect(await adviceOf('L02', text)).toContain('unlock it (LOCK_UN)');
});

test('who reads what is written each time is to see it where the file stays open, too', async () => {
  const text = new StraceText();
  text.call(2, 'openat(AT_FDCWD, "/w/log", O_RDONLY|O_CREAT, 0644) = 3</w/log>', 30, lineOf('c.c'));
  text.times(300, () => {
    text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_APPEND) = 3</w/log>', 30, lineOf('b.c'));
    text.call(1, 'write(3</w/log>, ""..., 100) = 100', 30, lineOf('b.c'));
    text.call(1, 'close(3</w/log>) = 0', 10, lineOf('b.c'));
    text.call(2, 'read(3</w/log>, ""..., 4096) = 100', 30, lineOf('c.c'));
  });
  expect(await adviceOf('L02', text)).toMatch(/Another process reads what is written: .*flush each record/);
});

test('who uses a database is told of transactions: its library writes and synchronises', async () => {
  const commits = (journal: string): StraceText => {
    const text = new StraceText();
    return text.times(200, () => {
      for (const name of [journal, '/w/t.db']) {
        text.call(1, `openat(AT_FDCWD, "${name}", O_RDWR|O_CREAT, 0644) = 3<${name}>`, 30, lineOf('b.c'));
        text.call(1, `pwrite64(3<${name}>, ""..., 4096, 0) = 4096`, 30, lineOf('b.c'));
        text.call(1, `fdatasync(3<${name}>) = 0`, 4000, lineOf('b.c'));
        text.call(1, `close(3<${name}>) = 0`, 10, lineOf('b.c'));
      }
    });
  };
  expect(await adviceOf('L39', commits('/w/t.db-journal'))).toMatch(/database of SQLite, .*one \(BEGIN … COMMIT/);
  expect(await adviceOf('L39', commits('/w/t.log'))).not.toContain('SQLite');
});

test('a place that has to be mended otherwise than the dearest is told so', async () => {
  const text = new StraceText();
  text.times(300, () => {
    text.call(1, 'openat(AT_FDCWD, "/w/settings", O_RDONLY) = 3</w/settings>', 40, lineOf('a.c'));
    text.call(1, 'read(3</w/settings>, ""..., 100) = 38', 30, lineOf('a.c'));
    text.call(1, 'close(3</w/settings>) = 0', 10, lineOf('a.c'));
    text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_APPEND) = 3</w/log>', 30, lineOf('b.c'));
    text.call(1, 'write(3</w/log>, ""..., 100) = 100', 30, lineOf('b.c'));
    text.call(1, 'close(3</w/log>) = 0', 10, lineOf('b.c'));
  });
  const { recommendations } = await find('L02', text);
  expect(recommendations.map((each) => each.text)).toEqual([
    expect.stringMatching(/^Read the file once and keep/),
    expect.stringMatching(
      /^At b\.c:7: Open the file once before the loop and close it after the loop\. .*a crash .*flush/,
    ),
  ]);
});

describe('L02: files that are opened again and again', () => {
  interface Opening {
    readonly flags: string;
    readonly call: string;
    readonly files?: number;
    readonly stack?: readonly string[];
    readonly times?: number;
  }

  function opening({ flags, call, files = 1, stack = lineOf('a.c'), times = 200 }: Opening): StraceText {
    const text = new StraceText();
    return text.times(times, (i) => {
      const path = `/w/${i % files}`;
      text.call(1, `openat(AT_FDCWD, "${path}", ${flags}) = 3<${path}>`, 40, stack);
      text.call(1, call.replace('%', path), 30, stack);
      text.call(1, `close(3<${path}>) = 0`, 10, stack);
    });
  }

  const reading = { flags: 'O_RDONLY', call: 'read(3<%>, ""..., 100) = 38' };
  const writing = { flags: 'O_WRONLY|O_CREAT|O_APPEND, 0644', call: 'write(3<%>, ""..., 8000) = 8000' };

  test.each(['a.c', 'a.f90', 'a.py'])('what is only read is read once and kept, never written (%s)', async (file) => {
    const advice = await adviceOf('L02', opening({ ...reading, stack: lineOf(file) }));
    expect(advice).toContain('Read the file once and keep');
    expect(advice).not.toMatch(/write|"a"/);
  });

  test('what was written once before is read once, too; what is written meanwhile is opened once', async () => {
    const write = (text: StraceText): StraceText => text.call(1, 'pwrite64(5</w/0>, ""..., 38, 0) = 38', 10, [line(2)]);
    const read = (text: StraceText): StraceText =>
      text
        .call(1, 'openat(AT_FDCWD, "/w/0", O_RDONLY) = 3</w/0>', 40, [line(7)])
        .call(1, 'read(3</w/0>, ""..., 100) = 38', 30, [line(8)])
        .call(1, 'close(3</w/0>) = 0', 10, [line(9)]);
    const before = write(new StraceText());
    before.times(200, () => read(before));
    expect(await adviceOf('L02', before)).toContain('Read the file once and keep');
    const meanwhile = new StraceText();
    meanwhile.times(200, () => read(write(meanwhile)));
    const advice = await adviceOf('L02', meanwhile);
    expect(advice).toContain('Open the file once before the loop');
    expect(advice).not.toContain('write(');
  });

  test('a part of a large file each time: opened once, and read', async () => {
    const text = opening({ flags: 'O_RDONLY', call: `read(3<%>, ""..., ${4 * MiB}) = ${4 * MiB}`, times: 60 });
    const advice = await adviceOf('L02', text);
    expect(advice).toContain('Open the file once before the loop');
    expect(advice).not.toContain('write');
  });

  test('what is written keeps its example', async () => {
    expect(await adviceOf('L02', opening(writing))).toContain('write(fd, line, length);');
  });

  test.each<readonly [string, readonly string[]]>([
    ['at a line', lineOf('a.c')],
    ['where no line is known', []],
  ])('many files are counted once, and kept open in a table: %s', async (_where, stack) => {
    const text = opening({ ...writing, files: 10, stack });
    const { message } = await find('L02', text);
    expect(message).toMatch(/^190 repeated opens and 190 closes of 10 files that had been open before cost/);
    const advice = await adviceOf('L02', text);
    expect(advice).toContain('Keep the files that are used again and again open');
    expect(advice).not.toContain('once before the loop');
  });

  test('many files that are written, and then opened once more to be read, are in no loop', async () => {
    const text = new StraceText();
    for (const [flags, name] of [
      ['O_WRONLY|O_CREAT', 'write'],
      ['O_RDONLY', 'read'],
    ] as const) {
      text.times(200, (i) => {
        text.call(1, `openat(AT_FDCWD, "/w/${i}", ${flags}, 0644) = 3</w/${i}>`, 40, [line(9)]);
        text.call(1, `${name}(3</w/${i}>, ""..., 16384) = 16384`, 30, [line(9)]);
        text.call(1, `close(3</w/${i}>) = 0`, 10, [line(9)]);
      });
    }
    expect(await codes(text)).not.toContain('L02');
  });
});

describe('P06: small writes to a file that is made safe', () => {
  const journal = (writes: number): StraceText => {
    const text = new StraceText();
    text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/log>', 10, [line(9)]);
    return text.times(50, () => {
      text.times(writes, () => text.call(1, 'write(3</w/log>, ""..., 12) = 12', 40, [line(10)]));
      text.call(1, 'fdatasync(3</w/log>) = 0', 100, [line(11)]);
    });
  };

  test('the buffer is written out before each synchronisation, and joins no more than that', async () => {
    const { evidence } = await find('P06', journal(8));
    expect(evidence['coalescedCalls']).toBe(50);
    const advice = await adviceOf('P06', journal(8));
    expect(advice).toContain('before each synchronisation');
    expect(advice).toMatch(/fflush\(out\).*fdatasync/);
    expect(advice).not.toContain('setvbuf');
  });
});

describe('flushes by the name of the language', () => {
  const flush = frame('libc.so.6', 'fflush');
  const flushed = (file: string): StraceText => {
    const text = new StraceText();
    return text.times(200, () => text.call(1, 'write(3</w/log>, ""..., 20) = 20', 40, [flush, ...lineOf(file)]));
  };

  test.each([
    ['a.f90', /leave FLUSH to the end/],
    ['a.py', /leave flush\(\) to the end/],
    ['a.c', /leave fflush to the end/],
    ['a.cpp', /std::endl/],
  ])('%s', async (file, words) => {
    const { message, recommendations } = await find('L04', flushed(file));
    expect(recommendations[0]!.text).toMatch(words);
    if (!file.endsWith('.cpp')) expect(`${message}${JSON.stringify(recommendations)}`).not.toContain('endl');
  });

  test('small writes of any language are told nothing of streams of C++', async () => {
    const text = new StraceText();
    text.times(200, () => text.call(1, 'write(3</w/log>, ""..., 20) = 20', 40, lineOf('a.py')));
    expect(await adviceOf('P06', text)).not.toContain('endl');
  });
});

test('L13: who writes tiny pieces into a pipe is told to gather them', async () => {
  const text = new StraceText();
  text.call(1, at('write', '/w/a', 0, MiB), 10, [line(1)]);
  text.times(200, () => text.call(1, 'write(4<pipe:[7]>, ""..., 12) = 12', 10, [line(9)]));
  const { message, title } = await find('L13', text);
  expect(message).toMatch(/^199 writes /);
  expect(title).not.toContain('byte');
  const advice = await adviceOf('L13', text);
  expect(advice).toContain('Collect what is sent');
  expect(advice).not.toContain('read(');
});

test('P09 and P10: a file that is locked for each access is shared with others', async () => {
  const counter = (locks: boolean): StraceText => {
    const text = new StraceText();
    return text.times(200, () => {
      if (locks) text.call(1, 'flock(3</w/counter>, LOCK_EX) = 0', 5, [line(4)]);
      text.call(1, 'pread64(3</w/counter>, ""..., 5, 0) = 5', 40, [line(5)]);
      text.call(1, 'pwrite64(3</w/counter>, ""..., 5, 0) = 5', 40, [line(6)]);
      if (locks) text.call(1, 'flock(3</w/counter>, LOCK_UN) = 0', 5, [line(7)]);
    });
  };
  expect(await codes(counter(false))).toContain('P10');
  expect(await codes(counter(true))).not.toContain('P10');
});

test('who closes one more descriptor of what stays open is not told to keep it open', async () => {
  const closes = (descriptor: string): Promise<string> => {
    const text = new StraceText();
    text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_APPEND) = 3</w/log>', 30, lineOf('b.c'));
    text.times(300, (i) => {
      text.call(1, 'write(3</w/log>, ""..., 100) = 100', 30, lineOf('b.c'));
      text.call(1, 'dup(3</w/log>) = 4</w/log>', 5, lineOf('c.c'));
      text.call(1, `close(${descriptor}</w/log>) = 0`, 40, lineOf('c.c'));
      if (descriptor === '3') text.call(1, `dup2(4</w/log>, 3) = 3</w/log>`, 5, lineOf('d.c'));
      if (i % 2 === 1) text.call(1, 'write(3</w/log>, ""..., 100) = 100', 30, lineOf('b.c'));
    });
    return adviceOf('P17', text);
  };
  for (const descriptor of ['4', '3']) {
    const advice = await closes(descriptor);
    expect(advice).toContain('closes one more descriptor (dup)');
    expect(advice).not.toContain('keep open');
  }
});

test('what is opened to be written is not told to be read once, whoever else reads it', async () => {
  const text = new StraceText();
  text.times(300, () => {
    text.call(1, 'openat(AT_FDCWD, "/w/log", O_WRONLY|O_CREAT|O_APPEND, 0666) = 3</w/log>', 30, lineOf('b.c'));
    text.call(1, 'close(3</w/log>) = 0', 10, lineOf('b.c'));
  });
  text.call(1, 'openat(AT_FDCWD, "/w/log", O_RDONLY) = 3</w/log>', 30, lineOf('c.c'));
  text.call(1, 'read(3</w/log>, ""..., 4096) = 100', 30, lineOf('c.c'));
  expect(await adviceOf('L02', text)).not.toMatch(/Read .* once/);
});

test('files that a library opens thrice for one call are not opened in a loop; four times each are', async () => {
  const opened = (times: number): StraceText => {
    const text = new StraceText();
    for (let file = 0; file < 400; file++)
      text.times(times, () => {
        text.call(1, `openat(AT_FDCWD, "/w/${file}.npy", O_RDONLY) = 3</w/${file}.npy>`, 30, lineOf('b.c'));
        text.call(1, `read(3</w/${file}.npy>, ""..., 128) = 128`, 10, lineOf('b.c'));
        text.call(1, `close(3</w/${file}.npy>) = 0`, 10, lineOf('b.c'));
      });
    return text;
  };
  expect(await codes(opened(3))).not.toContain('L02');
  expect(await codes(opened(4))).toContain('L02');
});
