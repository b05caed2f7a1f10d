/**
 * Where the chunks of an event table stand in its store. A chunk that a snapshot of the table reads is not overwritten:
 * what was filled in since goes to another slot.
 */
export class ChunkSlots {
  private readonly slotOf: (number | undefined)[] = [];
  private next = 0;
  /** Chunks whose slot nobody else reads. */
  private readonly own = new Set<number>();
  /** Slots that the last snapshot reads, and no longer this table. */
  private leftNow: number[] = [];
  /** Those that only the snapshot before it reads. */
  private leftBefore: number[] = [];
  private readonly free: number[] = [];

  constructor(private readonly chunkBytes: number) {}

  /** @throws Error when the chunk was never written. */
  positionOf(chunk: number): number {
    const slot = this.slotOf[chunk];
    if (slot === undefined) throw new Error('this part of the events was never put aside');
    return slot * this.chunkBytes;
  }

  /** The position that a chunk is to be written at. */
  place(chunk: number): number {
    if (!this.own.has(chunk)) {
      const left = this.slotOf[chunk];
      if (left !== undefined) this.leftNow.push(left);
      this.slotOf[chunk] = this.free.pop() ?? this.next++;
      this.own.add(chunk);
    }
    return this.positionOf(chunk);
  }

  /** Begins as another table's places stand now. */
  copy(other: ChunkSlots): void {
    this.slotOf.push(...other.slotOf);
  }

  /** A snapshot reads all slots from now on; the one before the last is no longer used. */
  share(): void {
    this.free.push(...this.leftBefore);
    this.leftBefore = this.leftNow;
    this.leftNow = [];
    this.own.clear();
  }
}
