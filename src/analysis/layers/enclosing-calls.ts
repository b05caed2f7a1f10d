import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import { NONE } from '../../trace/events.ts';
import { orderByStart } from '../offsets/order-by-start.ts';

/** More than one call contains the time: nobody can say which of them it was. */
export const AMBIGUOUS = -2;

/** Groups of a subject: one for each layer, and one more for those of its calls that were only begun. */
const GROUPS_OF_SUBJECT = 16;

/**
 * Calls that may have made others, in groups (the calls of a layer, of one stream, on one file), to be asked which call of
 * a group contains a stretch of time. Each question costs a few steps, whatever the calls are: of the calls that begin
 * before a time, the two that end last tell whether none, one or more than one of them contains what follows.
 */
export class EnclosingCalls {
  private readonly groups = new Map<number, number>();
  /** The calls as they were added, until the first question about them. */
  private added: AddedCalls | undefined;
  private readonly lastKey = new Float64Array(GROUPS_OF_SUBJECT).fill(NaN);
  private readonly lastGroup = new Int32Array(GROUPS_OF_SUBJECT);
  private sorted: SortedCalls | undefined;

  /**
   * @param subjects how many different subjects there are.
   * @param room for how many calls: with more it grows.
   */
  constructor(
    private readonly subjects: number,
    private readonly room: number,
  ) {}

  get isEmpty(): boolean {
    return this.added === undefined && this.sorted === undefined;
  }

  /**
   * The group of some calls, made where there is none yet.
   * @param scope who makes the calls; @param subject what they work on, from 0.
   * @param level below GROUPS_OF_SUBJECT.
   */
  groupOf(scope: number, subject: number, level: number): number {
    const known = this.knownGroup(scope, subject, level);
    if (known !== NONE) return known;
    const group = this.groups.size;
    this.groups.set(this.keyOf(scope, subject, level), group);
    this.lastGroup[level] = group;
    return group;
  }

  /** The group of some calls; NONE where there is none. */
  knownGroup(scope: number, subject: number, level: number): number {
    const key = this.keyOf(scope, subject, level);
    if (key !== this.lastKey[level]) {
      this.lastKey[level] = key;
      this.lastGroup[level] = this.groups.get(key) ?? NONE;
    }
    return this.lastGroup[level]!;
  }

  /** Before the first question. */
  add(group: number, start: number, end: number, row: number): void {
    const added = (this.added ??= new AddedCalls(this.room));
    added.group.push(group);
    added.start.push(start);
    added.end.push(end);
    added.row.push(row);
  }

  /**
   * The row of the one call of a group that contains a time, NONE where none does, AMBIGUOUS where several do.
   * @param toleranceNs nanoseconds that the time may stick out of a call; below 0: that it has to keep from its ends.
   */
  find(group: number, start: number, end: number, toleranceNs: number): number {
    if (group === NONE) return NONE;
    if (this.sorted === undefined) {
      this.sorted = new SortedCalls(this.groups.size, this.added!);
      // As many bytes again.
      this.added = undefined;
    }
    return this.sorted.find(group, start + toleranceNs, end - toleranceNs);
  }

  private keyOf(scope: number, subject: number, level: number): number {
    return (scope * this.subjects + subject) * GROUPS_OF_SUBJECT + level;
  }
}

class AddedCalls {
  readonly group: IntegerColumn;
  readonly start: NumberColumn;
  readonly end: NumberColumn;
  readonly row: IntegerColumn;

  constructor(room: number) {
    this.group = new IntegerColumn(room);
    this.start = new NumberColumn(room);
    this.end = new NumberColumn(room);
    this.row = new IntegerColumn(room);
  }
}

class SortedCalls {
  /** First place of each group, and behind the last. */
  private readonly first: Int32Array;
  private readonly starts: Float64Array;
  /** Up to each place of its group: the call that ends last, and when; and the end of the one that ends next to last. */
  private readonly lastRow: Int32Array;
  private readonly lastEnd: Float64Array;
  private readonly secondEnd: Float64Array;
  /** Where the last question to a group ended: most come in the order of time. */
  private readonly cursor: Int32Array;

  constructor(groups: number, { group, start, end, row }: AddedCalls) {
    const { length } = row;
    this.first = new Int32Array(groups + 1);
    for (let i = 0; i < length; i++) this.first[group.at(i) + 1]!++;
    for (let i = 0; i < groups; i++) this.first[i + 1]! += this.first[i]!;
    this.cursor = this.first.slice(0, groups);
    this.starts = new Float64Array(length);
    this.lastEnd = new Float64Array(length);
    this.lastRow = new Int32Array(length);
    const next = this.first.slice();
    for (let i = 0; i < length; i++) {
      const at = next[group.at(i)]!++;
      this.starts[at] = start.at(i);
      this.lastEnd[at] = end.at(i);
      this.lastRow[at] = row.at(i);
    }
    this.secondEnd = new Float64Array(length);
    for (let i = 0; i < groups; i++) this.finish(this.first[i]!, this.first[i + 1]!);
  }

  private finish(from: number, to: number): void {
    const { starts, lastEnd, lastRow, secondEnd } = this;
    if (!isSorted(starts, from, to)) this.sort(from, to);
    let [last, second, row] = [-Infinity, -Infinity, NONE];
    for (let at = from; at < to; at++) {
      const end = lastEnd[at]!;
      if (end > last) [last, second, row] = [end, last, lastRow[at]!];
      else if (end > second) second = end;
      lastEnd[at] = last;
      lastRow[at] = row;
      secondEnd[at] = second;
    }
  }

  private sort(from: number, to: number): void {
    const order = orderByStart(this.starts.subarray(from, to));
    for (const column of [this.starts, this.lastEnd, this.lastRow]) {
      const values = column.slice(from, to);
      for (let i = 0; i < order.length; i++) column[from + i] = values[order[i]!]!;
    }
  }

  find(group: number, start: number, end: number): number {
    const at = this.lastBegun(group, start);
    if (at < this.first[group]! || this.lastEnd[at]! < end) return NONE;
    return this.secondEnd[at]! < end ? this.lastRow[at]! : AMBIGUOUS;
  }

  /** Place of the last call of a group that begins at a time or before it; one before the group's first where none does. */
  private lastBegun(group: number, time: number): number {
    const { starts, cursor } = this;
    const to = this.first[group + 1]!;
    let low = cursor[group]!;
    let high = low;
    if (starts[low]! > time) {
      low = this.first[group]!;
      if (starts[low]! > time) return low - 1;
    } else {
      let step = 1;
      while (low + step < to && starts[low + step]! <= time) {
        low += step;
        step *= 2;
      }
      high = Math.min(to, low + step);
    }
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= time) low = middle;
      else high = middle;
    }
    cursor[group] = low;
    return low;
  }
}

function isSorted(values: Float64Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) if (values[at]! < values[at - 1]!) return false;
  return true;
}
