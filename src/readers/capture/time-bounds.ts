/** First and last of what happened, in nanoseconds from the trace's reference. */
export class TimeBounds {
  first = Infinity;
  last = -Infinity;

  note(start: number, end: number): void {
    if (start < this.first) this.first = start;
    if (end > this.last) this.last = end;
  }

  shift(by: (time: number) => number): void {
    if (this.first === Infinity) return;
    this.first += by(this.first);
    this.last += by(this.last);
  }
}
