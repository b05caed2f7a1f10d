import { describe, expect, test } from 'vitest';
import { analysed, at, codes, find, insightsOf, KiB } from '../support/analysed-text.ts';
import { frame, line, StraceText } from '../support/strace-text.ts';

describe('what a program’s I/O is', () => {
  test('to execute a program is start-up, whatever file it is and however long it takes', async () => {
    const text = new StraceText();
    text.call(1, 'execve("/w/app", ["/w/app"], 0x7ffd /* 9 vars */) = 0', 20_000, [frame('ld-linux-x86-64.so.2', 'x')]);
    text.times(40, (i) => text.call(1, at('write', '/w/a', i * 100, 100), 20, [line(7)]));
    const { run, unmarked } = await analysed(text);
    expect(run.ioNs).toBeLessThan(1e6);
    expect(unmarked).toEqual([]);
  });

  test('of a copy to a socket the file counts, with what the copies cost and save', async () => {
    const text = new StraceText();
    text.times(500, (i) =>
      text.call(1, `sendfile(4<socket:[77]>, 3</w/a>, [${i * KiB}] => [${(i + 1) * KiB}], 1024) = 1024`, 30, [line(7)]),
    );
    const copies = await find('L35', text);
    expect(copies.cost!.untracedNs).toBeGreaterThan(100_000);
    expect(copies.gain.savedNs).toBeGreaterThan(0);
  });

  test('a file that takes the place of another waits for the storage: it costs what was recorded', async () => {
    const text = new StraceText();
    text.times(300, (i) => {
      text.call(1, 'openat(AT_FDCWD</w>, "a.tmp", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/a.tmp>', 20, [line(4)]);
      text.call(1, 'write(3</w/a.tmp>, ""..., 100) = 100', 20, [line(5)]);
      text.call(1, 'close(3</w/a.tmp>) = 0', 12, [line(6)]);
      text.call(1, 'rename("/w/a.tmp", "/w/a") = 0', i % 4 === 0 ? 30 : 1500, [line(7)]);
    });
    const { run, insights, unmarked } = await analysed(text);
    expect(run.ioNs).toBeGreaterThan(0.2e9);
    expect(unmarked).toEqual([]);
    const { cost } = insights.find(({ code }) => code === 'L45')!;
    expect(cost!.untracedNs).toBeGreaterThan(0.2e9);
    // One name, one file in the end: these are not many.
    expect(insights.map(({ code }) => code)).not.toContain('L10');
  });

  test('opens of one name, a new file each time, are not said to be one for each file', async () => {
    const text = new StraceText();
    text.times(100, () => {
      text.call(1, 'openat(AT_FDCWD</w>, "a.lock", O_WRONLY|O_CREAT|O_EXCL, 0600) = 3</w/a.lock>', 200, [line(4)]);
      text.call(1, 'close(3</w/a.lock>) = 0', 10, [line(5)]);
      text.call(1, 'unlink("/w/a.lock") = 0', 12, [line(6)]);
    });
    const opens = (await analysed(text)).unmarked.find(({ what }) => what.includes('opens'))!;
    expect(opens.what).toMatch(/^100 opens \(.* each\): once for each file that a process opens or makes$/);
  });
});

test('calls of which another finding names the cause are told and weighed there alone', async () => {
  const text = new StraceText();
  text.call(1, 'openat(AT_FDCWD</w>, "j", O_WRONLY|O_CREAT|O_DSYNC, 0644) = 4</w/j>', 20, [line(3)]);
  text.times(40, () => {
    text.call(1, 'write(4</w/j>, ""..., 12) = 12', 4000, [line(5)]);
    text.times(50, () => text.call(1, 'write(3</w/a>, ""..., 6) = 6', 300, [line(7)]));
  });
  const insights = await insightsOf(text);
  expect(insights[0]!.code).toBe('L33');
  const small = insights.find(({ code }) => code === 'P06')!;
  expect(small.evidence['count']).toBe(2000);
  expect(small.sites.map(({ events, explainedBy }) => [events, explainedBy])).toEqual([
    [2000, undefined],
    [40, 'L33'],
  ]);
  expect(small.severity).not.toBe('high');
  expect(small.gain.savedNs).toBeLessThan(insights[0]!.gain.savedNs! / 10);
});

test('what a finding saves is of its own calls: of questions those for files that are missing, or there', async () => {
  const text = new StraceText();
  text.times(900, (i) => {
    text.call(1, `newfstatat(AT_FDCWD, "/w/x${i % 90}", 0x7ffd, 0) = -1 ENOENT (No such file or directory)`, 30, [
      line(7),
    ]);
    if (i % 2 === 0)
      text.call(1, `newfstatat(AT_FDCWD, "/w/y${i % 90}", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0`, 30, [
        line(7),
      ]);
  });
  const insights = await insightsOf(text);
  for (const code of ['L11', 'L12']) {
    const { gain, cost } = insights.find((insight) => insight.code === code)!;
    expect(gain.savedNs, code).toBeLessThanOrEqual(cost!.untracedNs * 1.05);
  }
});

