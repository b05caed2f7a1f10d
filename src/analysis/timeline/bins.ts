import { upperBound } from './ordered.ts';

/** Stretches of time side by side, each from its edge to before the next one's. */
export interface Stretches {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** Where a stretch begins; `count` for the end of the last. */
  edge(stretch: number): number;
  /** The stretch that holds a moment; the nearest for moments outside. */
  at(time: number): number;
}

/** The columns of a window: stretches of equal length. */
export class Bins implements Stretches {
  readonly width: number;

  constructor(
    readonly from: number,
    readonly to: number,
    readonly count: number,
  ) {
    this.width = (to - from) / count;
  }

  edge(bin: number): number {
    return bin === this.count ? this.to : this.from + bin * this.width;
  }

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

/** Stretches of any lengths. */
export class Grid implements Stretches {
  readonly count: number;
  readonly from: number;
  readonly to: number;

  /** @param edges two or more, each later than the one before. */
  constructor(readonly edges: Float64Array) {
    this.count = edges.length - 1;
    this.from = edges[0]!;
    this.to = edges[this.count]!;
  }

  edge(stretch: number): number {
    return this.edges[stretch]!;
  }

  at(time: number): number {
    return Math.min(this.count, Math.max(1, upperBound(this.edges, 0, this.count + 1, time))) - 1;
  }

  /** Some of the stretches. */
  part(first: number, behind: number): Grid {
    return new Grid(this.edges.subarray(first, behind + 1));
  }
}

/** The stretch of a time, which lies mostly in the one of the time before it or in the next. */
export function stretchNear(stretches: Stretches, near: number, time: number): number {
  if (time < stretches.edge(near)) return stretches.at(time);
  if (time < stretches.edge(near + 1)) return near;
  return near + 1 < stretches.count && time < stretches.edge(near + 2) ? near + 1 : stretches.at(time);
}
