import type { RawClock } from './definition-records.ts';

const TWO_32 = 2 ** 32;

/** A place where the clock of a location was compared with the common one. */
export interface ClockOffset {
  /** Ticks since the beginning of the recording, by the location's clock. */
  readonly at: number;
  /** Ticks to be added to get to the common clock. */
  readonly offset: number;
}

/** Ticks of the archive, counted from its beginning: differences are exact where the 64 bits themselves are not. */
export class Ticks {
  private readonly perSecond: number;

  constructor(private readonly clock: RawClock) {
    this.perSecond = clock.ticksPerSecond > 0 ? clock.ticksPerSecond : 1e9;
  }

  /** Later ticks are junk: twice the length that the archive names, and a second; Infinity when it names none. */
  get latest(): number {
    const { length } = this.clock;
    return length > 0 && length < TWO_32 ** 2 ? length + Math.max(length, this.perSecond) : Infinity;
  }

  /** Ticks since the beginning of the recording. */
  since(high: number, low: number): number {
    return (high - this.clock.offsetHigh) * TWO_32 + (low - this.clock.offsetLow);
  }

  /** Whole nanoseconds. */
  nanoseconds(ticks: number): number {
    return this.perSecond === 1e9 ? ticks : Math.round((ticks * 1e9) / this.perSecond);
  }
}

/**
 * Brings ticks of a location onto the common clock: between two comparisons in a straight line, before the first and
 * behind the last as within the interval that is nearest. One comparison alone has no effect, as in OTF2's own library.
 */
export class LocationClock {
  private interval = 0;

  /** @param offsets by time. */
  constructor(private readonly offsets: readonly ClockOffset[]) {}

  corrected(ticks: number): number {
    const { offsets } = this;
    const last = offsets.length - 2;
    if (last < 0) return ticks;
    while (this.interval < last && ticks > offsets[this.interval + 1]!.at) this.interval++;
    while (this.interval > 0 && ticks < offsets[this.interval]!.at) this.interval--;
    const from = offsets[this.interval]!;
    const to = offsets[this.interval + 1]!;
    if (to.at === from.at) return ticks + from.offset;
    return ticks + from.offset + toEven(((ticks - from.at) * (to.offset - from.offset)) / (to.at - from.at));
  }
}

/** The nearest whole number, of two the even one: rint of C. */
function toEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
