import { TouchedRanges } from './touched-ranges.ts';

/**
 * Which bytes a process read again, or overwrote. Accesses are added in the order of time; an access is redundant as far
 * as its bytes were touched by an earlier one of the same process, contents (FileContents) and direction.
 */
export class RedundancyLog {
  private readonly groups = new Map<number, TouchedRanges>();
  private lastKey = NaN;
  private last = new TouchedRanges();

  /**
   * @param process, contents, direction (0 or 1) what belongs together.
   * @returns how many of the bytes are redundant.
   */
  add(process: number, contents: number, direction: 0 | 1, start: number, bytes: number): number {
    // Below 2^53 for two million processes.
    const key = process * 0x1_0000_0000 + contents * 2 + direction;
    if (key !== this.lastKey) {
      let group = this.groups.get(key);
      if (group === undefined) {
        group = new TouchedRanges();
        this.groups.set(key, group);
      }
      this.lastKey = key;
      this.last = group;
    }
    return this.last.add(start, start + bytes);
  }
}
