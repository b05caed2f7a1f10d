import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memoryFile, streamedFile } from '../../../../test/support/memory-file.ts';
import { decompressed } from './decompress.ts';

/** About 2 MB that look like a recording, every part of it as hard to pack as the others. */
let state = 1;
const random = (below: number): number => (state = (state * 48271) % 2147483647) % below;
const text = Buffer.from(
  Array.from({ length: 20_000 }, (_, n) => {
    const bytes = random(65_536);
    return `7 1795252180.${String(n).padStart(6, '0')} write(3</tmp/x>, "abc"..., ${bytes}) = ${bytes} <0.0000${10 + random(90)}>\n`;
  }).join(''),
);

async function unpacked(stored: Uint8Array): Promise<{ bytes: Buffer; error: string; stored: number }> {
  const stream = await decompressed(await memoryFile('x', stored).open());
  const pieces: Buffer[] = [];
  let error = '';
  try {
    for (;;) {
      const target = Buffer.alloc(100_000);
      const length = await stream.read(target);
      if (length === 0) break;
      pieces.push(target.subarray(0, length));
    }
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  await stream.close();
  return { bytes: Buffer.concat(pieces), error, stored: stream.position };
}

function tool(name: string, args: readonly string[], input: Uint8Array): Buffer {
  return execFileSync(name, args, { input, maxBuffer: 1 << 28 });
}

function has(name: string): boolean {
  try {
    tool(name, ['--version'], Buffer.alloc(0));
    return true;
  } catch {
    return false;
  }
}

const FORMATS: readonly (readonly [name: string, pack: (bytes: Uint8Array) => Buffer, available: boolean])[] = [
  ['gzip', (bytes) => gzipSync(bytes), true],
  ['xz', (bytes) => tool('xz', ['-c'], bytes), has('xz')],
  ['xz of many blocks', (bytes) => tool('xz', ['-c', '--block-size=100000'], bytes), has('xz')],
  ['bzip2', (bytes) => tool('bzip2', ['-c'], bytes), has('bzip2')],
  ['bzip2 of small blocks', (bytes) => tool('bzip2', ['-1', '-c'], bytes), has('bzip2')],
  ['zstd', (bytes) => tool('zstd', ['-q', '-c'], bytes), has('zstd')],
  ['zstd of the highest level', (bytes) => tool('zstd', ['-q', '-19', '-c', '--no-check'], bytes), has('zstd')],
];

describe.each(FORMATS)('%s', (name, pack, available) => {
  test.skipIf(!available)('gives the same bytes', async () => {
    const stored = pack(text);
    const { bytes, error, stored: position } = await unpacked(stored);
    expect(error).toBe('');
    expect(bytes.equals(text)).toBe(true);
    expect(position).toBe(stored.length);
  });

  test.skipIf(!available)('several parts one behind the other', async () => {
    const parts = [text.subarray(0, 1000), text.subarray(1000, 500_000), new Uint8Array(), text.subarray(500_000)];
    const { bytes, error } = await unpacked(Buffer.concat(parts.map(pack)));
    expect(error).toBe('');
    expect(bytes.equals(text)).toBe(true);
  });

  test.skipIf(!available)('cut in the middle keeps what was sound and says so', async () => {
    const stored = pack(text);
    const { bytes, error } = await unpacked(stored.subarray(0, Math.floor(stored.length * 0.9)));
    expect(error).toMatch(/end in the middle: the file was cut off$/);
    expect(bytes.equals(text.subarray(0, bytes.length))).toBe(true);
    // bzip2 knows a block (900 kB) only as a whole, the others get nearly to the end.
    expect(bytes.length).toBeGreaterThan(name === 'bzip2' ? 800_000 : text.length * 0.8);
  });

  test.skipIf(!available)('a changed byte keeps what stands before it', async () => {
    const stored = Buffer.from(pack(text));
    stored.fill(0x5a, Math.floor(stored.length * 0.7), Math.floor(stored.length * 0.7) + 40);
    const { bytes, error } = await unpacked(stored);
    const kept = Math.floor(text.length * (name.startsWith('bzip2') ? 0.4 : 0.6));
    expect(bytes.subarray(0, kept).equals(text.subarray(0, kept))).toBe(true);
    // Without checksums data of zstd may decode to something else.
    if (!name.startsWith('zstd of')) expect(error).toContain('damaged');
  });

  test.skipIf(!available)('nothing at all', async () => {
    const { bytes, error } = await unpacked(pack(new Uint8Array()));
    expect([bytes.length, error]).toEqual([0, '']);
  });

  test.skipIf(!available || name.includes(' of '))(
    'a bomb does not fill the memory',
    async () => {
      // 32 MiB of zeros, eight times: some hundred bytes (gzip: a quarter of a megabyte) become 256 MiB.
      const piece = pack(new Uint8Array(1 << 25));
      const stream = await decompressed(
        await streamedFile(
          'x',
          0,
          Array.from({ length: 8 }, () => piece),
        ).open(),
      );
      const target = Buffer.alloc(1 << 20);
      const before = process.memoryUsage().rss;
      let most = 0;
      let total = 0;
      for (;;) {
        const length = await stream.read(target);
        if (length === 0) break;
        total += length;
        most = Math.max(most, process.memoryUsage().rss - before);
      }
      await stream.close();
      expect(total).toBe(2 ** 28);
      expect(most).toBeLessThan(180e6);
    },
    60_000,
  );
});

test('what only looks compressed is left as it is', async () => {
  for (const content of ['BZhello', '', 'x', '\u001f', '7 write(1, "", 0) = 0\n']) {
    expect((await unpacked(Buffer.from(content, 'latin1'))).bytes.toString('latin1')).toBe(content);
  }
});

test('bytes behind the end of the data are reported', async () => {
  const behind = Buffer.from('these are no compressed data at all');
  for (const [name, pack, available] of FORMATS) {
    if (!available || name.startsWith('gzip')) continue;
    const { bytes, error } = await unpacked(Buffer.concat([pack(text), behind]));
    expect(error, name).toMatch(/damaged|follow/);
    // The last two kilobytes of xz data are unpacked at once or not at all.
    const kept = name.startsWith('xz') ? Math.floor(text.length * 0.95) : text.length;
    expect(bytes.subarray(0, kept).equals(text.subarray(0, kept)), name).toBe(true);
  }
});

test.skipIf(!has('zstd'))('a zstd frame with a wrong checksum is told, and what stands behind it is read', async () => {
  const [first, second] = [text.subarray(0, 300_000), text.subarray(300_000)].map((part) =>
    tool('zstd', ['-q', '-c'], part),
  );
  const damaged = Buffer.from(first!);
  // The checksum is the last of a frame: the content is sound, which nobody can know.
  damaged[damaged.length - 1]! ^= 1;
  const { bytes, error } = await unpacked(Buffer.concat([damaged, second!]));
  expect(bytes.equals(text)).toBe(true);
  expect(error).toContain('damaged (wrong checksum of a frame)');
});

test('a zstd header that asks for gigabytes is refused', async () => {
  const { error } = await unpacked(
    Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  );
  expect(error).toContain('more than 128 MiB');
});
