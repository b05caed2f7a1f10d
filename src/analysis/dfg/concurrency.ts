/**
 * How many calls were under way at once, by a sweep over their starts. Ends of the calls under way stand in a heap,
 * which never holds more than there are processes. A call that starts when another ends does not overlap it.
 */
export class Concurrency {
  /** The most so far. */
  most = 0;
  private readonly ends: number[] = [];

  /**
   * Calls come in the order of their starts; nanoseconds.
   * @returns how many are under way with this one.
   */
  add(start: number, duration: number): number {
    const others = this.at(start);
    this.insert(start + duration);
    if (others + 1 > this.most) this.most = others + 1;
    return others + 1;
  }

  /** How many of the calls so far are under way at a time, which is not before that of the last question. */
  at(timeNs: number): number {
    const { ends } = this;
    while (ends.length > 0 && ends[0]! <= timeNs) this.removeFirst();
    return ends.length;
  }

  private insert(end: number): void {
    const { ends } = this;
    let at = ends.push(end) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (ends[parent]! <= end) break;
      ends[at] = ends[parent]!;
      at = parent;
    }
    ends[at] = end;
  }

  private removeFirst(): void {
    const { ends } = this;
    const end = ends.pop()!;
    const { length } = ends;
    if (length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && ends[child + 1]! < ends[child]!) child++;
      if (ends[child]! >= end) break;
      ends[at] = ends[child]!;
      at = child;
    }
    ends[at] = end;
  }
}
