import { NONE } from '../../trace/events.ts';
import type { HandleIndex } from '../../trace/indices.ts';

/** Numbers for the handles that one stream uses, as descriptors get theirs: the lowest that is free. */
export class Slots {
  private readonly slotOf = new Map<number, number>();
  /** Free numbers below `next`: a heap, the lowest on top. */
  private readonly free: number[] = [];
  private next = 0;

  /** The number of a handle, which is given one at its first use. */
  of(handle: HandleIndex): number {
    if (handle === NONE) return NONE;
    let slot = this.slotOf.get(handle);
    if (slot === undefined) {
      slot = this.free.length > 0 ? this.takeLowest() : this.next++;
      this.slotOf.set(handle, slot);
    }
    return slot;
  }

  /** The handle was closed: its number is free again. */
  release(handle: HandleIndex): void {
    const slot = this.slotOf.get(handle);
    if (slot === undefined) return;
    this.slotOf.delete(handle);
    const { free } = this;
    let at = free.push(slot) - 1;
    while (at > 0 && free[(at - 1) >> 1]! > slot) {
      free[at] = free[(at - 1) >> 1]!;
      at = (at - 1) >> 1;
    }
    free[at] = slot;
  }

  private takeLowest(): number {
    const { free } = this;
    const lowest = free[0]!;
    const moved = free.pop()!;
    if (free.length === 0) return lowest;
    let at = 0;
    for (let child = 1; child < free.length; child = at * 2 + 1) {
      if (child + 1 < free.length && free[child + 1]! < free[child]!) child++;
      if (free[child]! >= moved) break;
      free[at] = free[child]!;
      at = child;
    }
    free[at] = moved;
    return lowest;
  }
}
