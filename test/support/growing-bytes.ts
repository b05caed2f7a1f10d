import type { GrowingFile } from '../../src/trace/byte-source.ts';

/** A file in memory of which more and more is there. */
export class GrowingBytes implements GrowingFile {
  readonly path: string;
  private there = 0;
  private given = 0;
  /** Bytes that were handed out, each time that they were. */
  handedOut = 0;

  constructor(
    readonly name: string,
    private readonly bytes: Uint8Array,
  ) {
    this.path = name;
  }

  get more(): number {
    return this.there - this.given;
  }

  grow(to: number): void {
    this.there = Math.min(to, this.bytes.length);
  }

  goBack(position: number): void {
    this.given = position;
  }

  readonly stream = {
    read: (target: Uint8Array): Promise<number> => {
      const length = Math.min(target.length, this.more);
      target.set(this.bytes.subarray(this.given, this.given + length));
      this.given += length;
      this.handedOut += length;
      return Promise.resolve(length);
    },
    close: (): Promise<void> => Promise.resolve(),
  };
}
