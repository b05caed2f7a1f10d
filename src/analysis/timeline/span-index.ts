import { lowerBound, upperBound } from './ordered.ts';
import { RowTotals } from './row-totals.ts';
import { ROLE } from './shown-events.ts';
import type { SpanBlock, SpanSource } from './span-source.ts';

/** Spans of a block as a power of two: what is summed up is kept once for each block. */
const BLOCK_BITS = 5;
export const BLOCK_SPANS = 1 << BLOCK_BITS;
/** In the column of durations: too long for it, the duration stands beside it. */
export const LONG = 0xffffffff;
/** Spans whose ends one node of the tree of ends holds, as a power of two: of the lowest level, and of each next. */
const FAN_BITS = 5;

/**
 * What a moment owns, nanoseconds: next to nothing beside any duration, but where there are only moments their number decides.
 * A power of two, so that sums of up to two hours hold it exactly (in longer ones moments weigh roughly as much).
 */
export const MOMENT = 2 ** -10;

/** What a span owns that takes the time from `starts` to `ends`, in a row where those before it reach to a time. */
export function ownedTime(starts: number, ends: number, reach: number): number {
  if (starts >= reach) return ends > starts ? ends - starts : MOMENT;
  return ends > reach ? ends - reach : 0;
}

/**
 * All spans of a timeline, those of a row side by side and by start. Two that start together stand longest first.
 *
 * **What is drawn of spans that overlap in one row.** Each instant of a row belongs to one span: of those that it lies in,
 * the one that stands first. So the outermost of nested calls is seen, what began earlier stays until it ends, and the times
 * that belong to the spans of a row never exceed its length. As the ends of what is drawn never decrease (`reach`), the
 * owned times stand in the order of the spans, and any moment is found by a binary search (docs/decisions/0060).
 *
 * 17 bytes a span: start, duration, event, and for each 32 of them their latest ends. Colours come on top (`Colouring`).
 */
export class SpanIndex {
  readonly length: number;
  readonly rows: number;
  readonly totals: RowTotals;
  /** First span of each row, and behind the last. */
  readonly first: Int32Array;
  readonly start: Float64Array;
  readonly event: Int32Array;
  /** By block: start of its first span. Blocks are gone through without touching the spans. */
  readonly blockStart: Float64Array;
  /** By block: the latest end within the row of the block's last span, up to that span. */
  readonly reach: Float64Array;
  /** End of each row's last span to end. */
  readonly rowEnd: Float64Array;
  /** Nanoseconds, or LONG: then `duration` knows. */
  readonly durations: Uint32Array;
  private readonly longOnes = new Map<number, number>();
  /** Latest end in each block, in each 32 blocks, and so on. */
  private readonly ends: Float64Array[];

  constructor(source: SpanSource) {
    this.totals = new RowTotals();
    source.forEachBlock((block) => this.totals.add(block, source.tree.nodeOfLeaf.length));
    const counts = this.totals.spans;
    this.rows = source.tree.nodeOfLeaf.length;
    this.first = new Int32Array(this.rows + 1);
    for (let row = 0; row < this.rows; row++) this.first[row + 1] = this.first[row]! + counts[row]!;
    this.length = this.first[this.rows]!;
    this.start = new Float64Array(this.length);
    this.durations = new Uint32Array(this.length);
    this.event = new Int32Array(this.length);
    this.fill(source);
    for (let row = 0; row < this.rows; row++) this.sortRow(row);
    this.blockStart = new Float64Array(Math.ceil(this.length / BLOCK_SPANS));
    for (let block = 0; block < this.blockStart.length; block++) {
      this.blockStart[block] = this.start[block * BLOCK_SPANS]!;
    }
    this.reach = new Float64Array(Math.ceil(this.length / BLOCK_SPANS));
    this.rowEnd = new Float64Array(this.rows);
    this.sumUpEnds();
    this.ends = this.treeOfEnds();
  }

  /** Nanoseconds. */
  duration(span: number): number {
    const duration = this.durations[span]!;
    return duration === LONG ? this.longOnes.get(span)! : duration;
  }

  /** Bytes that the index holds. */
  get bytes(): number {
    const columns = [
      this.first,
      this.start,
      this.durations,
      this.event,
      this.blockStart,
      this.reach,
      this.rowEnd,
      ...this.ends,
    ];
    return columns.reduce((sum, column) => sum + column.byteLength, this.longOnes.size * 40);
  }

  /** Row of a span. */
  rowOf(span: number): number {
    return upperBound(this.first, 0, this.rows + 1, span) - 1;
  }

