import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { UnpackError, type Packing } from '../../../trace/byte-source.ts';
import { MemorySource } from '../../machine/local-source.ts';
import { PackedBytes } from './unpack.ts';

const BEFORE = 1000;
const BEHIND = 500;

/** Unpacks what stands between other bytes. */
async function unpacked(
  packing: Packing,
  stored: Uint8Array,
): Promise<{ bytes: Buffer; error: UnpackError | undefined }> {
  const file = Buffer.concat([Buffer.alloc(BEFORE, 7), stored, Buffer.alloc(BEHIND, 9)]);
  const source = new PackedBytes(MemorySource.of(file));
  const pieces: Buffer[] = [];
  try {
    for await (const piece of source.unpack(packing, BEFORE, stored.length)) pieces.push(Buffer.from(piece));
    return { bytes: Buffer.concat(pieces), error: undefined };
  } catch (error) {
    return { bytes: Buffer.concat(pieces), error: error as UnpackError };
  }
}

/** Text that can be packed, every part of it unlike the others. */
const text = (bytes: number): Buffer => Buffer.from(randomBytes(bytes / 2).toString('hex'));
const long = text(6_000_000);
const pack = {
  zlib: (bytes: Uint8Array): Buffer => deflateSync(bytes),
  bzip2: (bytes: Uint8Array): Buffer => execFileSync('bzip2', ['-c'], { input: bytes, maxBuffer: 1 << 27 }),
  none: (bytes: Uint8Array): Buffer => Buffer.from(bytes),
};

describe.each(['zlib', 'bzip2', 'none'] as const)('%s', (packing) =>
  test.each([
    ['one long stream', [long]],
    [
      'streams of all lengths',
      [text(10), long, text(2000), Buffer.alloc(0), long.subarray(0, 1_500_000), text(70_000), text(2)],
    ],
    ['nothing', []],
  ])('%s', async (_, streams) => {
    const { bytes, error } = await unpacked(packing, Buffer.concat(streams.map(pack[packing])));
    expect(error).toBeUndefined();
    expect(bytes.equals(Buffer.concat(streams))).toBe(true);
  }),
);

test('two thousand tiny streams', async () => {
  const streams = Array.from({ length: 2048 }, (_, i) => Buffer.from(`stream ${i};`));
  const { bytes, error } = await unpacked('zlib', Buffer.concat(streams.map(pack.zlib)));
  expect(error).toBeUndefined();
  expect(bytes.toString()).toBe(Buffer.concat(streams).toString());
});

describe('damage', () => {
  test.each([1000, 100_000, 6_000_000])(
    'a stream of %i bytes that is cut: all in front of it is kept',
    async (length) => {
      const stream = deflateSync(long.subarray(0, length));
      const { bytes, error } = await unpacked('zlib', stream.subarray(0, Math.floor(stream.length * 0.9)));
      expect(error?.message).toMatch(/end in the middle/);
      expect(error?.next).toBeUndefined();
      expect(bytes.equals(long.subarray(0, bytes.length))).toBe(true);
      expect(bytes.length).toBeGreaterThan(length * 0.8);
    },
  );

  test('a stream that is damaged: the place of the next one is told', async () => {
    const [first, second, third] = [text(5000), long, text(80_000)].map(pack.zlib) as [Buffer, Buffer, Buffer];
    const damaged = Buffer.from(second);
    damaged.fill(0xff, 2_000_000, 2_000_100);
    const { bytes, error } = await unpacked('zlib', Buffer.concat([first, damaged, third]));
    expect(error).toBeInstanceOf(UnpackError);
    expect(error?.next).toBe(BEFORE + first.length + second.length);
    // Half of it is packed into three millions of bytes.
    expect(bytes.length).toBeGreaterThan(3_000_000);
  });

  test('a wrong checksum, and a stream that does not begin', async () => {
    const [first, second] = [text(3000), text(4000)].map(pack.zlib) as [Buffer, Buffer];
    const wrong = Buffer.from(first);
    wrong[wrong.length - 1]! ^= 1;
    const checked = await unpacked('zlib', Buffer.concat([wrong, second]));
    expect(checked.error?.message).toContain('checksum');
    expect(checked.error?.next).toBe(BEFORE + first.length);
    const begun = await unpacked('zlib', Buffer.concat([Buffer.from('no stream'), second]));
    expect(begun.bytes).toHaveLength(0);
    expect(begun.error?.next).toBe(BEFORE + 9);
  });
});

test('pieces that nobody asks for any more are not unpacked', async () => {
  const source = new PackedBytes(MemorySource.of(deflateSync(long)));
  const pieces = source.unpack('zlib', 0, source.size);
  const first = await pieces.next();
  expect((first.value as Uint8Array).length).toBeGreaterThan(0);
  await pieces.return(undefined);
  expect((await pieces.next()).done).toBe(true);
});
