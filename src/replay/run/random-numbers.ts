/** Numbers that look random and are the same in each run (mulberry32): a replay can be repeated. */
export class RandomNumbers {
  constructor(private seed: number) {
    this.fraction();
  }

  /** A whole number from 0 to `end` − 1. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  private fraction(): number {
    this.seed = (this.seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.seed ^ (this.seed >>> 15), this.seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
