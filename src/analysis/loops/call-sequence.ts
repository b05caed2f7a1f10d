import { IntegerColumn, NumberColumn } from '../../trace/columns.ts';
import { TupleTable } from './tuple-table.ts';

/**
 * Numbers of a call that may count with the iterations: number of its file, offset (of messages: peer), bytes asked for, and
 * the first number of its file where two count.
 */
export const COUNTING = { file: 0, place: 1, requested: 2, outer: 3 } as const;
export const COUNTING_NUMBERS = 4;
export type CountingNumber = (typeof COUNTING)[keyof typeof COUNTING];

/** What of a call never counts. A row of `CallSequence.shapes`. */
export const SHAPE = {
  /** 0 for calls, 1 for synchronisation. */
  kind: 0,
  /** Index of the call; of the message's kind and operation. */
  call: 1,
  layer: 2,
  /** Index of the file, NONE, or −2 − the index of its numbered paths. */
  file: 3,
  slot: 4,
  /** Bits: which of the counting numbers it has (1 << COUNTING.…), and FOLLOWS. */
  has: 5,
  /** `argument`, and 1 where it has one. */
  argument: 6,
  hasArgument: 7,
  flags: 8,
  error: 9,
  /** Call site, where these tell calls apart; communicator of messages. */
  site: 10,
} as const;
const SHAPE_WIDTH = 11;
/** Bit of `SHAPE.has`: it has no place since it goes on where its handle stood. */
export const FOLLOWS = 1 << COUNTING_NUMBERS;

const NO_STEPS: readonly number[] = [];

/** A loop's step of the counting numbers of one of its calls: the rest of the call's shape, then the steps. */
const STEP_WIDTH = 1 + COUNTING_NUMBERS;

/**
 * Calls one after the other, in columns: what never counts by number (its shape), the numbers that may count, and what
 * the call cost. The calls of a loop's body are put behind the sequence while the body is worked on: there the shape
 * includes by how much each number counts in the loops around it, so that what is equal there is equal in all iterations.
 */
export class CallSequence {
  readonly shapes = new TupleTable(SHAPE_WIDTH);
  private readonly steps = new TupleTable(STEP_WIDTH);
  /** A shape (index into `shapes`), or −1 − an index into `steps`. */
  readonly shape: IntegerColumn;
  /** Row of the event or message that it stands for first. */
  readonly row: IntegerColumn;
  readonly numbers: readonly [file: NumberColumn, place: NumberColumn, requested: NumberColumn, outer: NumberColumn];
  readonly events: NumberColumn;
  readonly bytes: NumberColumn;
  readonly timeNs: NumberColumn;
  private readonly stepped = new Float64Array(STEP_WIDTH);

  /** @param places calls that the caller fills in, in every column. */
  constructor(places: number) {
    const room = Math.max(64, Math.ceil(places * 1.25));
    this.shape = new IntegerColumn(room);
    this.row = new IntegerColumn(room);
    const column = (): NumberColumn => new NumberColumn(room);
    this.numbers = [column(), column(), column(), column()];
    this.events = new NumberColumn(room);
    this.bytes = new NumberColumn(room);
    this.timeNs = new NumberColumn(room);
    this.cut(places);
  }

  get length(): number {
    return this.shape.length;
  }

  /** Forgets the calls from a place on. */
  cut(length: number): void {
    for (const column of [this.shape, this.row, ...this.numbers, this.events, this.bytes, this.timeNs]) {
      column.length = length;
    }
  }

  /** Adds a call that is made `count` times behind each other as one, with the sum of what it cost. */
  addRepeated(at: number, count: number): void {
    this.addSum(at, 1, count);
    this.shape.push(this.shape.at(at));
  }

  /** Adds a call of a loop's body: one for all iterations of `period` calls, with the sum of what they cost. */
  addIterations(at: number, period: number, count: number): void {
    this.addSum(at, period, count);
    const { stepped } = this;
    stepped[0] = this.shape.at(at);
    this.numbers.forEach(({ values }, number) => {
      stepped[number + 1] = values[at + period]! - values[at]!;
    });
    this.shape.push(-1 - this.steps.intern(stepped));
  }

  private addSum(at: number, period: number, count: number): void {
    let events = 0;
    let bytes = 0;
    let timeNs = 0;
    for (let i = 0, place = at; i < count; i++, place += period) {
      events += this.events.values[place]!;
      bytes += this.bytes.values[place]!;
      timeNs += this.timeNs.values[place]!;
    }
    this.row.push(this.row.at(at));
    for (const column of this.numbers) column.push(column.at(at));
    this.events.push(events);
    this.bytes.push(bytes);
    this.timeNs.push(timeNs);
  }

  /** What never counts of the call at a place. */
  shapeOf(at: number): (field: number) => number {
    let shape = this.shape.at(at);
    while (shape < 0) shape = this.steps.at(-1 - shape, 0);
    return (field) => this.shapes.at(shape, field);
  }

  /** By how much a number of the call at a place counts in the loops around it, outermost first; empty when it does not. */
  stepsOf(at: number, number: number): readonly number[] {
    if (this.shape.values[at]! >= 0) return NO_STEPS;
    const steps: number[] = [];
    for (let shape = this.shape.at(at); shape < 0; shape = this.steps.at(-1 - shape, 0)) {
      steps.push(this.steps.at(-1 - shape, number + 1));
    }
    return steps.every((step) => step === 0) ? NO_STEPS : steps.reverse();
  }

  /** Whether the numbers of the call at a place are those of another one. */
  hasSameNumbers(a: number, b: number): boolean {
    const [file, place, requested, outer] = this.numbers;
    return (
      outer.values[a] === outer.values[b] &&
      file.values[a] === file.values[b] &&
      place.values[a] === place.values[b] &&
      requested.values[a] === requested.values[b]
    );
  }

  /** Whether the numbers grow from the first place to the second as from the second to the third. */
  growsAlike(first: number, second: number, third: number): boolean {
    for (const { values } of this.numbers) {
      if (values[second]! - values[first]! !== values[third]! - values[second]!) return false;
    }
    return true;
  }
}
