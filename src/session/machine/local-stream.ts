import { machine } from '#machine';
import type { ByteStream } from '../../trace/byte-source.ts';
import type { OpenFile } from './machine.ts';

/** A file of this machine as a stream of its bytes. */
export class LocalStream implements ByteStream {
  position = 0;

  private constructor(private readonly file: OpenFile) {}

  /**
   * Opens a regular file.
   * @throws Error in words for the user.
   */
  static async open(file: string): Promise<LocalStream> {
    return new LocalStream(await machine.files.open(file));
  }

  /** Bytes that the file had when it was opened. */
  get size(): number {
    return this.file.size;
  }

  async read(target: Uint8Array): Promise<number> {
    if (this.position === this.size && this.size > 0) return this.atEnd();
    const bytes = await this.file.read(this.position, target);
    this.position += bytes;
    return bytes === 0 ? this.atEnd() : bytes;
  }

  /** @throws Error when the file has become another since it was opened. */
  private atEnd(): number {
    const size = this.file.sizeNow;
    if (this.size === 0 || (size === this.size && this.position === size)) return 0;
    const what = size < this.size ? 'shrank' : 'grew';
    throw new Error(`the file ${what} while it was read, from ${this.size} to ${size} bytes`);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
