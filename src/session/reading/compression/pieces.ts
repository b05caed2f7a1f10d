/** Hands chunks of any size out in the pieces that a reader has room for. */
export class Pieces {
  private rest: Uint8Array = new Uint8Array();

  constructor(private readonly chunks: AsyncIterator<Uint8Array>) {}

  /** @returns bytes that were put into `target`; 0 at the end. */
  async read(target: Uint8Array): Promise<number> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done === true) return 0;
      this.rest = next.value;
    }
    const length = Math.min(target.length, this.rest.length);
    target.set(this.rest.subarray(0, length));
    this.rest = this.rest.subarray(length);
    return length;
  }
}
