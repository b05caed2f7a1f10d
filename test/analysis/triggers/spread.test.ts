import { describe, expect, test } from 'vitest';
import { codes, find } from '../../support/analysed-text.ts';
import { frame, line, StraceText } from '../../support/strace-text.ts';

/** One pattern that is spread over many places, each of which is too small to count: its sum is what matters. */

/** Records that are made safe one by one, from so many lines, beside other I/O that is as it should be. */
function manyFunctions(places: number, otherMicroseconds: number): StraceText {
  const text = new StraceText();
  text.times(places, (place) =>
    text.times(12, () => {
      text.call(1, 'write(3</w/a>, ""..., 20) = 20', 1, [line(1000 + 2 * place)]);
      text.call(1, 'fsync(3</w/a>) = 0', 100, [line(1001 + 2 * place)]);
    }),
  );
  return text.call(1, 'write(4</w/b>, ""..., 1073741824) = 1073741824', otherMicroseconds, [line(1)]);
}

describe('over many lines', () => {
  test('the finding names all of them, the dearest first, and says how many', async () => {
    const text = manyFunctions(150, 1);
    text.call(1, 'write(3</w/a>, ""..., 20) = 20', 1, [line(2000)]);
    text.call(1, 'fsync(3</w/a>) = 0', 5000, [line(1049)]);
    const { message, sites, evidence, severity } = await find('L01', text);
    expect(message).toMatch(
      /^1,801 synchronisations, each after one write, from 150 places cost about \S+ ms, 9\d % of the run\.$/,
    );
    expect([sites.length, evidence['count'], severity]).toEqual([150, 1801, 'high']);
    expect(sites[0]!.timeNs).toBe(12 * 100_000 + 5_000_000);
    expect(Math.max(...sites.map(({ shareOfTime }) => shareOfTime))).toBeLessThan(0.05);
  });

  test('from pattern_share of the I/O time on', async () => {
    // 150 × 12 × 100 µs are 180 ms.
    expect(await codes(manyFunctions(150, 1_500_000))).toContain('L01');
    expect(await codes(manyFunctions(150, 1_700_000))).not.toContain('L01');
    expect(await codes(manyFunctions(150, 1_500_000), { pattern_share: 0.2 })).not.toContain('L01');
  });

  test('a place that is no such pattern is not mixed in', async () => {
    const text = manyFunctions(30, 1);
    text.times(12, () => {
      text.times(64, () => text.call(1, 'write(5</w/c>, ""..., 4096) = 4096', 1, [line(5)]));
      text.call(1, 'fsync(5</w/c>) = 0', 10, [line(6)]);
    });
    const { sites, evidence } = await find('L01', text);
    expect([sites.length, evidence['count']]).toEqual([30, 360]);
  });

  test('small files that many functions create', async () => {
    const text = new StraceText();
    text.times(1200, (i) => {
      text.call(1, `openat(AT_FDCWD, "/w/${i}", O_WRONLY|O_CREAT, 0600) = 3</w/${i}>`, 90, [line(100 + (i % 40))]);
      text.call(1, `write(3</w/${i}>, ""..., 100) = 100`, 1, [line(200 + (i % 40))]);
      text.call(1, `close(3</w/${i}>) = 0`, 1, [line(300 + (i % 40))]);
    });
    const { sites, evidence } = await find('L10', text);
    expect([sites.length, evidence['count']]).toEqual([40, 1200]);
  });
});

test('what an interpreter asks for beside the program is not added up', async () => {
  const text = new StraceText();
  text.times(400, (i) =>
    text.call(1, `newfstatat(AT_FDCWD, "/w/modules/${i}", 0x7ff, 0) = -1 ENOENT (No such file or directory)`, 10, [
      frame('libpython3.11.so', 'import_find'),
    ]),
  );
  text.call(1, 'write(4</w/b>, ""..., 1048576) = 1048576', 100, [line(1)]);
  expect(await codes(text)).toEqual([]);
});

describe('over many files, where nothing is known of lines', () => {
  const inFiles = (files: number, calls: number): StraceText => {
    const text = new StraceText();
    return text.times(calls, (i) => {
      const place = `${3 + (i % files)}</w/${i % files}>`;
      text.call(1, `pwrite64(${place}, ""..., 64, ${Math.floor(i / files) * 64}) = 64`, 10);
    });
  };

  test.each([19, 21, 100])('%i files', async (files) => {
    const { message, severity, files: named, evidence, recommendations } = await find('P06', inFiles(files, 6000));
    expect(message).toMatch(
      new RegExp(`^6,000 writes of 64 B in ${files} files cost about [345]\\.\\d+ ms, 100 % of the run\\.`),
    );
    expect([severity, named.length, evidence['count']]).toEqual(['high', files, 6000]);
    if (files > 20) expect(recommendations[0]!.text).toContain(`makes ${files} calls of these 6,000.`);
  });

  test('small files, one write each', async () => {
    const text = new StraceText();
    text.times(1200, (i) => {
      text.call(1, `openat(AT_FDCWD, "/w/${i}", O_WRONLY|O_CREAT, 0600) = 3</w/${i}>`, 90);
      text.call(1, `write(3</w/${i}>, ""..., 100) = 100`, 1);
      text.call(1, `close(3</w/${i}>) = 0`, 1);
    });
    expect((await find('L10', text)).evidence['count']).toBe(1200);
  });
});
