/** The columns of a window: equal stretches of time, each from its edge to before the next one's. */
export class Bins {
  readonly width: number;

  constructor(
    readonly from: number,
    readonly to: number,
    readonly count: number,
  ) {
    this.width = (to - from) / count;
  }

  /** Where a bin begins. */
  edge(bin: number): number {
    return bin === this.count ? this.to : this.from + bin * this.width;
  }

  /** The bin that holds a moment; the nearest for moments outside of the window. */
  at(time: number): number {
    let bin = Math.floor((time - this.from) / this.width);
    if (!(bin > 0)) bin = 0;
    else if (bin >= this.count) bin = this.count - 1;
    // The division rounds: the edges decide.
    while (bin > 0 && time < this.edge(bin)) bin--;
    while (bin < this.count - 1 && time >= this.edge(bin + 1)) bin++;
    return bin;
  }
}
