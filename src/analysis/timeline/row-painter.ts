import type { Bins } from './bins.ts';
import type { Colouring } from './colouring.ts';
import type { GroupSums } from './group-sums.ts';
import { lowerBound } from './ordered.ts';
import { BLOCK_SPANS, LONG, MOMENT, type SpanIndex } from './span-index.ts';
import { NO_CATEGORY } from './timeline.ts';

/** Cells of the rows of a window, row by row, as columns. */
export interface Cells {
  readonly category: Uint16Array;
  readonly busy: Uint8Array;
  /** Absent when nothing is selected. */
  readonly selected: Uint8Array | undefined;
}

/** Cells in which nothing is. */
export function emptyCells(count: number, withSelected: boolean): Cells {
  return {
    category: new Uint16Array(count).fill(NO_CATEGORY),
    busy: new Uint8Array(count),
    selected: withSelected ? new Uint8Array(count) : undefined,
  };
}

const MOST = 255;

/** A share as a byte; what is there is seen, however little. */
function shareByte(share: number): number {
  return share >= 1 ? MOST : Math.max(1, Math.floor(share * MOST + 0.5));
}

/** Bins that a span has to cover as a whole before they are not gone through one by one. */
const MANY_BINS = 16;

/**
 * Length of a block, in bins, up to which the time in it is taken to pass evenly where an edge cuts it. Of a time T that lies
 * anywhere in a length L at most T (1 - T / L) stands on the wrong side of a cut, which is never more than L / 4: no edge is off
 * by more than a quarter of a bin, nor is any category's share of it. Longer blocks are gone through span by span.
 */
const LONGEST_SPLIT = 1;

/**
 * Draws rows of spans into cells. The work for a row grows with the number of bins (times 32, and the logarithm of its spans),
 * not with its spans: what lies in one bin as a whole is taken from the sums of blocks.
 *
 * A row that stands for several rows of spans shows the mean of theirs: a cell is as busy as they are on average, and has the
 * category that takes most of their time together.
 */
export class RowPainter {
  /** By bin and sum of the colouring: what is owned there. */
  private readonly sums: Float64Array;
  /** The same of spans that cover many bins: added where they begin to cover, taken off behind. */
  private readonly changes: Float64Array;
  private hasChanges = false;
  /** By bin: 1 where a span is. */
  private readonly isPresent: Uint8Array;
  /** By bin: category of the first block there, for what is too little for the sums. */
  private readonly firstCategory: Uint8Array;
  /** Of the row at hand: how far what was drawn of it reaches, and the bin that it is in. */
  private reach = 0;
  private bin = 0;

  constructor(
    private readonly index: SpanIndex,
    private readonly colouring: Colouring,
    private readonly bins: Bins,
    private readonly cells: Cells,
    private readonly longestSplit = LONGEST_SPLIT,
  ) {
    this.sums = new Float64Array(bins.count * colouring.width);
    this.changes = new Float64Array((bins.count + 1) * colouring.width);
    this.isPresent = new Uint8Array(bins.count);
    this.firstCategory = new Uint8Array(bins.count);
  }

  /** @param at index of the first cell of the row that stands for all these rows of spans. */
  paint(leaves: readonly number[], at: number): void {
    for (const leaf of leaves) this.addRow(leaf);
    this.write(at, leaves.length);
  }

  /** The same for many rows from what was summed up beforehand. */
  paintSums(group: GroupSums, at: number): void {
    group.addTo(this.bins, this.sums, this.isPresent);
    this.write(at, group.rows);
  }

  private addRow(row: number): void {
    const { index, bins } = this;
    if (index.rowEnd[row]! < bins.from) return;
    const end = index.firstFrom(row, bins.to);
    const started = index.firstFrom(row, bins.from);
    let span = index.firstEndingAfter(index.first[row]!, started, bins.from);
    // What is seen never goes back in time: neither does the bin that it begins in.
    this.reach = bins.from;
    this.bin = 0;
    // What begins behind a span that reaches to the end of the window is hidden by it.
    while (span < end && this.reach < bins.to) {
      if (span < started) {
        this.addSpans(span, span + 1);
        span = index.firstEndingAfter(span + 1, started, this.reach);
        continue;
      }
      const next = span % BLOCK_SPANS === 0 ? this.addBlocks(span, index.first[row + 1]!) : span;
      if (next === span) {
        const behind = Math.min(end, (span | (BLOCK_SPANS - 1)) + 1);
        this.addSpans(span, behind);
        span = behind;
      } else span = next;
    }
    if (this.colouring.selection !== undefined) this.addSelectedOf(row);
  }

