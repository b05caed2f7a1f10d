import type { TimelineWindow } from '../../src/features/timeline/protocol.ts';
import { covers, type Bins } from '../../src/drawing/timeline/buffered-bins.ts';
import { stretches, type RowCells, type ShadeTable, type Stretch } from '../../src/drawing/timeline/row-pixels.ts';
import type { LaneColumns } from '../../src/drawing/timeline/timeline-lanes.ts';
import type { Span } from '../../src/drawing/timeline/visible-span.ts';

/** Cells of a row with what their categories mean: those of an older answer have their own colours. */
export interface HeldCells {
  readonly token: number;
  readonly cells: RowCells;
  readonly shades: ShadeTable;
  /** Those that are long enough for a name at any zoom at which these cells are shown. */
  readonly named: readonly Stretch[];
}

interface HeldLanes {
  readonly token: number;
  readonly over: Bins;
  readonly columns: LaneColumns;
}

/** Rows that are kept; those that were drawn longest ago are forgotten first. */
const MOST_ROWS = 400;
/** A name needs so many pixels, and a pixel has at least one bin. */
const BINS_OF_A_NAME = 36;

/**
 * The cells that were fetched, by the key of their row. What is old stays until its successor is there: a row is never
 * blank because something is being fetched.
 */
export class CellStore {
  private readonly rows = new Map<string, HeldCells>();
  lanes: HeldLanes | undefined;

  /** For drawing: whatever there is. */
  get(key: string): HeldCells | undefined {
    const held = this.rows.get(key);
    if (held !== undefined) {
      // Behind all others.
      this.rows.delete(key);
      this.rows.set(key, held);
    }
    return held;
  }

  /** Whether a row can be drawn as sharply as it can be. */
  isGood(key: string, token: number, visible: Span, width: number, durationNs: number): boolean {
    const held = this.rows.get(key);
    return held?.token === token && covers(held.cells.over, visible, width, durationNs);
  }

  areLanesGood(token: number, visible: Span, width: number, durationNs: number): boolean {
    return this.lanes?.token === token && covers(this.lanes.over, visible, width, durationNs);
  }

  take(token: number, over: Bins, keys: readonly string[], window: TimelineWindow, shades: ShadeTable): void {
    const { bins } = over;
    keys.forEach((key, number) => {
      const part = <Column extends Uint16Array | Uint8Array>(column: Column): Column =>
        column.subarray(number * bins, (number + 1) * bins) as Column;
      const cells: RowCells = {
        over,
        category: part(window.category),
        busy: part(window.busy),
        ...(window.selected !== undefined && { selected: part(window.selected) }),
      };
      const named = stretches(cells, over).filter(({ fromNs, toNs }) => toNs - fromNs >= BINS_OF_A_NAME * over.binNs);
      this.rows.delete(key);
      this.rows.set(key, { token, cells, shades, named });
    });
    const { readRate, writeRate, concurrency, storage } = window;
    this.lanes = { token, over, columns: { readRate, writeRate, concurrency, ...(storage && { storage }) } };
    for (const key of this.rows.keys()) {
      if (this.rows.size <= MOST_ROWS) break;
      this.rows.delete(key);
    }
  }

  /** Another theme: the same categories in other colours. */
  recolour(token: number, shades: ShadeTable): void {
    for (const [key, held] of this.rows) if (held.token === token) this.rows.set(key, { ...held, shades });
  }

  clear(): void {
    this.rows.clear();
    this.lanes = undefined;
  }
}
