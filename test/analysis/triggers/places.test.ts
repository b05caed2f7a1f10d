import { describe, expect, test } from 'vitest';
import { at, codes, find, KiB } from '../../support/analysed-text.ts';
import { line, StraceText } from '../../support/strace-text.ts';

/** Where accesses lie in the file, and whether anything could join or sort them. */
const WRITER = [line(3)];

describe('P13 and P11: all over the file', () => {
  test('not writes that go forwards and leave holes of any size', async () => {
    const sparse = new StraceText();
    const scattered = new StraceText();
    let offset = 0;
    sparse.times(1500, (i) => {
      offset += 4 * KiB * (2 + ((i * 37) % 60));
      sparse.call(1, at('write', '/w/a', offset, 4 * KiB), 20, WRITER);
    });
    scattered.times(1500, (i) =>
      scattered.call(1, at('write', '/w/a', ((i * 7919) % 1500) * 8 * KiB, 4 * KiB), 20, WRITER),
    );
    expect(await codes(sparse)).not.toContain('P13');
    expect(await codes(scattered)).toContain('P13');
  });

  test('reads that go forwards are not told to be sorted', async () => {
    const text = new StraceText();
    text.times(200, (i) => text.call(1, at('read', '/w/a', i * i * KiB, 100), 20, WRITER));
    const { message, recommendations } = await find('P11', text);
    expect(message).toContain('that leave gaps of all sizes');
    expect(recommendations[0]!.text).not.toContain('sort');
  });

  test('not a header that is written anew after each record, nor its records: the same bytes are written again', async () => {
    const text = new StraceText();
    text.times(400, (i) => {
      text.call(1, at('write', '/w/a', 16 + 64 * i, 64), 20, [line(10)]);
      text.call(1, at('write', '/w/a', 0, 16), 20, [line(9)]);
    });
    const found = await codes(text);
    expect(found).toContain('P10');
    expect(found).not.toContain('P13');
  });
});

describe('P05: reads that no buffer joins', () => {
  const opens = 'openat(AT_FDCWD, "/w/counter", O_RDWR) = 3</w/counter>';
  const closes = 'close(3</w/counter>) = 0';

  test.each([
    ['what is left of the file', 'pread64(3</w/counter>, "41\\n", 31, 0) = 3'],
    ['as much as was asked for', 'pread64(3</w/counter>, "\\1\\0\\0\\0", 4, 0) = 4'],
  ])('a counter that is opened, read and written each time: %s', async (_what, read) => {
    const text = new StraceText();
    text.times(400, () => {
      text.call(1, opens, 5, WRITER).call(1, read, 50, WRITER);
      text.call(1, at('write', '/w/counter', 0, 4), 20, WRITER).call(1, closes, 5, WRITER);
    });
    const found = await codes(text);
    expect(found).not.toContain('P05');
  });

  test('a counter that several processes count on: nor are its reads and writes to be divided', async () => {
    const text = new StraceText();
    for (const process of [1, 2]) text.call(process, opens, 5, WRITER);
    text.times(1200, (i) => {
      const process = 1 + (i % 2);
      text.call(process, at('read', '/w/counter', 0, 4), 50, WRITER);
      text.call(process, at('write', '/w/counter', 0, 4), 50, WRITER);
    });
    const found = await codes(text);
    for (const code of ['P05', 'P15', 'P16']) expect(found).not.toContain(code);
  });

  test('what is new at the end of a file that grows', async () => {
    const text = new StraceText();
    text.times(200, () => {
      text.call(2, 'write(4</w/log>, ""..., 8) = 8', 5, [line(7)]);
      text.call(1, 'read(3</w/log>, ""..., 256) = 8', 50, WRITER);
      text.call(1, 'read(3</w/log>, "", 256) = 0', 5, WRITER);
    });
    expect(await codes(text)).not.toContain('P05');
  });
});

describe('seeks that no access follows', () => {
  const OPENS = 'openat(AT_FDCWD, "/w/text", O_RDONLY) = 3</w/text>';
  const asks = (text: StraceText, i: number): StraceText =>
    text.call(1, `lseek(3</w/text>, 0, SEEK_CUR) = ${i}`, 20, WRITER);

  test('L46: the place is asked for before each line that a buffer holds', async () => {
    const text = new StraceText().call(1, OPENS, 20, WRITER);
    text.times(400, (i) => {
      asks(text, i);
      if (i % 100 === 0) text.call(1, 'read(3</w/text>, ""..., 8192) = 8192', 20, WRITER);
    });
    const { evidence, message } = await find('L46', text);
    expect(evidence['count']).toBe(399 - 4);
    expect(message).toContain('395 seeks that another seek follows, with no read or write in between,');
  });

  test('a language that asks where it is in a file that it has just opened seeks nothing', async () => {
    const text = new StraceText();
    text.times(400, () => {
      text.call(1, OPENS.replace('O_RDONLY', 'O_WRONLY|O_TRUNC'), 20, WRITER);
      asks(text, 0).call(1, 'write(3</w/text>, ""..., 5000) = 5000', 20, WRITER);
      text.call(1, 'close(3</w/text>) = 0', 20, WRITER);
    });
    const found = await codes(text);
    expect(found).toContain('L02');
    expect(found).not.toContain('L03');
  });

  test('not where each of them leads to an access, nor where the file is opened each time', async () => {
    const leading = new StraceText().call(1, OPENS, 20, WRITER);
    leading.times(400, (i) => asks(leading, i).call(1, 'read(3</w/text>, ""..., 100) = 100', 20, WRITER));
    expect(await codes(leading)).not.toContain('L46');
    const opening = new StraceText();
    opening.times(400, (i) => {
      opening.call(1, OPENS, 20, WRITER);
      asks(asks(opening, i), i).call(1, 'close(3</w/text>) = 0', 20, WRITER);
    });
    const found = await codes(opening);
    expect(found).toContain('L02');
    expect(found).not.toContain('L46');
  });
});

test.each([
  [4 * KiB, 0, 'with its gaps in one piece'],
  [4 * KiB, 2 ** 30, 'with its gaps in one piece'],
  [64 * KiB, 0, 'Store what is read together side by side'],
])('L07: reads of 64 B every %i bytes from %i on', async (distance, first, advice) => {
  const text = new StraceText();
  text.times(400, (i) => text.call(1, at('read', '/w/a', first + i * distance, 64), 20, WRITER));
  const { recommendations } = await find('L07', text);
  expect(recommendations[0]!.text).toContain(advice);
});
