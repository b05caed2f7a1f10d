/** Gives equal rows of numbers the same index: open addressing over one flat column, no object or string per row. */
export class TupleTable {
  length = 0;
  private values: Float64Array;
  private hashes = new Int32Array(64);
  private slots = new Int32Array(256);

  /** @param width numbers in a row. */
  constructor(private readonly width: number) {
    this.values = new Float64Array(64 * width);
  }

  at(row: number, column: number): number {
    return this.values[row * this.width + column]!;
  }

  /**
   * Index of the row that equals `tuple`, which may be changed afterwards. NaN is no value for a row.
   * @param guess a row that it may well be.
   */
  intern(tuple: Float64Array, guess = -1): number {
    const { width } = this;
    if (guess >= 0 && this.equals(guess, tuple)) return guess;
    let hash = 0;
    for (let i = 0; i < width; i++) hash = mix(hash, tuple[i]!);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.slots[slot]!; entry !== 0; entry = this.slots[slot]!) {
      if (this.hashes[entry - 1] === hash && this.equals(entry - 1, tuple)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    return this.add(tuple, hash, slot);
  }

  private equals(row: number, tuple: Float64Array): boolean {
    const start = row * this.width;
    for (let i = 0; i < this.width; i++) if (this.values[start + i] !== tuple[i]) return false;
    return true;
  }

  private add(tuple: Float64Array, hash: number, slot: number): number {
    if (this.length === this.hashes.length) {
      const values = new Float64Array(this.values.length * 2);
      values.set(this.values);
      this.values = values;
      const hashes = new Int32Array(this.hashes.length * 2);
      hashes.set(this.hashes);
      this.hashes = hashes;
    }
    this.values.set(tuple, this.length * this.width);
    this.hashes[this.length] = hash;
    this.slots[slot] = ++this.length;
    if (this.length * 2 > this.slots.length) this.rehash();
    return this.length - 1;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 4);
    const mask = slots.length - 1;
    for (let row = 0; row < this.length; row++) {
      let slot = this.hashes[row]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
    this.slots = slots;
  }
}

/** Adds a number to a hash of 32 bits. Its upper half counts too: offsets are often multiples of large powers of two. */
export function mix(hash: number, value: number): number {
  const low = value | 0;
  const high = ((value - low) / 4294967296) | 0;
  let mixed = Math.imul(hash ^ low, 0x85ebca6b);
  mixed = Math.imul((mixed ^ (mixed >>> 15)) + high, 0xc2b2ae35);
  return mixed ^ (mixed >>> 13);
}
