import { Decompress } from 'fzstd';
import xxhash, { type XXHash } from 'xxhash-wasm';
import { WrongChecksumError } from '../../../trace/byte-source.ts';
import { cutOff, DamagedError, type StoredBytes } from './stored-bytes.ts';

/** `zstd -d` takes no larger window either, unless it is told to: a header of 18 bytes could ask for 2 GB. */
const LARGEST_WINDOW = 1 << 27;

/**
 * Unpacks Zstandard frame by frame and block by block (RFC 8878, section 3.1.1), so that no more than a block (128 KiB) is
 * unpacked at once and a file that was cut is known as such. A frame whose checksum (section 3.1.1.1.1.4) is wrong is told
 * at the end: what stands behind it may be sound.
 */
export async function* unzstandarded(stored: StoredBytes): AsyncGenerator<Uint8Array> {
  const hashes = await xxhash();
  let wrong = 0;
  for (;;) {
    const magic = await stored.take(4);
    if (magic.length === 0) break;
    if (magic.length < 4) throw cutOff('Zstandard');
    if (isSkippable(magic)) {
      await skipFrame(stored);
      continue;
    }
    if (!isFrame(magic)) throw new DamagedError('bytes that are no Zstandard data follow');
    if (!(yield* frame(stored, magic, hashes.create64()))) wrong++;
  }
  if (wrong > 0) {
    const frames = wrong === 1 ? 'a frame' : `${wrong} frames`;
    throw new WrongChecksumError(`the Zstandard data are damaged (wrong checksum of ${frames})`);
  }
}

function isFrame(magic: Uint8Array): boolean {
  return magic[0] === 0x28 && magic[1] === 0xb5 && magic[2] === 0x2f && magic[3] === 0xfd;
}

function isSkippable(magic: Uint8Array): boolean {
  return (magic[0]! & 0xf0) === 0x50 && magic[1] === 0x2a && magic[2] === 0x4d && magic[3] === 0x18;
}

async function skipFrame(stored: StoredBytes): Promise<void> {
  let left = littleEndian(await wanted(stored, 4));
  while (left > 0) {
    const piece = await stored.piece(left);
    if (piece === undefined) throw cutOff('Zstandard');
    left -= piece.length;
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @returns whether what it gave is what was packed, as far as a checksum says. */
async function* frame(
  stored: StoredBytes,
  magic: Uint8Array,
  content: XXHash<bigint>,
): AsyncGenerator<Uint8Array, boolean> {
  const header = await frameHeader(stored);
  const ready: Uint8Array[] = [];
  const decoder = new Decompress((chunk) => ready.push(chunk));
  let parts = [magic, header.bytes];
  for (let last = false; !last;) {
    const blockHeader = await wanted(stored, 3);
    const size = littleEndian(blockHeader);
    last = (size & 1) === 1;
    // A block of type 1 is one byte that is repeated.
    const stands = ((size >> 1) & 3) === 1 ? 1 : size >> 3;
    if (stands > 1 << 17) throw new DamagedError('the Zstandard data are damaged (a block that is too large)');
    parts.push(blockHeader, await wanted(stored, stands));
    const checksum = last && header.hasChecksum ? await wanted(stored, 4) : undefined;
    if (checksum !== undefined) parts.push(checksum);
    try {
      decoder.push(joined(parts), last);
    } catch (error) {
      throw new DamagedError(`the Zstandard data are damaged (${error instanceof Error ? error.message : ''})`);
    }
    parts = [];
    for (const piece of ready.splice(0)) {
      content.update(piece);
      yield piece;
    }
    if (checksum !== undefined) return Number(content.digest() & 0xffffffffn) === littleEndian(checksum);
  }
  return true;
}

async function frameHeader(stored: StoredBytes): Promise<{ bytes: Uint8Array; hasChecksum: boolean }> {
  const [descriptor] = await wanted(stored, 1);
  const isSingleSegment = (descriptor! & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor! & 3]!;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor! >> 6]!;
  const rest = await wanted(stored, (isSingleSegment ? 0 : 1) + dictionary + sizeBytes);
  if (dictionary > 0) throw new DamagedError('the Zstandard data need a dictionary: unpack them first');
  const window = isSingleSegment ? littleEndian(rest) : windowOf(rest[0]!);
  if (window > LARGEST_WINDOW) {
    throw new DamagedError(
      'the Zstandard data need more than 128 MiB of memory: unpack them first (zstd -d --long=31)',
    );
  }
  return { bytes: Uint8Array.of(descriptor!, ...rest), hasChecksum: (descriptor! & 4) !== 0 };
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function littleEndian(bytes: Uint8Array): number {
  let value = 0;
  for (let i = bytes.length - 1; i >= 0; i--) value = value * 256 + bytes[i]!;
  return value;
}

async function wanted(stored: StoredBytes, length: number): Promise<Uint8Array> {
  const bytes = await stored.take(length);
  if (bytes.length < length) throw cutOff('Zstandard');
  return bytes;
}
