import { machine } from '#machine';
import type { ByteStream, GrowingFile } from '../../trace/byte-source.ts';
import type { OpenFile } from '../machine/machine.ts';
import type { FileState } from './watched-files.ts';

/** Bytes at the beginning, and in front of the place that was read up to, by which a file is known again. */
const KNOWN_BYTES = 128;

/**
 * A file of this machine that is being written. It is open only while its bytes are read: a recording may have thousands,
 * and what has the name now may be another file than before.
 */
export class LocalGrowingFile implements GrowingFile {
  readonly name: string;
  readonly stream: ByteStream;
  /** Bytes that were read. */
  private position = 0;
  /** Bytes that the file had at the last look: a step must end, however fast the file grows. */
  private size = 0;
  private identity = '';
  /** The first bytes of the file, which hold the first time or pid, and the last that were read. */
  private head = new Uint8Array();
  private tail = new Uint8Array();
  private open: OpenFile | undefined;

  constructor(readonly path: string) {
    this.name = path.split('/').at(-1)!;
    this.stream = { read: (target) => this.read(target), close: () => this.close() };
  }

  get more(): number {
    return this.size - this.position;
  }

  /** Takes note of what a look at the file showed. @returns false when it is no longer the file that was read so far. */
  async see({ size, identity }: FileState): Promise<boolean> {
    if (this.identity === '') this.identity = identity;
    if (identity !== this.identity || size < this.position) return false;
    if (size > this.size && !(await this.isKnown())) return false;
    this.size = size;
    return true;
  }

  goBack(position: number): void {
    const back = this.position - position;
    this.position = position;
    // What is read again may be another than before: it was not whole.
    this.head = this.head.subarray(0, position);
    this.tail = this.tail.subarray(0, Math.max(0, this.tail.length - back));
  }

  /** Whether the bytes that were read stand where they were read. */
  private async isKnown(): Promise<boolean> {
    if (this.head.length === 0) return true;
    const file = await machine.files.open(this.path);
    const stands = async (position: number, bytes: Uint8Array): Promise<boolean> => {
      const found = new Uint8Array(bytes.length);
      const got = await file.read(position, found);
      return got === found.length && found.every((byte, i) => byte === bytes[i]);
    };
    try {
      return (await stands(0, this.head)) && (await stands(this.position - this.tail.length, this.tail));
    } finally {
      await file.close();
    }
  }

  private async read(target: Uint8Array): Promise<number> {
    const length = Math.min(target.length, this.more);
    if (length === 0) {
      await this.close();
      return 0;
    }
    this.open ??= await machine.files.open(this.path);
    const got = await this.open.read(this.position, target.subarray(0, length));
    this.position += got;
    // It became shorter since the look: the next one will say so.
    if (got === 0) this.size = this.position;
    this.remember(target.subarray(0, got));
    return got;
  }

  private remember(read: Uint8Array): void {
    if (this.head.length < KNOWN_BYTES)
      this.head = joined(this.head, read.subarray(0, KNOWN_BYTES)).subarray(0, KNOWN_BYTES);
    this.tail = joined(this.tail, read.subarray(-KNOWN_BYTES)).subarray(-KNOWN_BYTES);
  }

  private async close(): Promise<void> {
    const { open } = this;
    this.open = undefined;
    await open?.close();
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
