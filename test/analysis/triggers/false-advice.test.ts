import { describe, expect, test } from 'vitest';
import { at, codes, find, MiB } from '../../support/analysed-text.ts';
import { frame, line, StraceText } from '../../support/strace-text.ts';

/** Programs of which a finding once said what would have lost data, or helped nobody. */

const opened = (flags: string): string => `openat(AT_FDCWD, "/w/a", ${flags}, 0600) = 3</w/a>`;
/** Places all over a file. */
const placed = (i: number): number => ((i * 7919) % 1000) * 64;

describe.each([
  ['flock', (takes: boolean) => `flock(3</w/a>, ${takes ? 'LOCK_EX' : 'LOCK_UN'}) = 0`],
  [
    'fcntl',
    (takes: boolean) =>
      `fcntl(3</w/a>, F_SETLKW, {l_type=${takes ? 'F_WRLCK' : 'F_UNLCK'}, l_whence=SEEK_SET, l_start=0, l_len=8}) = 0`,
  ],
])('what a lock by %s protects', (name, lock) => {
  /** A counter is read, added to and written, under a lock. */
  const counted = (waits: number): StraceText => {
    const text = new StraceText().call(1, opened('O_RDWR'), 10, [line(1)]);
    return text.times(400, (i) => {
      text.call(1, lock(true), i < waits ? 5000 : 10, [line(2)]);
      text.call(1, `pread64(3</w/a>, ""..., 8, ${placed(i)}) = 8`, 10, [line(3)]);
      text.call(1, `pwrite64(3</w/a>, ""..., 8, ${placed(i)}) = 8`, 10, [line(4)]);
      text.call(1, lock(false), 10, [line(5)]);
    });
  };

  test('is neither to be reordered, nor gathered, nor read beforehand', async () => {
    const found = await codes(counted(0));
    for (const code of ['P09', 'P10', 'P11', 'P13', 'L05', 'L06', 'L07']) expect(found).not.toContain(code);
  });

  test('is waited for only where a call did wait', async () => {
    expect(await codes(counted(0))).not.toContain('L26');
    const { evidence, message } = await find('L26', counted(20));
    expect(evidence).toMatchObject({ locks: 20 });
    expect(message).toContain(`20 waits for locks by ${name}`);
  });
});

test('a file that each open empties is not merely to be kept open', async () => {
  const text = new StraceText();
  text.times(60, () => {
    text.call(1, opened('O_WRONLY|O_CREAT|O_TRUNC'), 300, [line(1)]);
    text.call(1, 'write(3</w/a>, ""..., 4096) = 4096', 20, [line(1)]);
    text.call(1, 'close(3</w/a>) = 0', 100, [line(1)]);
  });
  const { recommendations } = await find('L02', text);
  expect(recommendations[0]!.text).toMatch(/^Each open empties the file, and all of it is written again/);
});

test('processes with a file each keep this one open, one process with several a table of them', async () => {
  const advice = async (pidOf: (file: number) => number): Promise<string> => {
    const text = new StraceText();
    text.times(120, (i) => {
      const [pid, file] = [pidOf(i % 3), `/w/log.${i % 3}`];
      text.call(pid, `openat(AT_FDCWD, "${file}", O_WRONLY|O_CREAT|O_APPEND, 0600) = 3<${file}>`, 300, [line(1)]);
      text.call(pid, `write(3<${file}>, ""..., 64) = 64`, 20, [line(1)]);
      text.call(pid, `close(3<${file}>) = 0`, 100, [line(1)]);
    });
    const [first] = (await find('L02', text)).recommendations;
    return `${first!.text} ${first!.snippet?.code ?? ''}`;
  };
  const each = await advice((file) => file + 1);
  expect(each).toMatch(/^Open the file once before the loop/);
  expect(each).not.toContain('120');
  expect(await advice(() => 1)).toContain('least recently used');
});

test('a folder that is listed again is no file to be kept open', async () => {
  const text = new StraceText();
  text.times(60, () => {
    text.call(1, 'openat(AT_FDCWD, "/w/runs", O_RDONLY|O_DIRECTORY) = 3</w/runs>', 300, [line(1)]);
    text.call(1, 'getdents64(3</w/runs>, 0x1 /* 9 entries */, 32768) = 270', 100, [line(1)]);
    text.call(1, 'getdents64(3</w/runs>, 0x1 /* 0 entries */, 32768) = 0', 10, [line(1)]);
    text.call(1, 'close(3</w/runs>) = 0', 100, [line(1)]);
  });
  const { recommendations } = await find('L02', text);
  expect(recommendations[0]!.text).toMatch(/^List the folder once and keep the names/);
});

test('a file that is made longer by a little each time is to grow in large steps', async () => {
  const text = new StraceText().call(1, opened('O_RDWR|O_CREAT'), 10, [line(1)]);
  text.times(2000, (i) => text.call(1, `ftruncate(3</w/a>, ${(i + 1) * 4096}) = 0`, 50, [line(2)]));
  const { recommendations, gain } = await find('P17', text);
  expect(recommendations[0]!.text).toMatch(/^Grow the file in large steps/);
  expect(gain.method).toContain('also save mappings');
});

