/** Largest prime below 2^26: the product of two remainders is exact in a double. */
const PRIME = 67_108_859;
const BASE = 41_563_271;

/** `a × b` modulo PRIME, for remainders; a division would cost several times as much. */
function multiply(a: number, b: number): number {
  const product = a * b;
  const remainder = product - Math.floor(product * (1 / PRIME)) * PRIME;
  if (remainder < 0) return remainder + PRIME;
  return remainder >= PRIME ? remainder - PRIME : remainder;
}

/** Symbols that are compared one by one before anything cleverer is tried: most comparisons end within these. */
const AT_ONCE = 8;

/** Stretches that one comparison goes through before it takes to remainders. */
const JUMPS = 4;

/**
 * How far a sequence of symbols is the same from two places on, to the right and to the left.
 *
 * Short answers come from the symbols, long ones from two shortcuts: stretches in which each symbol was last seen the same
 * distance before (loops whose calls all differ: nearly all of real traces) are skipped at once, and what is left is
 * found with remainders of polynomials, by doubling and halving. An answer may be too long when two remainders agree by
 * accident (one pair in 67 million): what is made of it is checked where it is used.
 */
export class CommonExtension {
  private symbols: Int32Array = new Int32Array(0);
  private length = 0;
  /** Distance to the symbol's last place; 0 for its first. */
  private distance = new Int32Array(0);
  /** First and one past the last place of the stretch of equal distances around each place. */
  private stretchStart = new Int32Array(0);
  private stretchEnd = new Int32Array(0);
  private remainders = new Int32Array(1);
  private powers = new Int32Array([1]);
  private lastPlace = new Int32Array(0);
  private hasRemainders = false;

  /** @param symbols numbers from 0 to below `length`, of which the first `length` count. */
  use(symbols: Int32Array, length: number): void {
    this.symbols = symbols;
    this.length = length;
    this.hasRemainders = false;
    if (this.distance.length < length) this.grow(length);
    this.lastPlace.fill(-1, 0, length);
    const { distance, stretchEnd, stretchStart, lastPlace } = this;
    let start = 0;
    for (let at = 0; at < length; at++) {
      const symbol = symbols[at]!;
      const last = lastPlace[symbol]!;
      lastPlace[symbol] = at;
      distance[at] = last < 0 ? 0 : at - last;
      if (distance[at] !== distance[start]) start = at;
      stretchStart[at] = start;
    }
    let end = length;
    for (let at = length - 1; at >= 0; at--) {
      stretchEnd[at] = end;
      if (stretchStart[at] === at) end = at;
    }
  }

  /** Number of equal symbols from `left` and from `right` on; left < right. */
  forwards(left: number, right: number): number {
    const { symbols } = this;
    const most = this.length - right;
    let same = 0;
    for (let jump = 0; ; jump++) {
      const few = same + AT_ONCE < most ? same + AT_ONCE : most;
      while (same < few && symbols[left + same] === symbols[right + same]) same++;
      if (same < few || same === most) return same;
      const next = jump < JUMPS ? this.jumpForwards(left, right, same) : same;
      if (next === same) return this.search(left + same, right + same, most - same, 1) + same;
      same = next;
    }
  }

  private jumpForwards(left: number, right: number, same: number): number {
    const { distance, stretchStart, stretchEnd } = this;
    const at = right + same;
    const step = distance[at]!;
    if (step === 0) return same;
    // Both places lie in one stretch, a number of its steps apart.
    if ((right - left) % step === 0 && left + same >= stretchStart[at]! - step) return stretchEnd[at]! - right;
    // They lie in two stretches of the same step, of which one step is equal.
    if (step > same || distance[left + same] !== step) return same;
    return Math.min(stretchEnd[left + same]! - left, stretchEnd[at]! - right);
  }

  /** Number of equal symbols before `left` and before `right`; left < right. */
  backwards(left: number, right: number): number {
    const { symbols } = this;
    let same = 0;
    for (let jump = 0; ; jump++) {
      const few = same + AT_ONCE < left ? same + AT_ONCE : left;
      while (same < few && symbols[left - same - 1] === symbols[right - same - 1]) same++;
      if (same < few || same === left) return same;
      const next = jump < JUMPS ? this.jumpBackwards(left, right, same) : same;
      if (next === same) return this.search(left - same, right - same, left - same, -1) + same;
      same = next;
    }
  }

  private jumpBackwards(left: number, right: number, same: number): number {
    const { distance, stretchStart } = this;
    const at = right - same - 1;
    const step = distance[at]!;
    if (step === 0) return same;
    const begin = stretchStart[at]! - step;
    const period = right - left;
    if (period % step === 0 && at - period >= begin) return right - begin - period;
    const other = left - same - 1;
    if (step > same || distance[other] !== step) return same;
    const otherBegin = stretchStart[other]! - step;
    return Math.min(right - begin, left - otherBegin);
  }

  /** Doubles what is compared until it differs, then halves. */
  private search(left: number, right: number, most: number, direction: 1 | -1): number {
    if (!this.hasRemainders) this.fillRemainders();
    let same = 0;
    let step = AT_ONCE;
    for (;;) {
      const length = step < most - same ? step : most - same;
      if (length === 0) return same;
      if (!this.isSame(left, right, same, length, direction)) break;
      same += length;
      step *= 2;
    }
    for (step = Math.min(step, most - same); step > 0; step >>= 1) {
      while (same + step <= most && this.isSame(left, right, same, step, direction)) same += step;
    }
    return same;
  }

  private isSame(left: number, right: number, from: number, length: number, direction: 1 | -1): boolean {
    const offset = direction === 1 ? from : -from - length;
    return this.remainder(left + offset, length) === this.remainder(right + offset, length);
  }

  private remainder(start: number, length: number): number {
    const value = this.remainders[start + length]! - multiply(this.remainders[start]!, this.powers[length]!);
    return value < 0 ? value + PRIME : value;
  }

  private fillRemainders(): void {
    this.hasRemainders = true;
    const { length, symbols } = this;
    if (this.remainders.length <= length) {
      this.remainders = new Int32Array(length + 1);
      const known = this.powers.length;
      const powers = new Int32Array(length + 1);
      powers.set(this.powers);
      for (let i = known; i <= length; i++) powers[i] = multiply(powers[i - 1]!, BASE);
      this.powers = powers;
    }
    for (let i = 0; i < length; i++) {
      const value = multiply(this.remainders[i]!, BASE) + ((symbols[i]! + 1) % PRIME);
      this.remainders[i + 1] = value >= PRIME ? value - PRIME : value;
    }
  }

  private grow(length: number): void {
    this.distance = new Int32Array(length);
    this.stretchStart = new Int32Array(length);
    this.stretchEnd = new Int32Array(length);
    this.lastPlace = new Int32Array(length);
  }
}
