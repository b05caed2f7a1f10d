import { Grid, stretchNear, type Bins } from './bins.ts';
import { storageLanes } from './storage-lanes.ts';
import type { StorageLanes } from './timeline.ts';
import { hasHeatmaps, heatmapBytes } from './heatmap-lanes.ts';
import { sumLanes, type LaneSums } from './lanes.ts';
import { ROLE, type ShownEvents } from './shown-events.ts';

/** Lanes of a window, as `TimelineWindow` has them. */
export interface Lanes {
  readonly readRate: Float32Array;
  readonly writeRate: Float32Array;
  readonly concurrency: Uint32Array;
  readonly storage?: StorageLanes;
}

interface GridOptions {
  /** Events of a stretch of the grid, about, as long as there are not too many stretches. */
  readonly eventsOfStretch: number;
  readonly mostStretches: number;
  /** Windows of no more events are gone through one by one. */
  readonly mostExact: number;
}

const OPTIONS: GridOptions = { eventsOfStretch: 8, mostStretches: 1 << 16, mostExact: 20_000 };
/** Starts that are looked at for each stretch of the grid. */
const SAMPLES = 4;
/** Events that are sorted at a time. */
const SLICE_EVENTS = 1 << 20;

/**
 * The lanes over the whole axis in a grid that is finer where more happens: each stretch holds about as many events. A window
 * with few events is answered from the events, exactly; one with many from the grid, by a work that does not grow with them:
 * bytes of a stretch that two bins share are divided by its length, and its concurrency counts for both.
 */
export class LaneGrid {
  private readonly grid: Grid | undefined;
  private readonly sums: LaneSums[] = [];
  /** First stretch of each part of the sums, and behind the last. */
  private readonly firstOfPart: number[] = [0];
  /** By edge: events that begin before it. */
  private readonly begun: Float64Array;

  constructor(
    private readonly events: ShownEvents,
    private readonly options: GridOptions = OPTIONS,
  ) {
    this.grid = events.axis === 'order' || events.length <= options.mostExact ? undefined : gridOf(events, options);
    this.begun = new Float64Array((this.grid?.count ?? 0) + 1);
    if (this.grid !== undefined) this.fill(this.grid);
  }

  get bytes(): number {
    return (this.grid?.count ?? 0) * 36;
  }

  /** Lanes of a window. Where the axis counts calls there is no time in which bytes could flow: all are 0. */
  lanes(bins: Bins): Lanes {
    if (this.events.axis === 'order') return ratesOf(emptySums(bins.count), bins);
    const sums = this.isExact(bins) ? sumLanes(this.events, bins) : this.fromGrid(bins);
    for (const { trace } of this.events.recordings) {
      // Where there are calls they say the same, and more.
      if (trace.events.length === 0 && hasHeatmaps(trace)) addBytes(sums, heatmapBytes(trace, bins));
    }
    const storage = storageLanes(this.events.recordings, bins);
    return { ...ratesOf(sums, bins), ...(storage && { storage }) };
  }

  private isExact(bins: Bins): boolean {
    if (this.grid === undefined) return true;
    const first = this.grid.at(bins.from);
    const last = this.grid.at(bins.to);
    return this.begun[last + 1]! - this.begun[first]! + this.concurrencyOf(first) <= this.options.mostExact;
  }

  private fill(grid: Grid): void {
    let near = 0;
    this.events.forEachBlock(({ rows, start, role }) => {
      for (let i = 0; i < rows; i++) {
        if (!(role[i]! & ROLE.shown)) continue;
        near = stretchNear(grid, near, start[i]!);
        this.begun[near + 1]!++;
      }
    });
    let first = 0;
    for (let stretch = 0, waiting = 0; stretch < grid.count; stretch++) {
      waiting += this.begun[stretch + 1]!;
      if (waiting < SLICE_EVENTS && stretch < grid.count - 1) continue;
      this.sums.push(sumLanes(this.events, grid.part(first, stretch + 1)));
      this.firstOfPart.push(stretch + 1);
      first = stretch + 1;
      waiting = 0;
    }
    for (let edge = 1; edge < this.begun.length; edge++) this.begun[edge]! += this.begun[edge - 1]!;
  }

