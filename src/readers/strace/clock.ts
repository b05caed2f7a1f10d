import type { LinePrefix } from './line-prefix.ts';

const DAY = 86_400e9;
const HALF_DAY = DAY / 2;

/** The second from which the clocks of all files of a recording count; what events count from is in TraceBuilder. */
export class Origin {
  /** Whole seconds since 1970, or since midnight when no line has a date; NaN until the first time was seen. */
  seconds = NaN;
  /** The recording has dates. */
  dated = false;
}

/**
 * Turns the times of the lines of one file into nanoseconds from the second that all files share. Within one file printed times fall
 * only at midnight (`-tt` has no date) or when the clock is set; both are straightened out, so that the order of the
 * lines stays the order of the times.
 */
export class Clock {
  /** Time of the last line in nanoseconds from that second; NaN while unknown. */
  now = NaN;
  private shift = 0;
  private known = false;

  /**
   * @param near a time in nanoseconds from that second that the file begins close to, NaN when none is known: a time of day
   * without a date is taken to be of the day on which it lies closest to it.
   * @param onSetBack called with the nanoseconds by which the clock was set back.
   */
  constructor(
    private readonly origin: Origin,
    private readonly near: number,
    private readonly onSetBack: (nanoseconds: number) => void,
  ) {}

  /** What `undo` goes back to. */
  private before = { now: NaN, shift: 0, known: false, seconds: NaN, dated: false };

  /** Forgets the time of the last line: it was the program's own output, which only looked like a time. */
  undo(): void {
    const { now, shift, known, seconds, dated } = this.before;
    this.now = now;
    this.shift = shift;
    this.known = known;
    this.origin.seconds = seconds;
    this.origin.dated = dated;
  }

  /** Takes the time of the next line. Every line counts, also one that is of no further interest (`-r`). */
  advance(prefix: LinePrefix): void {
    const { before, origin } = this;
    before.now = this.now;
    before.shift = this.shift;
    before.known = this.known;
    before.seconds = origin.seconds;
    before.dated = origin.dated;
    if (!Number.isNaN(prefix.seconds)) this.advanceTo(prefix.seconds, prefix.nanoseconds, prefix.timeOfDay);
    else if (!Number.isNaN(prefix.relative)) {
      this.now = Number.isNaN(this.now) ? 0 : this.now + prefix.relative;
      if (Number.isNaN(this.origin.seconds)) this.origin.seconds = 0;
    }
  }

  /**
   * Takes the absolute time of the next line, which is not undone.
   * @param timeOfDay it counts from midnight.
   */
  advanceTo(seconds: number, nanoseconds: number, timeOfDay: boolean): void {
    const origin = this.origin;
    if (Number.isNaN(origin.seconds)) {
      origin.seconds = seconds;
      origin.dated = !timeOfDay;
    }
    let time = (seconds - origin.seconds) * 1e9 + nanoseconds + this.shift;
    if (!this.known && timeOfDay && !Number.isNaN(this.near)) {
      const days = Math.round((this.near - time) / DAY) * DAY;
      this.shift += days;
      time += days;
    }
    if (this.known && time < this.now) {
      const back = this.now - time;
      if (timeOfDay && back > HALF_DAY) {
        this.shift += DAY;
        time += DAY;
      } else {
        this.shift += back;
        time = this.now;
        this.onSetBack(back);
      }
    }
    this.known = true;
    this.now = time;
  }
}
