import type { StreamIndex } from '../../trace/indices.ts';

/** A block that has more ranges is split in two. */
const MOST_RANGES = 512;

/** Bytes of a file with the same history. */
interface Range {
  start: number;
  end: number;
  /** Set of the streams that wrote them last: several where they wrote at the same time. See StreamSets. */
  writers: number;
  /** Set of those that have read them since. */
  readers: number;
}

/** Sets of streams by number; equal sets have the same. 0 is empty. */
export class StreamSets {
  private readonly sets: (readonly number[])[] = [[]];
  private readonly numbers = new Map<string, number>([['', 0]]);
  private readonly unions = new Map<number, Map<number, number>>();

  of(set: number): readonly number[] {
    return this.sets[set]!;
  }

  with(set: number, stream: StreamIndex): number {
    let known = this.unions.get(set);
    if (known === undefined) this.unions.set(set, (known = new Map<number, number>()));
    let union = known.get(stream);
    if (union === undefined) {
      const before = this.sets[set]!;
      const after = before.includes(stream) ? before : [...before, stream].sort((a, b) => a - b);
      const name = after.join(' ');
      union = this.numbers.get(name) ?? this.sets.push(after) - 1;
      this.numbers.set(name, union);
      known.set(stream, union);
    }
    return union;
  }
}

/** Called for each stream that wrote or read the bytes before. @returns whether what it does is still under way. */
type Found = (stream: StreamIndex) => boolean;

/**
 * Who wrote each byte of a file last, and who has read it since. Ranges with the same history that meet are one, so
 * accesses from front to back take a few bytes, however many calls made them; they stand in blocks, so that one can be
 * put between others cheaply.
 */
export class ByteUsers {
  private readonly blocks: Range[][] = [[]];

  constructor(private readonly sets: StreamSets) {}

  /**
   * A stream reads bytes.
   * @returns the end of the last byte that nobody wrote, or 0.
   */
  read(start: number, end: number, stream: StreamIndex, found: Found): number {
    const { sets } = this;
    const pieces: Range[] = [];
    let unwritten = 0;
    let at = start;
    const gap = (to: number): void => {
      if (to <= at) return;
      pieces.push({ start: at, end: to, writers: 0, readers: sets.with(0, stream) });
      unwritten = to;
    };
    const visit = (range: Range): void => {
      gap(range.start);
      if (range.writers === 0) unwritten = range.end;
      for (const writer of sets.of(range.writers)) found(writer);
      pieces.push({ ...range, readers: sets.with(range.readers, stream) });
      at = range.end;
    };
    this.replace(start, end, visit, () => {
      gap(end);
      return pieces;
    });
    return unwritten;
  }

  /** A stream writes bytes; to the end of the file: Infinity. */
  write(start: number, end: number, stream: StreamIndex, found: Found): void {
    const { sets } = this;
    let writers = sets.with(0, stream);
    let readers = 0;
    const visit = (range: Range): void => {
      // Who is not done yet does so at the same time: later calls depend on both.
      for (const writer of sets.of(range.writers)) if (found(writer)) writers = sets.with(writers, writer);
      for (const reader of sets.of(range.readers)) if (found(reader)) readers = sets.with(readers, reader);
    };
    this.replace(start, end, visit, () => [{ start, end, writers, readers }]);
  }

  /** Cuts out what lies between two places, shows it piece by piece, and puts other ranges there. */
  private replace(start: number, end: number, visit: (range: Range) => void, pieces: () => Range[]): void {
    const first = this.blockOf(start);
    const head = this.blocks[first]!;
    const from = firstEndingBehind(head, start);
    const before: Range[] = [];
    const after: Range[] = [];
    let block = first;
    let place = from;
    let last = first;
    let to = from;
    for (;;) {
      const ranges = this.blocks[block]!;
      if (place === ranges.length) {
        if (block + 1 === this.blocks.length || this.blocks[block + 1]![0]!.start >= end) break;
        block++;
        place = 0;
        continue;
      }
      const range = ranges[place]!;
      if (range.start >= end) break;
      if (range.start < start) before.push({ ...range, end: start });
      if (range.end > end) after.push({ ...range, start: end });
      visit({ ...range, start: Math.max(start, range.start), end: Math.min(end, range.end) });
      place++;
      last = block;
      to = place;
    }
    this.put(first, from, last, to, joined([...before, ...pieces(), ...after]));
  }

  /** Puts ranges into the place of those from one block's `from` to before another's `to`. */
  private put(first: number, from: number, last: number, to: number, ranges: Range[]): void {
    const block = this.blocks[first]!;
    if (last > first) {
      const rest = this.blocks[last]!.slice(to);
      block.splice(from, block.length - from, ...ranges, ...rest);
      this.blocks.splice(first + 1, last - first);
    } else block.splice(from, to - from, ...ranges);
    this.meet(block, from + ranges.length);
    this.meet(block, from);
    if (block.length > MOST_RANGES) {
      const pieces: Range[][] = [];
      const size = MOST_RANGES / 2;
      for (let i = 0; i < block.length; i += size) pieces.push(block.slice(i, i + size));
      this.blocks.splice(first, 1, ...pieces);
    } else if (block.length === 0 && this.blocks.length > 1) this.blocks.splice(first, 1);
  }

  /** Makes one range of the two that meet before `place`, when they have the same history. */
  private meet(block: Range[], place: number): void {
    const a = block[place - 1];
    const b = block[place];
    if (a === undefined || b === undefined || !isSame(a, b)) return;
    block.splice(place - 1, 2, { ...a, end: b.end });
  }

  /** The first block whose last range ends behind a place; the last block when there is none. */
  private blockOf(start: number): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.blocks[middle]!.at(-1)!.end <= start) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isSame(a: Range, b: Range): boolean {
  return a.end === b.start && a.writers === b.writers && a.readers === b.readers;
}

function joined(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const range of ranges) {
    const last = result.at(-1);
    if (last !== undefined && isSame(last, range)) last.end = range.end;
    else result.push({ ...range });
  }
  return result;
}

/** Index of the first range that ends behind a place. */
function firstEndingBehind(ranges: readonly Range[], start: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}
