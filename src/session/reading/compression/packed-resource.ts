import { XzReadableStream } from 'xz-decompress';

const MAGIC = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00);

/**
 * A file that comes with the program, unpacked when the package holds it as xz: tables of grammars become half of what the
 * package's own deflate makes of them (scripts/build.mjs).
 */
export async function unpackedResource(stored: Uint8Array): Promise<Uint8Array> {
  if (!MAGIC.every((byte, i) => stored[i] === byte)) return stored;
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(stored);
      controller.close();
    },
  });
  return new Uint8Array(await new Response(new XzReadableStream(pieces)).arrayBuffer());
}
