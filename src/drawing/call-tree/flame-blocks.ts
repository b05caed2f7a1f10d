import type { Way } from './ways.ts';

/** A place in a flame chart: as wide as what it amounts to. */
export interface FlameBlock {
  readonly way: Way;
  /** Index of the block that it stands on, among the blocks; -1 for the first. */
  readonly on: number;
  readonly depth: number;
  /** Parts of the whole width, 0 to 1. */
  readonly from: number;
  readonly width: number;
}

/** Rows that a chart has at most: deeper ones are reached by looking at one of its blocks alone. */
const MOST_ROWS = 64;

/**
 * The blocks of a way and of all that follow from it, those that a block stands on before it, the widest at the left.
 * @param least part of the whole width below which nothing is drawn.
 */
export function flameBlocks(root: Way, least: number): FlameBlock[] {
  const blocks: FlameBlock[] = [];
  if (!(root.total > 0)) return blocks;
  const place = (way: Way, on: number, from: number): void => {
    const depth = on < 0 ? 0 : blocks[on]!.depth + 1;
    const width = way.total / root.total;
    if (width < least || depth >= MOST_ROWS) return;
    const at = blocks.push({ way, on, depth, from, width }) - 1;
    let next = from;
    for (const each of way.next) {
      place(each, at, next);
      next += each.total / root.total;
    }
  };
  place(root, -1, 0);
  return blocks;
}

export function rowsOf(blocks: readonly FlameBlock[]): number {
  return blocks.reduce((rows, { depth }) => Math.max(rows, depth + 1), 0);
}