  /**
   * Goes through spans of one row one by one. All of a window's work may be here: nothing is looked up that does not have to be.
   */
  private addSpans(first: number, behind: number): void {
    const { bins, sums, isPresent } = this;
    const { count } = bins;
    const { start, durations } = this.index;
    const { category, width } = this.colouring;
    let { reach, bin } = this;
    let edge = bins.edge(bin + 1);
    for (let span = first; span < behind && reach < bins.to; span++) {
      const starts = start[span]!;
      const duration = durations[span]!;
      const ends = starts + (duration === LONG ? this.index.duration(span) : duration);
      const from = starts > reach ? starts : reach;
      if (from >= edge) {
        bin = bins.at(from);
        edge = bins.edge(bin + 1);
      }
      // What others hide, or ended before the window, has no place of its own.
      if (ends > from) {
        if (ends <= edge) {
          sums[bin * width + category[span]!]! += ends - from;
          isPresent[bin] = 1;
        } else if (bin + 1 < count && ends <= bins.edge(bin + 2)) {
          const at = bin * width + category[span]!;
          sums[at]! += edge - from;
          sums[at + width]! += ends - edge;
          isPresent[bin] = 1;
          isPresent[bin + 1] = 1;
        } else this.addTime(from, ends, category[span]!);
        reach = ends;
      } else if (starts >= reach) {
        sums[bin * width + category[span]!]! += MOMENT;
        isPresent[bin] = 1;
      }
    }
    this.reach = reach;
    this.bin = bin;
  }

  /**
   * Takes blocks as a whole, from a span on: those that lie in one bin and, as long as they are short, those that lie in two;
   * or those that other spans hide.
   * @param end behind the last span of the row.
   * @returns the span behind them.
   */
  private addBlocks(span: number, end: number): number {
    const { bins } = this;
    const { blockStart, reach } = this.index;
    const { category } = this.colouring;
    const first = span / BLOCK_SPANS;
    const last = Math.floor(end / BLOCK_SPANS);
    // Moments at the very end of what is hidden are seen.
    if (first < last && reach[first]! < this.reach) return blocksBelow(reach, first, last, this.reach) * BLOCK_SPANS;
    const shortest = bins.width * this.longestSplit;
    let edge = bins.edge(this.bin + 1);
    for (let block = first; ;) {
      if (block === last) return block * BLOCK_SPANS;
      const from = Math.max(blockStart[block]!, this.reach);
      if (from >= bins.to) return block * BLOCK_SPANS;
      if (from >= edge) {
        this.bin = bins.at(from);
        edge = bins.edge(this.bin + 1);
      }
      const behind = blocksBelow(reach, block, last, edge);
      if (behind > block) {
        this.mark(this.bin, category[block * BLOCK_SPANS]!);
        this.addSums(this.bin, block, behind);
        this.reach = Math.max(this.reach, reach[behind - 1]!);
        block = behind;
        continue;
      }
      // The block ends behind the bin.
      const length = reach[block]! - from;
      if (length > shortest || this.bin === bins.count - 1) return block * BLOCK_SPANS;
      const share = (edge - from) / length;
      this.mark(this.bin, category[block * BLOCK_SPANS]!);
      this.mark(this.bin + 1, category[block * BLOCK_SPANS]!);
      this.splitSums(this.bin, block, share);
      this.reach = reach[block]!;
      block++;
    }
  }

  /** Adds what blocks own to a bin. */
  private addSums(bin: number, block: number, behind: number): void {
    const { sums, width, categories } = this.colouring;
    const before = block * width;
    const after = behind * width;
    const to = bin * width;
    for (let i = 0; i < categories; i++) this.sums[to + i]! += sums[after + i]! - sums[before + i]!;
  }

  /** Divides what a block owns among a bin and the next one. */
  private splitSums(bin: number, block: number, share: number): void {
    const { sums, width, categories } = this.colouring;
    const before = block * width;
    const to = bin * width;
    for (let i = 0; i < categories; i++) {
      const amount = sums[before + width + i]! - sums[before + i]!;
      this.sums[to + i]! += amount * share;
      this.sums[to + width + i]! += amount * (1 - share);
    }
  }

