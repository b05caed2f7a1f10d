import { describe, expect, test } from 'vitest';
import { codes, find } from '../../support/analysed-text.ts';
import { line, StraceText } from '../../support/strace-text.ts';

/** What waits for the storage because of how a file was opened or how often it is synchronised, and copies in the kernel. */

/** Opens `/w/a` as descriptor 3. */
function opened(flags: string): StraceText {
  return new StraceText().call(1, `openat(AT_FDCWD, "/w/a", ${flags}, 0600) = 3</w/a>`, 10, [line(1)]);
}

function write(bytes: number): string {
  return `write(3</w/a>, ""..., ${bytes}) = ${bytes}`;
}

describe('L33: writes to a file opened with O_SYNC or O_DSYNC', () => {
  test.each(['O_SYNC', 'O_DSYNC'])('%s', async (flag) => {
    const text = opened(`O_WRONLY|O_CREAT|${flag}`);
    text.times(50, () => text.call(1, write(8192), 500, [line(7)]));
    const { message, sites, severity } = await find('L33', text);
    expect(message).toMatch(
      /^50 writes of 8 KiB to a file opened with O_SYNC or O_DSYNC cost about 2\d\.\d ms, 100 % of the run/,
    );
    expect([sites.length, sites[0]!.events, severity]).toEqual([1, 50, 'high']);
  });

  test('small ones are its consequence, and get no mark of their own', async () => {
    const text = opened('O_WRONLY|O_CREAT|O_DSYNC');
    text.times(50, () => text.call(1, write(20), 500, [line(7)]));
    expect((await find('P06', text)).sites[0]!.explainedBy).toBe('L33');
  });

  test('not without the flag, not of one write for each file, and not of large ones: their time is that of the data', async () => {
    const plain = opened('O_WRONLY|O_CREAT');
    plain.times(50, () => plain.call(1, write(8192), 500, [line(7)]));
    expect(await codes(plain)).toEqual([]);
    const files = new StraceText();
    files.times(50, (i) => {
      files.call(1, `openat(AT_FDCWD, "/w/${i}", O_WRONLY|O_CREAT|O_SYNC, 0600) = 3</w/${i}>`, 10, [line(1)]);
      files.call(1, `write(3</w/${i}>, ""..., 8192) = 8192`, 900, [line(2)]);
      files.call(1, `close(3</w/${i}>) = 0`, 1, [line(3)]);
    });
    expect(await codes(files)).toEqual([]);
    const large = opened('O_WRONLY|O_CREAT|O_SYNC');
    large.times(50, () => large.call(1, write(4 << 20), 500, [line(7)]));
    expect(await codes(large)).toEqual([]);
  });
});

describe('L34: small pieces past the page cache', () => {
  const transfers = (flags: string, bytes: number, offset: (i: number) => number): StraceText => {
    const text = opened(flags);
    return text.times(100, (i) =>
      text.call(1, `pread64(3</w/a>, ""..., ${bytes}, ${offset(i)}) = ${bytes}`, 100, [line(7)]),
    );
  };

  test('one behind the other', async () => {
    const { message, sites } = await find(
      'L34',
      transfers('O_RDONLY|O_DIRECT', 4096, (i) => i * 4096),
    );
    expect(message).toMatch(/^100 reads of 4 KiB with O_DIRECT, one behind the other in the file, cost about /);
    expect(sites[0]!.events).toBe(100);
  });

  test('not large ones, not through the page cache, and not from all over the file: they cannot be joined', async () => {
    expect(await codes(transfers('O_RDONLY|O_DIRECT', 1 << 20, (i) => i << 20))).not.toContain('L34');
    expect(await codes(transfers('O_RDONLY', 4096, (i) => i * 4096))).not.toContain('L34');
    const scattered = transfers('O_RDONLY|O_DIRECT', 4096, (i) => ((i * 61) % 100) * 8192);
    expect(await codes(scattered)).not.toContain('L34');
  });
});

