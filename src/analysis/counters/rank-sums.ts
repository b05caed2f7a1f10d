import { valueOrZero } from './lacking.ts';

/** Sums for each process. Ranks come from a file that may be damaged, so their numbers say nothing about memory. */
export class RankSums<Name extends string> {
  /** Place of each rank in the columns. */
  private readonly places = new Map<number, number>();
  private readonly columns: Map<Name, Float64Array>;
  private room = 64;

  constructor(private readonly names: readonly Name[]) {
    this.columns = new Map(names.map((name) => [name, new Float64Array(this.room)]));
  }

  /** Ranks that something was added for. */
  get size(): number {
    return this.places.size;
  }

  /** @param value counts as nothing when it is no number. */
  add(rank: number, name: Name, value: number): void {
    let place = this.places.get(rank);
    if (place === undefined) {
      place = this.places.size;
      this.places.set(rank, place);
      if (place === this.room) this.grow();
    }
    this.columns.get(name)![place]! += valueOrZero(value);
  }

  /** 0 for ranks that nothing was added for. */
  get(rank: number, name: Name): number {
    const place = this.places.get(rank);
    return place === undefined ? 0 : this.columns.get(name)![place]!;
  }

  /** Ascending. */
  ranks(): number[] {
    return [...this.places.keys()].sort((a, b) => a - b);
  }

  private grow(): void {
    this.room *= 2;
    for (const name of this.names) {
      const larger = new Float64Array(this.room);
      larger.set(this.columns.get(name)!);
      this.columns.set(name, larger);
    }
  }
}