  /** Adds what is selected of a row: its spans overlap each other in another way than those of the whole row. */
  private addSelectedOf(row: number): void {
    const { index, bins, colouring } = this;
    const { sums, width, categories } = colouring;
    const { isSelected, reach: reachOfBlocks } = colouring.selection!;
    const end = index.first[row + 1]!;
    let span = index.firstEndingAfter(index.first[row]!, index.firstFrom(row, bins.from), bins.from);
    let reach = bins.from;
    while (span < end && index.start[span]! < bins.to) {
      const starts = index.start[span]!;
      if (span % BLOCK_SPANS === 0 && span + BLOCK_SPANS <= end && starts >= bins.from) {
        const bin = bins.at(starts);
        const first = span / BLOCK_SPANS;
        // Spans that are not selected may begin behind the bin: they add nothing.
        const behind = blocksBelow(reachOfBlocks, first, Math.floor(end / BLOCK_SPANS), bins.edge(bin + 1));
        if (behind > first && reach <= bins.edge(bin + 1)) {
          for (let i = categories; i < width; i++)
            this.sums[bin * width + i]! += sums[behind * width + i]! - sums[first * width + i]!;
          reach = Math.max(reach, reachOfBlocks[behind - 1]!);
          span = behind * BLOCK_SPANS;
          continue;
        }
      }
      const ends = starts + index.duration(span);
      if (isSelected[span] === 1 && (starts >= bins.from || ends > bins.from)) {
        this.addSelected(starts, reach, ends);
        reach = Math.max(reach, ends);
      }
      span++;
    }
  }

  private addSelected(starts: number, reach: number, ends: number): void {
    const { categories } = this.colouring;
    const from = Math.max(starts, reach);
    if (ends > from) this.addTime(from, ends, categories);
    else if (starts >= reach) this.add(this.bins.at(starts), categories, MOMENT);
  }

  /** Spreads a stretch of time over the bins that it lies in. */
  private addTime(from: number, to: number, sum: number): void {
    const { bins } = this;
    const { width } = this.colouring;
    const first = bins.at(from);
    const last = to >= bins.to ? bins.count - 1 : bins.at(to);
    if (last - first > MANY_BINS) {
      this.add(first, sum, bins.edge(first + 1) - from);
      this.changes[(first + 1) * width + sum]!++;
      this.changes[last * width + sum]!--;
      this.hasChanges = true;
      const rest = Math.min(to, bins.edge(last + 1)) - bins.edge(last);
      if (rest > 0) this.add(last, sum, rest);
      return;
    }
    for (let bin = first; bin <= last; bin++) {
      const amount = Math.min(to, bins.edge(bin + 1)) - Math.max(from, bins.edge(bin));
      if (amount > 0) this.add(bin, sum, amount);
    }
  }

  private add(bin: number, sum: number, amount: number): void {
    this.sums[bin * this.colouring.width + sum]! += amount;
    this.isPresent[bin] = 1;
  }

  private mark(bin: number, category: number): void {
    if (this.isPresent[bin] === 1) return;
    this.isPresent[bin] = 1;
    this.firstCategory[bin] = category;
  }

  private write(at: number, rows: number): void {
    const { bins, isPresent } = this;
    if (this.hasChanges) this.applyChanges();
    for (let bin = 0; bin < bins.count; bin++) if (isPresent[bin] === 1) this.writeCell(bin, at + bin, rows);
    isPresent.fill(0);
  }

  /** Adds what covers bins as a whole. */
  private applyChanges(): void {
    const { bins, changes, sums } = this;
    const { width } = this.colouring;
    for (let sum = 0; sum < width; sum++) {
      let covering = 0;
      for (let bin = 0; bin < bins.count; bin++) {
        covering += changes[bin * width + sum]!;
        if (covering === 0) continue;
        sums[bin * width + sum]! += covering * bins.width;
        this.isPresent[bin] = 1;
      }
    }
    changes.fill(0);
    this.hasChanges = false;
  }

  private writeCell(bin: number, cell: number, rows: number): void {
    const { sums, cells } = this;
    const { width, categories } = this.colouring;
    const first = bin * width;
    let whole = 0;
    let most = 0;
    let category = this.firstCategory[bin]!;
    for (let i = 0; i < categories; i++) {
      const amount = sums[first + i]!;
      sums[first + i] = 0;
      whole += amount;
      if (amount > most) {
        most = amount;
        category = i;
      }
    }
    cells.category[cell] = category;
    cells.busy[cell] = shareByte(whole / (this.bins.width * rows));
    if (cells.selected !== undefined) {
      const selected = sums[first + categories]!;
      sums[first + categories] = 0;
      if (selected > 0) cells.selected[cell] = shareByte(selected / whole);
    }
  }
}

/** First block, from `low` to `high`, that reaches to a time or farther. The reach never decreases. */
function blocksBelow(reach: Float64Array, low: number, high: number, time: number): number {
  // The answer is near, as a rule: first in growing steps.
  let first = low;
  let step = 1;
  while (first + step <= high && reach[first + step - 1]! < time) {
    first += step;
    step *= 2;
  }
  return lowerBound(reach, first, Math.min(high, first + step), time);
}