describe('random reads of what is read again', () => {
  const reads = (distance: number): StraceText => {
    const text = new StraceText().call(1, opened('O_RDONLY'), 10, [line(1)]);
    return text.times(2000, (i) =>
      text.call(1, `pread64(3</w/a>, ""..., 16, ${((i * 7919) % 500) * distance}) = 16`, 20, [line(2)]),
    );
  };

  test('of a large file little of which is wanted: not all of it is to be read', async () => {
    for (const code of ['P09', 'P11']) {
      const texts = (await find(code, reads(4096))).recommendations.map(({ text }) => text).join(' ');
      expect(texts).toContain('mmap');
      expect(texts).not.toMatch(/read it once|is read \(or mapped\) once/);
    }
  });

  test('of a table: it is read once', async () =>
    expect((await find('P09', reads(16))).recommendations[0]!.text).toMatch(/^Keep what was read: read it once/));
});

describe('seeks of C++ streams', () => {
  const inStream = (name: string): string[] => [`/usr/lib/libstdc++.so.6(std::${name}+0x10) [0x1000]`, line(2)];

  test('are the program’s own where it asks for the place', async () => {
    const text = new StraceText().call(1, opened('O_WRONLY|O_CREAT'), 10, [line(1)]);
    text.times(2000, (i) => {
      text.call(1, `lseek(3</w/a>, 0, SEEK_CUR) = ${(i >> 6) * 8191}`, 20, inStream('ostream::tellp()'));
      if (i % 64 === 63) text.call(1, 'write(3</w/a>, ""..., 8191) = 8191', 20, [line(3)]);
    });
    expect((await find('L46', text)).sites).toHaveLength(1);
  });
});

test('a file that one rank writes and another reads later is no work that ranks share', async () => {
  const barrier = [frame('libmpi.so.40', 'PMPI_Barrier'), line(2)];
  const ranks = (reader: number): StraceText => {
    const text = new StraceText();
    text.times(4, (i) => text.call(1 + i, 'poll([], 0, 0) = 0', 1, barrier));
    text.times(40, (i) => text.call(1, at('write', '/w/a', i * MiB, MiB), 10, [line(3)]));
    return text.times(40, (i) => text.call(i % 2 === 0 ? 2 : reader, at('read', '/w/a', i * MiB, MiB), 10, [line(4)]));
  };
  expect(await codes(ranks(2))).not.toContain('M01');
  expect(await codes(ranks(3))).toContain('M01');
});

test('an example counts opens, not the further closes of what a library made of each', async () => {
  const text = new StraceText();
  text.times(60, (i) => {
    text.call(1, opened('O_RDONLY'), 100, [line(1)]);
    text.call(1, 'fcntl(3</w/a>, F_DUPFD_CLOEXEC, 0) = 4</w/a>', 10, [line(1)]);
    text.call(1, `pread64(4</w/a>, ""..., 64, ${i * 64}) = 64`, 20, [line(1)]);
    text.call(1, 'close(4</w/a>) = 0', 50, [line(1)]);
    text.call(1, 'close(3</w/a>) = 0', 50, [line(1)]);
  });
  const { recommendations } = await find('L02', text);
  expect(recommendations[0]!.snippet!.code).toContain('once instead of 60 times');
});

test('who opens a file anew for each of its places all over the file does not read in its order', async () => {
  const text = new StraceText();
  text.times(1200, (i) => {
    text.call(1, opened('O_RDONLY'), 10, [line(1)]);
    text.call(1, `lseek(3</w/a>, ${placed(i)}, SEEK_SET) = ${placed(i)}`, 10, [line(2)]);
    text.call(1, 'read(3</w/a>, ""..., 64) = 64', 200, [line(3)]);
    text.call(1, 'close(3</w/a>) = 0', 10, [line(4)]);
  });
  const found = await codes(text);
  expect(found).toContain('P11');
  expect(found).not.toContain('P12');
});

test('a flush between seeks of the stream spares no write: the next seek makes it', async () => {
  const stream = (functionName: string): string => frame('libstdc++.so.6', functionName);
  const flushed = [stream('std::basic_filebuf<char>::sync()'), stream('std::ostream::flush()'), line(3)];
  const records = (seeks: boolean): StraceText => {
    const text = new StraceText().call(1, opened('O_RDWR'), 10, [line(1)]);
    return text.times(400, (i) => {
      if (seeks) text.call(1, `lseek(3</w/a>, 0, SEEK_END) = ${i * 128}`, 10, [line(2)]);
      text.call(1, 'write(3</w/a>, ""..., 128) = 128', 200, flushed);
    });
  };
  expect(await codes(records(false))).toContain('L04');
  expect(await codes(records(true))).not.toContain('L04');
  // Nor does a larger buffer hold back what the seek writes.
  expect((await find('P06', records(true))).evidence['coalescedCalls']).toBe(400);
});

test('what is read byte by byte, and again, is also to be read in larger pieces', async () => {
  const text = new StraceText();
  const again = (times: number, bytes: number): StraceText =>
    text.times(times, () => {
      text.call(1, opened('O_RDONLY'), 10, [line(1)]);
      text.times(bytes, () => text.call(1, 'read(3</w/a>, "x", 1) = 1', 20, [line(2)]));
      text.call(1, 'close(3</w/a>) = 0', 10, [line(3)]);
    });
  const found = await codes(again(3, 500));
  expect(found).toContain('P05');
  expect(found).toContain('P09');
});
