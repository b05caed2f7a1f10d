import type { Bins } from './bins.ts';
import type { Colouring } from './colouring.ts';
import { lowerBound, upperBound } from './ordered.ts';
import { MOMENT, type SpanIndex } from './span-index.ts';

/** Spans between two edges, about. */
const SPANS_OF_STRETCH = 32;
/**
 * What the spans of many rows own, up to each of many moments: so that a row that stands for ten thousand is drawn without
 * going through them. The moments lie closer where more happens; between two of them time is taken to pass evenly.
 */
export class GroupSums {
  readonly rows: number;
  private readonly edges: Float64Array;
  /** By edge and sum of the colouring: what is owned before the edge. */
  private readonly sums: Float64Array;
  private readonly width: number;

  constructor(index: SpanIndex, colouring: Colouring, leaves: readonly number[]) {
    this.rows = leaves.length;
    this.width = colouring.width;
    this.edges = edgesOf(index, leaves);
    this.sums = new Float64Array(this.edges.length * this.width);
    const changes = new Float64Array(this.edges.length * this.width);
    for (const leaf of leaves) this.addRow(index, colouring, leaf, changes);
    this.sumUp(changes);
  }

  get bytes(): number {
    return this.edges.byteLength + this.sums.byteLength;
  }

  /** Spans that begin in a stretch of time, about. */
  spansWithin(from: number, to: number): number {
    const { edges } = this;
    const behind = upperBound(edges, 0, edges.length, to);
    return (behind - lowerBound(edges, 0, edges.length, from) + 2) * SPANS_OF_STRETCH;
  }

  /** Adds what the bins of a window hold, by bin and sum. */
  addTo(bins: Bins, sums: Float64Array, isPresent: Uint8Array): void {
    const { width } = this;
    let before = new Float64Array(width);
    let after = new Float64Array(width);
    let stretch = this.valuesAt(bins.from, 0, before);
    for (let bin = 0; bin < bins.count; bin++) {
      stretch = this.valuesAt(bins.edge(bin + 1), stretch, after);
      for (let i = 0; i < width; i++) {
        const amount = after[i]! - before[i]!;
        if (amount <= 0) continue;
        sums[bin * width + i]! += amount;
        isPresent[bin] = 1;
      }
      [before, after] = [after, before];
    }
  }

  /**
   * What is owned before a moment.
   * @param near a stretch that begins at the moment or before it, or 0.
   * @returns the stretch that holds it, the nearest for moments outside.
   */
  private valuesAt(time: number, near: number, values: Float64Array): number {
    const { edges, sums, width } = this;
    const low = this.stretchAt(time, near);
    const share = Math.min(1, Math.max(0, (time - edges[low]!) / (edges[low + 1]! - edges[low]!)));
    const from = low * width;
    for (let i = 0; i < width; i++) {
      const value = sums[from + i]!;
      values[i] = value + share * (sums[from + width + i]! - value);
    }
    return low;
  }

  private addRow(index: SpanIndex, colouring: Colouring, row: number, changes: Float64Array): void {
    const { category, categories, selection } = colouring;
    let reach = 0;
    let selectedReach = 0;
    let stretch = 0;
    for (let span = index.first[row]!; span < index.first[row + 1]!; span++) {
      const starts = index.start[span]!;
      const ends = starts + index.duration(span);
      stretch = this.stretchAt(starts, stretch);
      const sum = category[span]!;
      const from = Math.max(starts, reach);
      if (ends > from) this.addStretch(stretch, from, ends, sum, changes);
      else if (starts >= reach) this.addMoment(stretch, sum);
      if (ends > reach) reach = ends;
      if (selection?.isSelected[span] !== 1) continue;
      const selectedFrom = Math.max(starts, selectedReach);
      if (ends > selectedFrom) this.addStretch(stretch, selectedFrom, ends, categories, changes);
      else if (starts >= selectedReach) this.addMoment(stretch, categories);
      if (ends > selectedReach) selectedReach = ends;
    }
  }

  /** The stretch of a time that lies in a known one or behind it. */
  private stretchAt(time: number, from: number): number {
    const { edges } = this;
    const last = edges.length - 2;
    if (from >= last || time < edges[from + 1]!) return from;
    let step = 1;
    while (from + step < edges.length && edges[from + step]! <= time) step *= 2;
    return Math.min(last, upperBound(edges, from + (step >> 1), Math.min(edges.length, from + step + 1), time) - 1);
  }

  /** @param near a stretch that begins at `from` or before it. */
  private addStretch(near: number, from: number, to: number, sum: number, changes: Float64Array): void {
    const { edges, sums, width } = this;
    const first = this.stretchAt(from, near);
    const last = this.stretchAt(to, first);
    if (first === last) {
      sums[first * width + sum]! += to - from;
      return;
    }
    sums[first * width + sum]! += edges[first + 1]! - from;
    sums[last * width + sum]! += to - edges[last]!;
    changes[(first + 1) * width + sum]!++;
    changes[last * width + sum]!--;
  }

  private addMoment(stretch: number, sum: number): void {
    this.sums[stretch * this.width + sum]! += MOMENT;
  }

  /** Makes of what each stretch holds what all before each edge hold. */
  private sumUp(changes: Float64Array): void {
    const { edges, sums, width } = this;
    for (let i = 0; i < width; i++) {
      let covering = 0;
      let total = 0;
      for (let edge = 0; edge < edges.length; edge++) {
        const at = edge * width + i;
        covering += changes[at]!;
        const length = edge + 1 < edges.length ? edges[edge + 1]! - edges[edge]! : 0;
        const amount = sums[at]! + covering * length;
        sums[at] = total;
        total += amount;
      }
    }
  }
}

/** Starts of every 32nd span, from 0 to behind all spans; each once. */
function edgesOf(index: SpanIndex, leaves: readonly number[]): Float64Array {
  const spans = leaves.reduce((sum, leaf) => sum + index.first[leaf + 1]! - index.first[leaf]!, 0);
  const sample = new Float64Array(Math.ceil(spans / SPANS_OF_STRETCH));
  let seen = 0;
  let end = 0;
  for (const leaf of leaves) {
    if (index.rowEnd[leaf]! > end) end = index.rowEnd[leaf]!;
    for (let span = index.first[leaf]!; span < index.first[leaf + 1]!; span++, seen++) {
      if (seen % SPANS_OF_STRETCH === 0) sample[seen / SPANS_OF_STRETCH] = index.start[span]!;
    }
  }
  const sorted = sample.sort();
  const edges = [0];
  for (const start of sorted) if (start > edges.at(-1)!) edges.push(start);
  edges.push(end + 1);
  return Float64Array.from(edges);
}
