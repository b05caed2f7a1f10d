import { describe, expect, test } from 'vitest';
import { at, codes, find, MiB } from '../../support/analysed-text.ts';
import { frame, line, StraceText } from '../../support/strace-text.ts';

/** Large writes, one behind the other, of which nothing is said. */
function largeWrites(): StraceText {
  const text = new StraceText();
  return text.times(10, (i) => text.call(1, at('write', '/w/a', i * MiB, MiB), 10, [line(1)]));
}

describe('L13: a pipe or socket moved byte by byte', () => {
  const bytes = (file: string, between = '', size = 1): StraceText => {
    const text = largeWrites();
    return text.times(150, () => {
      text.call(2, `read(4<${file}>, ""..., ${size}) = ${size}`, 10, [line(41)]);
      if (between !== '') text.call(2, between, 10, [line(42)]);
    });
  };
  test('speaks of a stream of bytes', async () => {
    for (const file of ['pipe:[77]', 'UNIX:[5->6]', 'TCP:[1]']) {
      const { sites, severity, evidence } = await find('L13', bytes(file));
      expect([sites.length, severity, evidence['medianBytes']]).toEqual([1, 'warn', 1]);
    }
  });
  test('as a share of all calls, also those on other pipes', async () => {
    const text = bytes('pipe:[77]');
    text.times(840, () => text.call(3, 'write(5<pipe:[78]>, ""..., 4096) = 4096', 10, [line(50)]));
    // The first of 150 follows nothing; 10 writes to a file.
    expect((await find('L13', text)).evidence['share']).toBeCloseTo(149 / 1000);
  });
  test('and not of signals, of messages, or of MPI’s own', async () => {
    expect(await codes(bytes('pipe:[77]', 'write(5</w/log>, ""..., 1048576) = 1048576'))).toEqual([]);
    expect(await codes(bytes('pipe:[77]', '', 64))).toEqual([]);
    expect(await codes(bytes('anon_inode:[eventfd]'))).toEqual([]);
    const text = largeWrites();
    text.times(150, () =>
      text.call(2, 'read(4<UNIX:[5]>, ""..., 8) = 8', 10, [frame('libmpi.so.40', 'PMPI_Send'), line(3)]),
    );
    expect(await codes(text)).toEqual([]);
  });
});