describe('L35: small copies inside the kernel', () => {
  const small: Record<string, (i: number) => string> = {
    sendfile: () => 'sendfile(4</w/out>, 3</w/in>, NULL, 512) = 512',
    copy_file_range: () => 'copy_file_range(3</w/in>, NULL, 4</w/out>, NULL, 512, 0) = 512',
    'splice from a file': () => 'splice(3</w/in>, NULL, 6<pipe:[7]>, NULL, 512, 0) = 512',
    'splice to a file': () => 'splice(5<pipe:[7]>, NULL, 4</w/out>, NULL, 512, 0) = 512',
    'sendfile to a socket': () => 'sendfile(8<socket:[9]>, 3</w/in>, NULL, 512) = 512',
  };
  test.each(Object.entries(small))('%s', async (_name, call) => {
    const text = new StraceText();
    text.times(60, (i) => text.call(1, call(i), 20, [line(9)]));
    const { message, sites, evidence } = await find('L35', text);
    expect(message).toMatch(
      /^60 copies of 512 B inside the kernel \(sendfile, copy_file_range, splice\) (cost about 1\d\d µs, 100 % of the run|take 100 % of this program's I\/O time)\.$/,
    );
    expect(sites.map(({ events, timeNs }) => [events, timeNs])).toEqual([[60, 1_200_000]]);
    expect(evidence['bytes']).toBe(60 * 512);
  });

  test('not large ones, and not one for each file', async () => {
    const large = new StraceText();
    large.times(60, () => large.call(1, 'sendfile(4</w/out>, 3</w/in>, NULL, 65536) = 65536', 20, [line(9)]));
    const files = new StraceText();
    files.times(60, (i) => files.call(1, `sendfile(4</w/out${i}>, 3</w/in${i}>, NULL, 512) = 512`, 20, [line(9)]));
    expect([await codes(large), await codes(files)]).toEqual([[], []]);
  });
});

describe('L36 and L01: what has to be synchronised', () => {
  test('a file that takes the place of another, and its folder, each time', async () => {
    const text = new StraceText();
    text.times(40, () => {
      text.call(1, 'openat(AT_FDCWD, "/w/a.tmp", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</w/a.tmp>', 10, [line(1)]);
      text.call(1, 'write(3</w/a.tmp>, ""..., 20000) = 20000', 20, [line(2)]);
      text.call(1, 'fsync(3</w/a.tmp>) = 0', 5000, [line(3)]);
      text.call(1, 'close(3</w/a.tmp>) = 0', 10, [line(4)]);
      text.call(1, 'rename("/w/a.tmp", "/w/a") = 0', 50, [line(5)]);
      text.call(1, 'openat(AT_FDCWD, "/w", O_RDONLY) = 3</w>', 10, [line(6)]);
      text.call(1, 'fsync(3</w>) = 0', 5000, [line(7)]);
      text.call(1, 'close(3</w>) = 0', 10, [line(8)]);
    });
    expect(await codes(text)).toEqual([]);
  });

  test('not a data file that is synchronised again and again through a descriptor that writes', async () => {
    const text = opened('O_RDWR|O_CREAT');
    text.times(40, () => text.call(1, 'fsync(3</w/a>) = 0', 5000, [line(3)]));
    expect(await codes(text)).toContain('L36');
  });
});

describe('L36: synchronising too often in general', () => {
  /** A synchronisation after so many writes of 4 KiB, with a share of the time. */
  const synchronised = (writes: number, call: string, microseconds: number, times = 40): StraceText => {
    const text = opened('O_WRONLY|O_CREAT');
    return text.times(times, () => {
      text.times(writes, () => text.call(1, write(4096), 5, [line(3)]));
      text.call(1, call, microseconds, [line(4)]);
    });
  };

  test('after every 64 writes, by its share of the time', async () => {
    const { message, sites, severity } = await find('L36', synchronised(64, 'fsync(3</w/a>) = 0', 200));
    expect(message).toMatch(
      /^39 synchronisations of files that had been synchronised before, each after 64 writes on average,/,
    );
    expect([sites.length, sites[0]!.events, severity]).toEqual([1, 39, 'high']);
    expect(await codes(synchronised(64, 'fsync(3</w/a>) = 0', 3))).toEqual([]);
  });

  test('after every write it is L01 alone', async () => {
    expect(await codes(synchronised(1, 'fdatasync(3</w/a>) = 0', 200))).toEqual(['L01']);
  });

  test('not few, and not where much is written in between: the time is that of the data', async () => {
    expect(await codes(synchronised(64, 'fsync(3</w/a>) = 0', 5000, 8))).toEqual([]);
    expect(await codes(synchronised(300, 'fsync(3</w/a>) = 0', 5000, 12))).toEqual([]);
  });

  test('msync of a mapped file is a synchronisation of that file', async () => {
    const text = opened('O_RDWR|O_CREAT');
    text.call(1, 'mmap(NULL, 1048576, PROT_READ|PROT_WRITE, MAP_SHARED, 3</w/a>, 0) = 0x7a0000000000', 10, [line(2)]);
    text.times(40, (i) =>
      text.call(1, `msync(0x${(0x7a0000000000 + i * 4096).toString(16)}, 4096, MS_SYNC) = 0`, 200, [line(5)]),
    );
    const { sites, files } = await find('L36', text);
    expect([sites[0]!.events, files.length]).toEqual([39, 1]);
  });
});

describe('L39: records that are made safe before something goes on', () => {
  const record = 'write(3</w/log>, ""..., 256) = 256';
  const safe = 'fdatasync(3</w/log>) = 0';

  function rounds(count: number, calls: readonly string[]): StraceText {
    const text = new StraceText();
    return text.times(count, () =>
      calls.forEach((call, i) => text.call(1, call, call.includes('sync') ? 2000 : 10, [line(i + 1)])),
    );
  }

  test.each([
    ['a pipe', 'write(5<pipe:[9]>, "k", 1) = 1'],
    ['a socket', 'sendto(5<socket:[9]>, "ok", 2, 0, NULL, 0) = 2'],
    ['a terminal', 'write(1</dev/pts/0>, "ok", 2) = 2'],
    ['standard output, which is a file', 'write(1</w/job.out>, "ok", 2) = 2'],
    ['a thread that sleeps', 'write(5<anon_inode:[eventfd]>, "k", 8) = 8'],
  ])('%s is told of each', async (_who, told) => {
    const text = rounds(40, [record, safe, told]);
    const { evidence, sites, recommendations } = await find('L39', text);
    expect(evidence).toMatchObject({ count: 40, acknowledged: 40, ordered: 0 });
    expect(sites).toHaveLength(1);
    expect(recommendations[0]!.text).toContain('group commit');
    const found = await codes(text);
    for (const code of ['L01', 'L36']) expect(found).not.toContain(code);
  });

  test('whoever is told asks again only then: nothing can be joined, so it is no more than a remark', async () => {
    const ask = 'read(6<pipe:[8]>, "r", 256) = 256';
    const tell = (to: number): string => `write(${to}<pipe:[${to}]>, "k", 1) = 1`;
    const alone = await find('L39', rounds(40, [ask, record, safe, tell(9)]));
    expect(alone).toMatchObject({ severity: 'info', sites: [{ severity: 'info' }] });
    expect(alone.recommendations[0]!.text).toContain('one record at a time');
    const several = await find('L39', rounds(20, [ask, record, safe, tell(9), ask, record, safe, tell(10)]));
    expect(several.severity).toBe('high');
    expect(several.recommendations[0]!.text).toContain('group commit');
    // Two threads of a server, each of which answers one client: two records may have to be made safe at a time.
    const threads = new StraceText();
    for (let round = 0; round < 20; round++)
      for (const thread of [1, 2])
        for (const [i, call] of [ask, record, safe, tell(8 + thread)].entries())
          threads.call(thread, call, call === safe ? 2000 : 10, [line(i + 1)]);
    const server = await find('L39', threads);
    expect(server.severity).toBe('high');
    expect(server.recommendations[0]!.text).not.toContain('one record at a time');
  });

  test('a journal stands before its data', async () => {
    const data = ['pwrite64(4</w/table>, ""..., 4096, 0) = 4096', 'fsync(4</w/table>) = 0'];
    const text = rounds(40, [record, safe, ...data]);
    const { evidence, message, recommendations } = await find('L39', text);
    expect(evidence).toMatchObject({ count: 80, acknowledged: 0, ordered: 79 });
    expect(message).toContain('behind 79 of them another file is written and synchronised');
    const advice = recommendations.map((each) => `${each.text} ${each.snippet?.title ?? ''}`).join('\n');
    expect(advice).toMatch(/keep the order and make several safe together \(group commit\)/);
    expect(advice).not.toMatch(/^Synchronise once|Synchronise once, at the end/m);
    const found = await codes(text);
    for (const code of ['L01', 'L36']) expect(found).not.toContain(code);
  });

  test('where nobody is told the advice is to synchronise once', async () => {
    const { recommendations } = await find('L01', rounds(40, [record, safe]));
    expect(recommendations[0]!.text).toMatch(/^Synchronise once, when the data must be safe/);
    expect(await codes(rounds(40, [record, safe]))).not.toContain('L39');
  });

  test('what is told before the data are safe is no acknowledgement', async () => {
    const found = await codes(rounds(40, [record, 'write(5<pipe:[9]>, "k", 1) = 1', safe]));
    expect(found).toContain('L01');
    expect(found).not.toContain('L39');
  });

  test('a checkpoint of much data is no record, whoever is told of it', async () => {
    const block = 'write(3</w/log>, ""..., 1048576) = 1048576';
    const found = await codes(
      rounds(40, [...Array.from({ length: 8 }, () => block), safe, 'write(1</dev/pts/0>, "ok", 2) = 2']),
    );
    expect(found).not.toContain('L39');
  });
});