  private partOf(stretch: number): number {
    let part = 0;
    while (stretch >= this.firstOfPart[part + 1]!) part++;
    return part;
  }

  private concurrencyOf(stretch: number): number {
    const part = this.partOf(stretch);
    return this.sums[part]!.concurrency[stretch - this.firstOfPart[part]!]!;
  }

  private fromGrid(bins: Bins): LaneSums {
    const { edges, count } = this.grid!;
    const { read, written, concurrency } = emptySums(bins.count);
    // Both stretches and bins stand by time: one walk goes over both.
    let stretch = this.grid!.at(bins.from);
    let part = this.partOf(stretch);
    let bin = 0;
    let binEnd = bins.edge(1);
    for (; stretch < count && edges[stretch]! < bins.to; stretch++) {
      if (stretch === this.firstOfPart[part + 1]) part++;
      const sums = this.sums[part]!;
      const place = stretch - this.firstOfPart[part]!;
      const to = Math.min(edges[stretch + 1]!, bins.to);
      let from = Math.max(edges[stretch]!, bins.from);
      const length = edges[stretch + 1]! - edges[stretch]!;
      while (from < to) {
        if (from >= binEnd) binEnd = bins.edge(++bin + 1);
        const behind = Math.min(to, binEnd);
        const share = (behind - from) / length;
        read[bin]! += sums.read[place]! * share;
        written[bin]! += sums.written[place]! * share;
        if (sums.concurrency[place]! > concurrency[bin]!) concurrency[bin] = sums.concurrency[place]!;
        from = behind;
      }
    }
    return { read, written, concurrency };
  }
}

function addBytes(sums: LaneSums, { read, written }: Pick<LaneSums, 'read' | 'written'>): void {
  for (let bin = 0; bin < read.length; bin++) {
    sums.read[bin]! += read[bin]!;
    sums.written[bin]! += written[bin]!;
  }
}

function emptySums(count: number): LaneSums {
  return { read: new Float64Array(count), written: new Float64Array(count), concurrency: new Uint32Array(count) };
}

function ratesOf({ read, written, concurrency }: LaneSums, bins: Bins): Lanes {
  const seconds = bins.width / 1e9;
  const rate = (bytes: number): number => bytes / seconds;
  return { readRate: Float32Array.from(read, rate), writeRate: Float32Array.from(written, rate), concurrency };
}

/** Edges between which about equally many events begin, found from a sample of their starts. */
function gridOf(events: ShownEvents, { eventsOfStretch, mostStretches }: GridOptions): Grid {
  const wanted = Math.max(1, Math.min(mostStretches, Math.floor(events.length / eventsOfStretch)));
  const step = Math.max(1, Math.floor(events.length / (wanted * SAMPLES)));
  const sample = new Float64Array(Math.ceil(events.length / step) + 1);
  let samples = 0;
  events.forEachBlock(({ rows, firstEvent, start, role }) => {
    for (let i = 0; i < rows; i++) {
      if ((firstEvent + i) % step === 0 && role[i]! & ROLE.shown) sample[samples++] = start[i]!;
    }
  });
  const sorted = sample.subarray(0, samples).sort();
  const edges = [0];
  for (let i = 1; i < wanted; i++) {
    const edge = sorted[Math.floor((i / wanted) * samples)] ?? 0;
    if (edge > edges.at(-1)!) edges.push(edge);
  }
  // Behind everything, also behind a moment at the very end.
  edges.push(Math.max(events.durationNs, edges.at(-1)!) + 1);
  return new Grid(Float64Array.from(edges));
}
