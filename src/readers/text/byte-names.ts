import { sameBytes } from './bytes.ts';

/**
 * Gives each different run of bytes an index without making a string of it: the reader meets the same path, call name
 * or stack a million times and looks at its text once.
 */
export class ByteNames {
  /** Number of different names. */
  length = 0;
  private slots = new Int32Array(1024).fill(-1);
  private hashes = new Int32Array(512);
  private starts = new Int32Array(513);
  private bytes = new Uint8Array(16384);

  intern(source: Uint8Array, from: number, end: number): number {
    const hash = hashOf(source, from, end);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const index = this.slots[slot]!;
      if (index < 0) return this.add(source, from, end, hash, slot);
      if (this.hashes[index] === hash && this.equals(index, source, from, end)) return index;
      slot = (slot + 1) & mask;
    }
  }

  /** Whether the bytes at `from` begin with this name; behind them anything may follow. */
  matches(index: number, source: Uint8Array, from: number): boolean {
    const bytes = this.bytes;
    const stop = this.starts[index + 1]!;
    for (let at = this.starts[index]!, other = from; at < stop; at++, other++) {
      if (bytes[at] !== source[other]) return false;
    }
    return true;
  }

  /** Whether the bytes at `from` begin with this name, which is long. */
  matchesLong(index: number, source: Uint8Array, from: number): boolean {
    const start = this.starts[index]!;
    const length = this.starts[index + 1]! - start;
    // Long names of one kind differ at their end rather than at their beginning.
    const last = length - 1;
    if (source[from + last] !== this.bytes[start + last] || source[from + last - 2] !== this.bytes[start + last - 2]) {
      return false;
    }
    return sameBytes(source, from, this.bytes, start, length);
  }

  lengthOf(index: number): number {
    return this.starts[index + 1]! - this.starts[index]!;
  }

  /** The bytes of a name. Valid until the next `intern`. */
  view(index: number): Uint8Array {
    return this.bytes.subarray(this.starts[index], this.starts[index + 1]);
  }

  private equals(index: number, source: Uint8Array, from: number, end: number): boolean {
    const start = this.starts[index]!;
    const length = end - from;
    if (this.starts[index + 1]! - start !== length) return false;
    const bytes = this.bytes;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== source[from + i]) return false;
    return true;
  }

  private add(source: Uint8Array, from: number, end: number, hash: number, slot: number): number {
    const index = this.length++;
    const start = this.starts[index]!;
    const stop = start + (end - from);
    if (stop > this.bytes.length) this.bytes = widen(this.bytes, Math.max(stop, this.bytes.length * 2));
    this.bytes.set(source.subarray(from, end), start);
    if (index + 2 > this.starts.length) this.starts = widen(this.starts, this.starts.length * 2);
    if (index + 1 > this.hashes.length) this.hashes = widen(this.hashes, this.hashes.length * 2);
    this.starts[index + 1] = stop;
    this.hashes[index] = hash;
    this.slots[slot] = index;
    if (this.length * 2 > this.slots.length) this.rehash();
    return index;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let index = 0; index < this.length; index++) {
      let slot = this.hashes[index]! & mask;
      while (slots[slot]! >= 0) slot = (slot + 1) & mask;
      slots[slot] = index;
    }
    this.slots = slots;
  }
}

function widen<Values extends Uint8Array | Int32Array>(values: Values, length: number): Values {
  const wider = values instanceof Uint8Array ? new Uint8Array(length) : new Int32Array(length);
  wider.set(values);
  return wider as Values;
}

/** All bytes count: names that differ only in the middle (one folder per rank) must not collide. */
function hashOf(source: Uint8Array, from: number, end: number): number {
  // Two chains, so that the processor can work on both at once.
  let even = 0x811c9dc5 | 0;
  let odd = end - from;
  let at = from;
  for (; at + 1 < end; at += 2) {
    even = Math.imul(even ^ source[at]!, 0x01000193);
    odd = Math.imul(odd ^ source[at + 1]!, 0x5bd1e995);
  }
  if (at < end) even = Math.imul(even ^ source[at]!, 0x01000193);
  const mixed = even ^ Math.imul(odd, 0x27d4eb2f);
  return mixed ^ (mixed >>> 15);
}
