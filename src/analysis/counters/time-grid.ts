/** Bytes by process (rows) and time (columns): consecutive processes share a row when there are more than rows. */
export class TimeGrid {
  readonly ranksPerRow: number;
  /** Bytes, row by row. */
  readonly cells: Float64Array;
  /** Bytes of all processes in each column. */
  readonly read: Float64Array;
  readonly written: Float64Array;
  readonly rows: number;

  /**
   * @param processes that the rows share.
   * @param binSeconds that a column stands for; what is later than the last column counts as in it.
   */
  constructor(
    processes: number,
    mostRows: number,
    readonly columns: number,
    readonly binSeconds: number,
  ) {
    this.ranksPerRow = Math.max(1, Math.ceil(processes / mostRows));
    this.rows = Math.max(1, Math.min(mostRows, Math.ceil(processes / this.ranksPerRow)));
    this.cells = new Float64Array(this.rows * columns);
    this.read = new Float64Array(columns);
    this.written = new Float64Array(columns);
  }

  /** Bytes that were moved around a point of time, in seconds. */
  add(rank: number, isRead: boolean, at: number, bytes: number): void {
    this.addTo(this.rowOf(rank), isRead, this.columnOf(at), bytes);
  }

  /** Bytes that were moved from `start` on: each column gets what its share of the time is. */
  addSpan(rank: number, isRead: boolean, start: number, seconds: number, bytes: number): void {
    const row = this.rowOf(rank);
    const first = this.columnOf(start);
    const last = this.columnOf(start + seconds);
    if (first === last) {
      this.addTo(row, isRead, first, bytes);
      return;
    }
    for (let column = first; column <= last; column++) {
      const from = Math.max(start, column * this.binSeconds);
      const to = column === last ? start + seconds : (column + 1) * this.binSeconds;
      this.addTo(row, isRead, column, (bytes * (to - from)) / seconds);
    }
  }

  private addTo(row: number, isRead: boolean, column: number, bytes: number): void {
    this.cells[row * this.columns + column]! += bytes;
    (isRead ? this.read : this.written)[column]! += bytes;
  }

  private rowOf(rank: number): number {
    return Math.min(this.rows - 1, Math.max(0, Math.floor(rank / this.ranksPerRow)));
  }

  private columnOf(at: number): number {
    const column = Math.floor(at / this.binSeconds);
    return column > 0 ? Math.min(this.columns - 1, column) : 0;
  }
}
