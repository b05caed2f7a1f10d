/** The two modules that `unbzip2-stream` is made of; it ships no types. */

declare module 'unbzip2-stream/lib/bit_iterator.js' {
  /** Reads bits of consecutive buffers, the most significant first; `null` goes on to the next whole byte. */
  export interface BitReader {
    (bits: number | null): number;
    /** Bytes that were begun. */
    readonly bytesRead: number;
  }
  const bitIterator: (nextBuffer: () => Uint8Array) => BitReader;
  export default bitIterator;
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  import type { BitReader } from 'unbzip2-stream/lib/bit_iterator.js';
  const bzip2: {
    /** Reads the beginning of a stream; returns the size of its blocks in 100,000 bytes. */
    header(bits: BitReader): number;
    /**
     * Unpacks one block.
     * @param check of the stream so far, 0 at its beginning.
     * @returns the new check; null when there was no further block.
     * @throws Error when the data or their check are wrong.
     */
    decompress(
      bits: BitReader,
      output: (byte: number) => void,
      symbols: Int32Array,
      room: number,
      check: number,
    ): number | null;
  };
  export default bzip2;
}
