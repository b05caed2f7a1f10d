import type { PackedSource, RecordingFile } from '../../trace/byte-source.ts';
import { decompressed, isCompressed, type PositionedStream } from '../reading/compression/decompress.ts';
import { PackedBytes } from '../reading/compression/unpack.ts';
import { MemorySource } from './local-source.ts';
import { streamAt } from '../reading/recording-files.ts';

/** A file whose stored bytes stand in memory: what a file server gave once is not asked for again. */
export class KeptFile implements RecordingFile {
  readonly name: string;
  readonly size: number;

  constructor(
    readonly path: string,
    readonly bytes: Uint8Array,
  ) {
    this.name = path.split('/').at(-1)!;
    this.size = bytes.length;
  }

  open(): Promise<PositionedStream> {
    return decompressed(new KeptStream(this.bytes), this.size);
  }

  async openAt(): Promise<PackedSource> {
    const source = MemorySource.of(this.bytes);
    return (await isCompressed(source)) ? streamAt(await this.open()) : new PackedBytes(source);
  }
}

class KeptStream implements PositionedStream {
  position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  read(target: Uint8Array): Promise<number> {
    const part = this.bytes.subarray(this.position, this.position + target.length);
    target.set(part);
    this.position += part.length;
    return Promise.resolve(part.length);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