  /** First span of a row that starts at a time or later; behind the last one when none does. */
  firstFrom(row: number, time: number): number {
    return lowerBound(this.start, this.first[row]!, this.first[row + 1]!, time);
  }

  /**
   * The first span, of those from `from` to before `to`, that ends after a time; `to` when none does. All must be of one
   * row, `from` its first or any other.
   */
  firstEndingAfter(from: number, to: number, time: number): number {
    let span = from;
    while (span < to) {
      const skipped = this.skip(span, to, time);
      if (skipped > span) span = skipped;
      else if (this.start[span]! + this.duration(span) > time) return span;
      else span++;
    }
    return to;
  }

  /** Visits the spans of a row that lie at least partly in `from` to before `to`; a moment counts where it is. */
  forEachWithin(row: number, from: number, to: number, visit: (span: number) => void): void {
    const started = this.firstFrom(row, from);
    const behind = this.firstFrom(row, to);
    for (let span = this.first[row]!; ; span++) {
      span = this.firstEndingAfter(span, started, from);
      if (span >= started) break;
      visit(span);
    }
    for (let span = started; span < behind; span++) visit(span);
  }

  /** Behind the largest node of the tree of ends that begins here and in which nothing ends after a time. */
  private skip(span: number, to: number, time: number): number {
    let behind = span;
    let bits = BLOCK_BITS;
    for (const level of this.ends) {
      const size = 2 ** bits;
      if (span % size !== 0 || span + size > to || level[span / size]! > time) break;
      behind = span + size;
      bits += FAN_BITS;
    }
    return behind;
  }

  private fill(source: SpanSource): void {
    const next = this.first.slice(0, this.rows);
    source.forEachBlock(({ length, row, start, duration, event, role }: SpanBlock) => {
      for (let i = 0; i < length; i++) {
        if (!(role[i]! & ROLE.shown)) continue;
        const span = next[row[i]!]!++;
        this.start[span] = start[i]!;
        this.event[span] = event[i]!;
        this.setDuration(span, duration[i]!);
      }
    });
  }

  private setDuration(span: number, duration: number): void {
    if (duration >= LONG) {
      this.durations[span] = LONG;
      this.longOnes.set(span, duration);
    } else this.durations[span] = duration;
  }

  /** Most rows are in order already: the calls of a thread stand one behind the other. */
  private sortRow(row: number): void {
    const from = this.first[row]!;
    const to = this.first[row + 1]!;
    let span = from + 1;
    while (span < to && !this.isBefore(span, span - 1)) span++;
    if (span >= to) return;
    const order = new Uint32Array(to - from).map((_, i) => from + i);
    order.sort((a, b) => this.start[a]! - this.start[b]! || this.duration(b) - this.duration(a) || a - b);
    const starts = Float64Array.from(order, (at) => this.start[at]!);
    const durations = Float64Array.from(order, (at) => this.duration(at));
    const events = Int32Array.from(order, (at) => this.event[at]!);
    this.start.set(starts, from);
    this.event.set(events, from);
    for (let i = 0; i < durations.length; i++) {
      this.longOnes.delete(from + i);
      this.setDuration(from + i, durations[i]!);
    }
  }

  private isBefore(a: number, b: number): boolean {
    const start = this.start[a]!;
    return start < this.start[b]! || (start === this.start[b]! && this.duration(a) > this.duration(b));
  }

  private sumUpEnds(): void {
    const { first, start, reach, rowEnd } = this;
    for (let row = 0; row < this.rows; row++) {
      let latest = 0;
      for (let span = first[row]!; span < first[row + 1]!; span++) {
        latest = Math.max(latest, start[span]! + this.duration(span));
        reach[span >>> BLOCK_BITS] = latest;
      }
      rowEnd[row] = latest;
    }
  }

  private treeOfEnds(): Float64Array[] {
    const lowest = new Float64Array(Math.ceil(this.length / BLOCK_SPANS));
    for (let span = 0; span < this.length; span++) {
      const end = this.start[span]! + this.duration(span);
      if (end > lowest[span >>> BLOCK_BITS]!) lowest[span >>> BLOCK_BITS] = end;
    }
    const levels = [lowest];
    for (let below = lowest; below.length > 1;) {
      const above = new Float64Array(Math.ceil(below.length / 2 ** FAN_BITS));
      below.forEach((end, i) => {
        if (end > above[i >>> FAN_BITS]!) above[i >>> FAN_BITS] = end;
      });
      levels.push(above);
      below = above;
    }
    return levels;
  }
}
