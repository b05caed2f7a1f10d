import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';

/** Accesses that can make each other redundant. */
export interface RedundancyGroup {
  readonly process: number;
  readonly contents: number;
  readonly reads: boolean;
}

type RedundancyReport = (owner: number, redundantBytes: number, time: number, group: RedundancyGroup) => void;

/**
 * Which bytes a process read again, or overwrote. Accesses are taken in the order of time; an access is redundant as far
 * as its bytes were touched by an earlier one of the same process, contents and direction.
 *
 * Files are cut at all ends of accesses into pieces that no access divides; a piece is touched once and then skipped by
 * jumping to the next untouched one, so the work is that of sorting the ends.
 */
export class RedundancyLog {
  private readonly groupOf = new Map<string, number>();
  private readonly identities: RedundancyGroup[] = [];
  private readonly furthestEnd = new NumberColumn();
  /** 1 where some access of the group began before the furthest end so far: only there can anything be redundant. */
  private readonly overlaps: number[] = [];

  private readonly group = new IntegerColumn(1024);
  private readonly owner = new IntegerColumn(1024);
  private readonly start = new NumberColumn(1024);
  private readonly bytes = new NumberColumn(1024);
  private readonly time = new NumberColumn(1024);

  /**
   * @param process, contents, reads what belongs together (FileContents tells what is the same contents).
   * @param owner what the redundant bytes are reported for (a row of metrics).
   */
  add(
    process: number,
    contents: number,
    reads: boolean,
    owner: number,
    start: number,
    bytes: number,
    time: number,
  ): void {
    const key = `${process} ${contents} ${reads}`;
    let group = this.groupOf.get(key);
    if (group === undefined) {
      group = this.overlaps.push(0) - 1;
      this.identities.push({ process, contents, reads });
      this.furthestEnd.push(0);
      this.groupOf.set(key, group);
    }
    const furthest = this.furthestEnd.at(group);
    if (start < furthest) this.overlaps[group] = 1;
    if (start + bytes > furthest) this.furthestEnd.values[group] = start + bytes;
    this.group.push(group);
    this.owner.push(owner);
    this.start.push(start);
    this.bytes.push(bytes);
    this.time.push(time);
  }

  /** Calls `report` for every access that is redundant in part or as a whole. */
  forEachRedundant(report: RedundancyReport): void {
    const accesses: number[][] = this.overlaps.map(() => []);
    for (let i = 0; i < this.group.length; i++) {
      const group = this.group.at(i);
      if (this.overlaps[group] === 1) accesses[group]!.push(i);
    }
    accesses.forEach((members, group) => {
      if (members.length > 0) this.sweep(members, this.identities[group]!, report);
    });
  }

  private sweep(members: readonly number[], group: RedundancyGroup, report: RedundancyReport): void {
    const cuts = sortedCuts(members.flatMap((i) => [this.start.at(i), this.start.at(i) + this.bytes.at(i)]));
    // next[p]: the first untouched piece at or behind p.
    const next = Int32Array.from({ length: cuts.length + 1 }, (_, piece) => piece);
    const untouchedFrom = (piece: number): number => {
      let root = piece;
      while (next[root] !== root) root = next[root]!;
      for (let at = piece; next[at] !== root;) {
        const following = next[at]!;
        next[at] = root;
        at = following;
      }
      return root;
    };
    for (const i of members) {
      const start = this.start.at(i);
      const bytes = this.bytes.at(i);
      let fresh = 0;
      for (
        let piece = untouchedFrom(indexOf(cuts, start));
        cuts[piece]! < start + bytes;
        piece = untouchedFrom(piece)
      ) {
        fresh += cuts[piece + 1]! - cuts[piece]!;
        next[piece] = piece + 1;
      }
      if (fresh < bytes) report(this.owner.at(i), bytes - fresh, this.time.at(i), group);
    }
  }
}

function sortedCuts(ends: readonly number[]): Float64Array {
  const sorted = Float64Array.from(ends).sort();
  let length = 0;
  for (const end of sorted) if (length === 0 || sorted[length - 1] !== end) sorted[length++] = end;
  return sorted.slice(0, length);
}

function indexOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