test('a state that replaces the one before is no byte written again', async () => {
  const text = new StraceText();
  text.times(20, () => {
    text.call(1, 'openat(AT_FDCWD, "/w/a", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/a>', 50, [line(4)]);
    text.times(50, (i) => text.call(1, at('write', '/w/a', i * 64 * KiB, 64 * KiB), 100, [line(5)]));
    text.call(1, 'close(3</w/a>) = 0', 20, [line(6)]);
  });
  expect(await codes(text)).not.toContain('P10');
});

describe('advice that its reader can follow', () => {
  test('P17: what a stream asks about its own file is nobody’s to leave out', async () => {
    const asking = (frames: readonly string[]): StraceText => {
      const text = new StraceText();
      text.call(1, 'openat(AT_FDCWD</w>, "a", O_WRONLY|O_CREAT, 0644) = 3</w/a>', 20, [line(3)]);
      return text.times(1500, () => text.call(1, 'fstat(3</w/a>, {...}) = 0', 30, [...frames, line(5)]));
    };
    expect(await codes(asking([]))).toContain('P17');
    expect(await codes(asking([frame('libc.so.6', '_IO_file_doallocate')]))).not.toContain('P17');
  });

  test('L11: who asks for one missing file all the time waits for it, and searches nothing', async () => {
    const told = async (files: number): Promise<string> => {
      const text = new StraceText();
      text.times(640, (i) =>
        text.call(1, `access("/w/f${i % files}", F_OK) = -1 ENOENT (No such file or directory)`, 20, [line(7)]),
      );
      return (await find('L11', text)).recommendations[0]!.text;
    };
    expect(await told(2)).toContain('look less often');
    expect(await told(300)).toContain('list the folder once');
  });

  test('L37: PyTorch is named to lines of Python alone', async () => {
    const source = (file: string, at: number): string => `/w/app(work+0x${at}) [0x${at}] /w/${file}:${at}`;
    const reading = (file: string): StraceText => {
      const text = new StraceText();
      return text.times(80, (i) => {
        const name = `/w/s${i % 40}`;
        text.call(1, `openat(AT_FDCWD, "${name}", O_RDONLY) = 3<${name}>`, 40, [source(file, 4)]);
        text.call(1, `read(3<${name}>, ""..., 4096) = 900`, 20, [source(file, 4)]);
        text.call(1, `read(3<${name}>, ""..., 4096) = 0`, 10, [source(file, 4)]);
        text.call(1, `close(3<${name}>) = 0`, 10, [source(file, 4)]);
      });
    };
    const told = async (file: string): Promise<string> =>
      (await find('L37', reading(file))).recommendations.map(({ text }) => text).join(' ');
    expect(await told('app.c')).not.toContain('PyTorch');
    expect(await told('app.py')).toContain('PyTorch');
  });

  test('L39, not L01: a message to a socket acknowledges what was made safe; L13 knows messages from streams', async () => {
    const text = new StraceText();
    text.times(60, () => {
      text.times(8, () => text.call(1, 'recvfrom(4<socket:[9]>, ""..., 64, 0, NULL, NULL) = 7', 20, [line(4)]));
      text.call(1, 'write(3</w/a>, ""..., 56) = 56', 20, [line(5)]);
      text.call(1, 'fdatasync(3</w/a>) = 0', 900, [line(6)]);
      text.times(8, () => text.call(1, 'sendto(4<socket:[9]>, ""..., 2, 0, NULL, 0) = 2', 20, [line(7)]));
    });
    const found = await codes(text);
    expect(found).toContain('L39');
    expect(found).not.toContain('L01');
    expect(found).not.toContain('L13');
  });
});

describe('how long the run is without the tracer', () => {
  test('what lies between the calls each time, and no processor worked for, the program slept', async () => {
    const text = new StraceText();
    text.call(1, 'execve("/w/app", ["/w/app"], 0x7ffd /* 9 vars */) = 0', 200);
    text.times(100, (i) => text.call(1, at('write', '/w/a', i * 100, 100), 20, [line(7)]).wait(20_000));
    text.call(1, 'exit_group(0) = ?', 0);
    const life = { lastedNs: 2.1e9, userNs: 0, systemNs: 1e7 };
    const { run } = await analysed(
      text,
      {},
      { schema: 'iolens/recorded@1', revision: '', changed: [], buildIds: {}, life },
    );
    expect(run.untracedNs).toBeGreaterThan(1.5e9);
    expect(run.boundBy).toBe('waiting');
  });
});
