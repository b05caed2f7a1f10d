/** Which events of a recording are selected. */
export interface EventMask {
  /** How many. */
  readonly count: number;
  /** @param event row of the event table. */
  has(event: number): boolean;
}

/** A set of events as one bit for each row. */
export class EventBits implements EventMask {
  private readonly words: Uint32Array;
  private set = 0;

  /** @param rows of the event table. */
  constructor(rows: number) {
    this.words = new Uint32Array((rows + 31) >>> 5);
  }

  get count(): number {
    return this.set;
  }

  has(event: number): boolean {
    return (this.words[event >>> 5]! & (1 << (event & 31))) !== 0;
  }

  add(event: number): void {
    const bit = 1 << (event & 31);
    if ((this.words[event >>> 5]! & bit) !== 0) return;
    this.words[event >>> 5]! |= bit;
    this.set++;
  }
}
