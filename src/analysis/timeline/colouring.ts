import { BLOCK_SPANS, ownedTime, type SpanIndex } from './span-index.ts';
import type { EventMask } from '../selection/event-mask.ts';

/** Which spans are selected, and how much time of a row lies in them: that of overlapping ones once. */
interface SelectedSpans {
  /** By span: 1 when it is selected. */
  readonly isSelected: Uint8Array;
  /** By block, as `SpanIndex.reach`, of the selected spans alone. */
  readonly reach: Float64Array;
}

/**
 * What spans are coloured by and which of them are selected, beside their index: another colour sorts nothing anew. Times are
 * the *owned* ones of `SpanIndex`.
 */
export class Colouring {
  /** By span. */
  readonly category: Uint8Array;
  /** Absent when nothing is selected. */
  readonly selection: SelectedSpans | undefined;
  /** Number of sums of a block: one for each category, and one for what is selected. */
  readonly width: number;
  /** By block: what all spans before the block own, by category, and what of it is selected. */
  readonly sums: Float64Array;

  /** @param ofEvent category of each event; @param ofSpan of each span, where spans are no events. */
  constructor(
    index: SpanIndex,
    readonly categories: number,
    ofEvent: Uint8Array,
    mask?: Pick<EventMask, 'has'>,
    ofSpan?: Uint8Array,
  ) {
    const { length, event } = index;
    this.category = new Uint8Array(length);
    for (let span = 0; span < length; span++) this.category[span] = ofSpan?.[span] ?? ofEvent[event[span]!]!;
    if (mask !== undefined) {
      const isSelected = new Uint8Array(length);
      for (let span = 0; span < length; span++) isSelected[span] = mask.has(event[span]!) ? 1 : 0;
      this.selection = { isSelected, reach: new Float64Array(index.reach.length) };
    }
    this.width = categories + (mask === undefined ? 0 : 1);
    this.sums = new Float64Array((index.reach.length + 1) * this.width);
    this.sumUp(index);
  }

  /** Bytes that it holds. */
  get bytes(): number {
    const { selection } = this;
    const ofSelection = selection === undefined ? 0 : selection.isSelected.byteLength + selection.reach.byteLength;
    return this.category.byteLength + this.sums.byteLength + ofSelection;
  }

  private sumUp(index: SpanIndex): void {
    const { sums, width, category, categories, selection } = this;
    const running = new Float64Array(width);
    for (let row = 0; row < index.rows; row++) {
      let reach = 0;
      let selectedReach = 0;
      for (let span = index.first[row]!; span < index.first[row + 1]!; span++) {
        const block = Math.floor(span / BLOCK_SPANS);
        if (span % BLOCK_SPANS === 0) sums.set(running, block * width);
        const begins = index.start[span]!;
        const ends = begins + index.duration(span);
        running[category[span]!]! += ownedTime(begins, ends, reach);
        if (ends > reach) reach = ends;
        if (selection === undefined) continue;
        if (selection.isSelected[span] === 1) {
          running[categories]! += ownedTime(begins, ends, selectedReach);
          if (ends > selectedReach) selectedReach = ends;
        }
        selection.reach[block] = selectedReach;
      }
    }
    sums.set(running, index.reach.length * width);
  }
}
