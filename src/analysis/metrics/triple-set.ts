/** Stands in the first number of a free slot. */
const FREE = -2;
const WIDTH = 3;

/**
 * A set of triples of numbers, each a whole one from −1 (NONE) to 2³¹ − 1. A text made of each triple would take five times
 * the memory, and several times the time.
 */
export class TripleSet {
  private size = 0;
  /** Three numbers a slot, a power of two of them; a triple stands in the first slot that is free from its own on. */
  private slots = new Int32Array(16 * WIDTH).fill(FREE);

  /** @returns whether it was not there before. */
  add(first: number, second: number, third: number): boolean {
    const slot = this.slotOf(first, second, third);
    if (this.slots[slot] !== FREE) return false;
    this.put(slot, first, second, third);
    // At most half of the slots are taken: a free one is near.
    if (++this.size * 2 * WIDTH > this.slots.length) this.grow();
    return true;
  }

  /** Where the triple stands, or would stand. */
  private slotOf(first: number, second: number, third: number): number {
    const { slots } = this;
    const mask = slots.length / WIDTH - 1;
    for (let number = hash(first, second, third) & mask; ; number = (number + 1) & mask) {
      const at = number * WIDTH;
      if (slots[at] === FREE) return at;
      if (slots[at] === first && slots[at + 1] === second && slots[at + 2] === third) return at;
    }
  }

  private put(slot: number, first: number, second: number, third: number): void {
    this.slots[slot] = first;
    this.slots[slot + 1] = second;
    this.slots[slot + 2] = third;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Int32Array(before.length * 2).fill(FREE);
    for (let at = 0; at < before.length; at += WIDTH) {
      const [first, second, third] = [before[at]!, before[at + 1]!, before[at + 2]!];
      if (first !== FREE) this.put(this.slotOf(first, second, third), first, second, third);
    }
  }
}

/** Numbers that follow each other end far apart. */
function hash(first: number, second: number, third: number): number {
  let mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 1, 0x85ebca6b) ^ Math.imul(third + 2, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
