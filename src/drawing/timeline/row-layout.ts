import type { TimelineRow } from '../../analysis/timeline/timeline.ts';

/** Which rows of a tree show, and where: rows below a folded one do not, and all are equally high. */
export class RowLayout {
  /** Indices of the rows that show, from the top. */
  readonly visible: Int32Array;
  /** Where a row stands among `visible`, or -1. */
  readonly place: Int32Array;

  /** @param folded keys of the groups whose rows are hidden. */
  constructor(
    readonly rows: readonly TimelineRow[],
    folded: ReadonlySet<string>,
  ) {
    this.place = new Int32Array(rows.length).fill(-1);
    const visible = new Int32Array(rows.length);
    /** Whether what is below a row shows; parents stand before their rows. */
    const opens = new Uint8Array(rows.length);
    let count = 0;
    for (let row = 0; row < rows.length; row++) {
      const { parent, key, isGroup } = rows[row]!;
      if (parent >= 0 && opens[parent] === 0) continue;
      this.place[row] = count;
      visible[count++] = row;
      if (isGroup && !folded.has(key)) opens[row] = 1;
    }
    this.visible = visible.subarray(0, count);
  }

  /** The row at a height, or -1 below the last. */
  rowAt(y: number, rowHeight: number): number {
    return y < 0 ? -1 : (this.visible[Math.floor(y / rowHeight)] ?? -1);
  }

  /** The rows that touch a part of the height, and `more` on both sides. */
  within(top: number, height: number, rowHeight: number, more = 0): Int32Array {
    const first = Math.max(0, Math.floor(top / rowHeight) - more);
    return this.visible.subarray(first, Math.ceil((top + height) / rowHeight) + more);
  }

  /**
   * Groups of the row at a height that have left the screen above: they stay at its top, outermost first, so that one sees
   * whose rows these are.
   */
  headers(top: number, rowHeight: number, most = 3): number[] {
    const headers: number[] = [];
    for (let depth = 0; depth < most; depth++) {
      // The row that the headers found so far leave as the first.
      const row = this.rowAt(top + depth * rowHeight, rowHeight);
      const chain = row < 0 ? [] : this.rows[row]!.isGroup ? [...this.above(row), row] : this.above(row);
      const next = chain[depth];
      if (next === undefined || this.place[next]! * rowHeight >= top + depth * rowHeight) break;
      headers.push(next);
    }
    return headers;
  }

  /** The groups that a row is in, outermost first. */
  above(row: number): number[] {
    const chain: number[] = [];
    for (let at = this.rows[row]!.parent; at >= 0; at = this.rows[at]!.parent) chain.unshift(at);
    return chain;
  }
}

/** Rows get higher where there are few, so that a small recording does not cling to the top. */
export function rowHeightFor(rows: number, height: number): number {
  return Math.round(Math.min(32, Math.max(18, height / Math.max(1, rows))));
}
