import type { ProcessDefinition } from './definitions.ts';

/** Two pairs of clocks that are further apart are of a host that was started anew, or slept in between. */
const SAME_CLOCK_NS = 1_000_000_000n;

interface ClockPair {
  /** Nanoseconds. */
  readonly wall: bigint;
  readonly monotonic: bigint;
}

/**
 * Brings the clocks of all processes onto one axis: those of a host have one monotonic clock, and hosts are as far apart
 * as their dates.
 */
export class Clocks {
  private readonly pairs = new Map<string, ClockPair[]>();
  /** Date that the axis counts from, in nanoseconds since 1970. */
  private origin: bigint | undefined;

  /** @returns nanoseconds on the axis of times of the process's clock. */
  axisOf({ host, wallClock, monotonicClock }: ProcessDefinition): (time: bigint) => number {
    this.origin ??= wallClock;
    let known = this.pairs.get(host);
    if (known === undefined) this.pairs.set(host, (known = []));
    let pair = known.find(({ wall, monotonic }) => {
      const apart = wall - monotonic - (wallClock - monotonicClock);
      return apart < SAME_CLOCK_NS && apart > -SAME_CLOCK_NS;
    });
    if (pair === undefined) known.push((pair = { wall: wallClock, monotonic: monotonicClock }));
    const shift = pair.wall - pair.monotonic - this.origin;
    return (time) => Number(time + shift);
  }

  /** Seconds since 1970 of the axis's beginning; null when nothing was read. */
  get start(): number | null {
    return this.origin === undefined ? null : Number(this.origin / 1000n) / 1e6;
  }
}
