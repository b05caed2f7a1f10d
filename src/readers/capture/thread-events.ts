import { NONE } from '../../trace/events.ts';
import { CallArguments } from './call-arguments.ts';
import type { KeptChunk } from './event-chunks.ts';
import type { RecordedFunction } from './recorded-functions.ts';
import { RecordCursor } from './record-cursor.ts';

/** Function, end, duration and stack take a byte each at least. */
const LEAST_EVENT_BYTES = 4;

/** What one wants to know of the events of a chunk that cannot be read. */
type OnLoss = (chunk: KeptChunk, what: string, lost: string) => void;

/**
 * The events of one thread as columns, in the order in which they were written: by their ends, what was called inside of a
 * call in front of it. Arguments are read when their turn comes.
 */
export class ThreadEvents {
  length = 0;
  /** Nanoseconds from the trace's reference. */
  readonly start: Float64Array;
  readonly duration: Float64Array;
  /** Place of the arguments in the kept bytes. */
  readonly position: Uint32Array;
  /** Index into `functions`. */
  readonly called: Uint32Array;
  /** Number of the stack's node; 0 for none. */
  readonly stack: Int32Array;
  /** The call that contains it, or NONE; `nest` says it. */
  parent = new Int32Array();
  /** End of the last event that there is, as `start`; −Infinity when there is none. */
  readonly lastEnd: number;
  readonly functions: RecordedFunction[] = [];
  private readonly known = new Map<number, number>();
  /** Behind each chunk: how many events there are up to its end. */
  private readonly upTo: number[] = [];
  private readonly cursor = new RecordCursor();

  /**
   * @param functionOf by number; undefined when it is not known.
   * @param timeOf nanoseconds from the trace's reference of a time on the host's clock.
   */
  constructor(
    bytes: Uint8Array,
    private readonly chunks: readonly KeptChunk[],
    private readonly functionOf: (number: number) => RecordedFunction | undefined,
    timeOf: (time: bigint) => number,
    onLoss: OnLoss,
  ) {
    const room = chunks.reduce(
      (sum, { from, end, records }) => sum + Math.min(records, Math.floor((end - from) / LEAST_EVENT_BYTES)),
      0,
    );
    this.start = new Float64Array(room);
    this.duration = new Float64Array(room);
    this.position = new Uint32Array(room);
    this.called = new Uint32Array(room);
    this.stack = new Int32Array(room);
    let last = -Infinity;
    for (const chunk of chunks) {
      const tell: OnLoss = chunk.isTold ? () => undefined : onLoss;
      if (chunk.lost > 0) tell(chunk, `the recorder lost ${chunk.lost} calls in front of it`, 'these calls');
      this.cursor.set(bytes, chunk.from, chunk.end);
      last = this.read(chunk, Math.max(timeOf(chunk.time), last), tell);
      this.upTo.push(this.length);
    }
    this.lastEnd = last;
  }

  /** Leaves out what ends later than `time`. @returns the chunks that hold what was left out. */
  cut(time: number): KeptChunk[] {
    let { length } = this;
    while (length > 0 && this.start[length - 1]! + this.duration[length - 1]! > time) length--;
    this.length = length;
    return this.chunks.flatMap((chunk, i) => {
      if (this.upTo[i]! <= length) return [];
      const done = chunk.done + Math.max(0, length - (this.upTo[i - 1] ?? 0));
      return [{ ...chunk, done, isTold: true }];
    });
  }

  /** @returns the end of the last event. */
  private read(chunk: KeptChunk, time: number, onLoss: OnLoss): number {
    const { cursor } = this;
    let end = time;
    let stack = 0;
    const most = Math.min(this.start.length - this.length + chunk.done, chunk.records);
    let count = 0;
    for (; count < most; count++) {
      const number = cursor.varint();
      if (number === 0) break;
      let index = this.known.get(number);
      if (index === undefined) {
        const called = this.functionOf(number);
        if (called === undefined) {
          const left = chunk.records - count;
          onLoss(chunk, `function ${number} is not defined, or in a way that is not known`, `${left} calls`);
          return end;
        }
        index = this.functions.push(called) - 1;
        this.known.set(number, index);
      }
      end += cursor.varint();
      const duration = cursor.varint();
      stack += cursor.signed();
      const position = cursor.at;
      CallArguments.skip(this.functions[index]!, cursor);
      if (cursor.overrun) break;
      if (count < chunk.done) continue;
      const at = this.length++;
      this.start[at] = end - duration;
      this.duration[at] = duration;
      this.position[at] = position;
      this.called[at] = index;
      this.stack[at] = stack;
    }
    if (count < chunk.records)
      onLoss(chunk, `it holds ${count} calls, where ${chunk.records} are named`, 'the others, if there were any');
    // Behind the last call there is nothing but filling.
    else if (cursor.at < cursor.end && cursor.bytes[cursor.at] !== 0)
      onLoss(chunk, `it names ${chunk.records} calls, and holds more`, 'the others');
    return end;
  }

  /** Calls lie apart, or one within the other: what begins no earlier than a call that ends later was made inside of it. */
  nest(): void {
    const { length, start, duration, called, functions } = this;
    const parent = new Int32Array(length).fill(NONE);
    const open = new Int32Array(length);
    let top = 0;
    for (let i = 0; i < length; i++) {
      while (top > 0) {
        const inner = open[top - 1]!;
        if (start[inner]! < start[i]!) break;
        // What the recorder says of a call, it says in front of it; and nothing is made inside of a moment.
        const isBefore = duration[i] === 0 || functions[called[inner]!]!.layer === NONE;
        if (start[inner] === start[i] && isBefore) break;
        parent[inner] = i;
        top--;
      }
      open[top++] = i;
    }
    this.parent = parent;
  }

  /** The events in the order in which they began, a call in front of those that were made inside of it. */
  inOrder(): Uint32Array {
    const { length, parent } = this;
    const size = new Uint32Array(length).fill(1);
    const depth = new Uint32Array(length);
    for (let i = 0; i < length; i++) if (parent[i] !== NONE) size[parent[i]!]! += size[i]!;
    const order = new Uint32Array(length);
    for (let i = length - 1; i >= 0; i--) {
      if (parent[i] !== NONE) depth[i] = depth[parent[i]!]! + 1;
      order[i - size[i]! + 1 + depth[i]!] = i;
    }
    return order;
  }
}
