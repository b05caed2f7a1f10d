/** Number of groups that counts are kept for: no colour, green, red. */
const GROUPS = 3;
/** Up to this many activities counts stand in a matrix; beyond it in a map, which is slower and smaller. */
const LARGEST_MATRIX = 1024;

interface CountedEdge {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly green: number;
  readonly red: number;
}

/** How often one activity directly followed another, in all and for each side of a partition. */
export class EdgeCounts {
  private width = 64;
  private matrix: Float64Array | undefined = new Float64Array(this.width * this.width * GROUPS);
  private readonly map = new Map<number, Float64Array>();
  /** Edges in the order of first sight. */
  private readonly seen: number[] = [];

  add(from: number, to: number, group: number): void {
    if (this.matrix !== undefined && (from >= this.width || to >= this.width)) this.widen(Math.max(from, to) + 1);
    if (this.matrix === undefined) {
      this.inMap(from, to)[group]!++;
      return;
    }
    const at = (from * this.width + to) * GROUPS;
    if (this.matrix[at] === 0 && this.matrix[at + 1] === 0 && this.matrix[at + 2] === 0) this.see(from, to);
    this.matrix[at + group]!++;
  }

  list(): CountedEdge[] {
    return this.seen.map((key) => {
      const from = Math.floor(key / 0x1000000);
      const to = key % 0x1000000;
      const counts = this.counts(from, to);
      return { from, to, count: counts[0]! + counts[1]! + counts[2]!, green: counts[1]!, red: counts[2]! };
    });
  }

  private see(from: number, to: number): void {
    this.seen.push(from * 0x1000000 + to);
  }

  private counts(from: number, to: number): Float64Array {
    if (this.matrix === undefined) return this.inMap(from, to);
    const at = (from * this.width + to) * GROUPS;
    return this.matrix.subarray(at, at + GROUPS);
  }

  private inMap(from: number, to: number): Float64Array {
    const key = from * 0x1000000 + to;
    let counts = this.map.get(key);
    if (counts === undefined) {
      counts = new Float64Array(GROUPS);
      this.map.set(key, counts);
      this.see(from, to);
    }
    return counts;
  }

  private widen(needed: number): void {
    let width = this.width;
    while (width < needed) width *= 2;
    const edges = this.seen.splice(0).map((key): [number, number, Float64Array] => {
      const from = Math.floor(key / 0x1000000);
      const to = key % 0x1000000;
      return [from, to, this.counts(from, to).slice()];
    });
    this.width = width;
    this.matrix = width > LARGEST_MATRIX ? undefined : new Float64Array(width * width * GROUPS);
    for (const [from, to, counts] of edges) {
      if (this.matrix === undefined) this.inMap(from, to).set(counts);
      else {
        this.see(from, to);
        this.matrix.set(counts, (from * width + to) * GROUPS);
      }
    }
  }
}
