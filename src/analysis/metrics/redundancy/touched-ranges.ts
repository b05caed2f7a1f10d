/** Ranges in a block; a full block is split in two. */
const BLOCK = 256;

interface Block {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  length: number;
}

/**
 * Bytes of a file that were touched, as ranges that neither overlap nor meet, in order. Accesses that follow each other
 * make one range, so a file that is read or written from front to back takes a few bytes here, however many calls did
 * it; scattered accesses take 16 bytes each. Ranges stand in blocks, so that one can be put between others cheaply.
 */
export class TouchedRanges {
  private readonly blocks: Block[] = [];
  /** The first range: most files never have another. */
  private start = NaN;
  private end = NaN;

  /**
   * Adds the bytes from `start` to before `end`.
   * @returns how many of them had been touched before.
   */
  add(start: number, end: number): number {
    const last = this.blocks.at(-1);
    if (last === undefined) return this.addToFirst(start, end);
    const lastEnd = last.ends[last.length - 1]!;
    if (start > lastEnd) {
      this.insert(this.blocks.length - 1, last.length, start, end);
      return 0;
    }
    if (start === lastEnd) {
      last.ends[last.length - 1] = end;
      return 0;
    }
    const block = this.blockOf(start);
    const { starts, ends, length } = this.blocks[block]!;
    const place = firstNotBelow(ends, length, start);
    if (starts[place]! > end) {
      this.insert(block, place, start, end);
      return 0;
    }
    if (starts[place]! <= start && end <= ends[place]!) return end - start;
    return this.widen(block, place, start, end);
  }

  private addToFirst(start: number, end: number): number {
    const known = this.end;
    if (Number.isNaN(known)) {
      this.start = start;
      this.end = end;
      return 0;
    }
    if (start > known || end < this.start) {
      const block = newBlock();
      block.starts[0] = this.start;
      block.ends[0] = known;
      block.length = 1;
      this.blocks.push(block);
      return this.add(start, end);
    }
    const touched = Math.max(0, Math.min(end, known) - Math.max(start, this.start));
    this.start = Math.min(start, this.start);
    this.end = Math.max(end, known);
    return touched;
  }

  /** The first block with a range that ends at `position` or behind it. There is one. */
  private blockOf(position: number): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { ends, length } = this.blocks[middle]!;
      if (ends[length - 1]! < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Makes the range at `place`, which the new one meets, hold it, and takes in those behind it that it reaches. */
  private widen(block: number, place: number, start: number, end: number): number {
    const { starts, ends } = this.blocks[block]!;
    const overlap = (from: number, to: number): number => Math.max(0, Math.min(end, to) - Math.max(start, from));
    let touched = overlap(starts[place]!, ends[place]!);
    let furthest = Math.max(end, ends[place]!);
    starts[place] = Math.min(start, starts[place]!);
    for (let at = block, from = place + 1; at < this.blocks.length;) {
      const behind = this.blocks[at]!;
      let to = from;
      for (; to < behind.length && behind.starts[to]! <= end; to++) {
        touched += overlap(behind.starts[to]!, behind.ends[to]!);
        furthest = Math.max(furthest, behind.ends[to]!);
      }
      const reachesFurther = to === behind.length;
      remove(behind, from, to);
      if (behind.length === 0) this.blocks.splice(at, 1);
      else at++;
      from = 0;
      if (!reachesFurther) break;
    }
    ends[place] = furthest;
    return touched;
  }

  private insert(block: number, place: number, start: number, end: number): void {
    let into = this.blocks[block]!;
    let at = place;
    if (into.length === BLOCK) {
      // At the end of a growing file the full block stays as it is.
      const kept = at === BLOCK ? BLOCK : BLOCK / 2;
      const behind = newBlock();
      behind.starts.set(into.starts.subarray(kept));
      behind.ends.set(into.ends.subarray(kept));
      behind.length = BLOCK - kept;
      into.length = kept;
      this.blocks.splice(block + 1, 0, behind);
      if (at >= kept) {
        at -= kept;
        into = behind;
      }
    }
    into.starts.copyWithin(at + 1, at, into.length);
    into.ends.copyWithin(at + 1, at, into.length);
    into.starts[at] = start;
    into.ends[at] = end;
    into.length++;
  }
}

function newBlock(): Block {
  return { starts: new Float64Array(BLOCK), ends: new Float64Array(BLOCK), length: 0 };
}

function remove(block: Block, from: number, to: number): void {
  block.starts.copyWithin(from, to, block.length);
  block.ends.copyWithin(from, to, block.length);
  block.length -= to - from;
}

/** Index of the first of the ascending values that is not below the bound. */
function firstNotBelow(values: Float64Array, length: number, bound: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
