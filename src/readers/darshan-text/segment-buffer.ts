/** The segments of one file record: writes first, then reads, as darshan-dxt-parser prints them. */
export class SegmentBuffer {
  length = 0;
  /** Nanoseconds from the start of the job. */
  start = new Float64Array(1024);
  duration = new Float64Array(1024);
  offset = new Float64Array(1024);
  bytes = new Float64Array(1024);
  line = new Uint32Array(1024);
  /** Index of the text of the stack, or NONE. */
  stack = new Int32Array(1024);
  isWrite = new Uint8Array(1024);
  private order = new Uint32Array(1024);

  /** The place of a further segment, whose columns the caller fills. */
  append(): number {
    if (this.length === this.start.length) this.grow();
    return this.length++;
  }

  clear(): void {
    this.length = 0;
  }

  /** The segments by their start; those that start together stay in the order of the text. Valid until `clear`. */
  byStart(): Uint32Array {
    const { start, length } = this;
    const order = this.order.subarray(0, length);
    const middle = this.endOfRun(0);
    if (middle === length) {
      for (let i = 0; i < length; i++) order[i] = i;
    } else if (this.endOfRun(middle) === length) {
      for (let i = 0, a = 0, b = middle; i < length; i++) {
        const takesFirst = b === length || (a < middle && start[a]! <= start[b]!);
        order[i] = takesFirst ? a++ : b++;
      }
    } else {
      for (let i = 0; i < length; i++) order[i] = i;
      order.sort((a, b) => start[a]! - start[b]! || a - b);
    }
    return order;
  }

  /** Where the segments that begin at `from` stop following each other in time. */
  private endOfRun(from: number): number {
    const { start, length } = this;
    let at = from + 1;
    while (at < length && start[at]! >= start[at - 1]!) at++;
    return Math.min(at, length);
  }

  private grow(): void {
    const room = this.start.length * 2;
    const wider = <Values extends Float64Array | Uint32Array | Int32Array | Uint8Array>(from: Values, to: Values) => {
      to.set(from);
      return to;
    };
    this.start = wider(this.start, new Float64Array(room));
    this.duration = wider(this.duration, new Float64Array(room));
    this.offset = wider(this.offset, new Float64Array(room));
    this.bytes = wider(this.bytes, new Float64Array(room));
    this.line = wider(this.line, new Uint32Array(room));
    this.stack = wider(this.stack, new Int32Array(room));
    this.isWrite = wider(this.isWrite, new Uint8Array(room));
    this.order = new Uint32Array(room);
  }
}
