import { XzReadableStream } from 'xz-decompress';
import { cutOff, DamagedError, type StoredBytes } from './stored-bytes.ts';

const MAGIC = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00);
/** Little, because what a piece unpacks to is lost when something in it is wrong. */
const PIECE_BYTES = 2048;

/**
 * Unpacks xz, also of several streams one behind the other. The package ends with the first stream and does not say what
 * it left over, so the stored bytes are cut in front of everything that may be the beginning of a stream.
 */
export async function* unxzed(stored: StoredBytes): AsyncGenerator<Uint8Array> {
  let piece = await nextPiece(stored);
  while (piece !== undefined) {
    if (!beginsStream(piece)) {
      if (piece.some((byte) => byte !== 0)) throw new DamagedError('bytes that are no xz data follow');
      piece = await nextPiece(stored); // Padding.
      continue;
    }
    yield* oneStream(stored, piece);
    piece = await nextPiece(stored);
  }
}

async function* oneStream(stored: StoredBytes, first: Uint8Array): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array | undefined = first;
  const input = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = waiting ?? (await nextPiece(stored));
        waiting = undefined;
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    },
    // Nothing is read ahead: it would be lost for the next stream.
    { highWaterMark: 0 },
  );
  const reader = new XzReadableStream(input).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw inWords(error);
      });
      if (done) return;
      if (value.length > 0) yield value;
    }
  } finally {
    // Unless it is told, the package keeps its one decoder for this stream.
    await reader.cancel().catch(() => undefined);
  }
}

function beginsStream(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

function indexOfMagic(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(MAGIC[0]!, from); at >= 0; at = bytes.indexOf(MAGIC[0]!, at + 1))
    if (beginsStream(bytes.subarray(at))) return at;
  return -1;
}

/** The next stored bytes, up to where a stream may begin. */
async function nextPiece(stored: StoredBytes): Promise<Uint8Array | undefined> {
  const bytes = await stored.take(PIECE_BYTES);
  if (bytes.length === 0) return undefined;
  let cut = indexOfMagic(bytes, 1);
  // The beginning of the mark may stand at the end of the piece.
  if (cut < 0) cut = bytes.length === PIECE_BYTES ? bytes.length - MAGIC.length + 1 : bytes.length;
  stored.putBack(bytes.subarray(cut));
  return bytes.subarray(0, cut);
}

/** Results of xz-embedded (xz.h). */
const MEMORY_LIMIT = 4;
const OPTIONS = 6;
const BUFFER = 8;

function inWords(error: unknown): Error {
  const code = Number(/error code (\d+)/.exec(String(error))?.[1] ?? NaN);
  if (code === BUFFER) return cutOff('xz');
  if (code === OPTIONS || code === MEMORY_LIMIT) {
    return new DamagedError('the xz data use a check, filter or dictionary that is not supported: unpack them first');
  }
  return Number.isNaN(code) ? new DamagedError(String(error)) : new DamagedError('the xz data are damaged');
}
