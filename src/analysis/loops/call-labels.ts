import { NONE } from '../../trace/events.ts';
import { COUNTING_NUMBERS, type CallSequence } from './call-sequence.ts';
import { mix } from './tuple-table.ts';

/**
 * Small numbers for the calls of a sequence, by which runs are looked for: two calls have the same number when they are
 * equal, or (`labelGrowth`) when they are equal but for numbers that grew by the same since the last call that was equal so.
 * In loops whose numbers count, the latter repeat from the second iteration on.
 */
export class CallLabels {
  /** Place of the first call of each number, and the number's hash. */
  private firstPlace = new Int32Array(0);
  private hashes = new Int32Array(0);
  private slots = new Int32Array(16);
  private mask = 15;
  private count = 0;
  /** Last place of each shape. */
  private lastOfShape = new Map<number, number>();
  /** For each call the place of the last one of its shape, NONE for the first. */
  private before = new Int32Array(0);

  constructor(private readonly calls: CallSequence) {}

  /** Labels by all that is known of the calls. */
  labelCalls(from: number, to: number, labels: Int32Array): void {
    this.prepare(to - from);
    const { calls } = this;
    const shapes = calls.shape.values;
    const [file, place, requested, outer] = calls.numbers;
    for (let at = from; at < to; at++) {
      const ofFile = mix(mix(shapes[at]!, file.values[at]!), outer.values[at]!);
      const hash = mix(mix(ofFile, place.values[at]!), requested.values[at]!);
      let slot = hash & this.mask;
      let label = this.slots[slot]! - 1;
      while (label >= 0) {
        const first = this.firstPlace[label]!;
        if (this.hashes[label] === hash && shapes[first] === shapes[at] && calls.hasSameNumbers(first, at)) break;
        slot = (slot + 1) & this.mask;
        label = this.slots[slot]! - 1;
      }
      labels[at - from] = label >= 0 ? label : this.add(at, hash, slot);
    }
  }

  /** Labels by what never counts and by what the numbers grew. */
  labelGrowth(from: number, to: number, labels: Int32Array): void {
    this.prepare(to - from);
    this.findBefore(from, to);
    const { calls, before } = this;
    const shapes = calls.shape.values;
    for (let at = from; at < to; at++) {
      const last = before[at - from]!;
      if (last === NONE) {
        // Nothing that it could be equal to: a label of its own, in no slot.
        labels[at - from] = this.count;
        this.firstPlace[this.count++] = at;
        continue;
      }
      const hash = this.growthHash(at, last);
      let slot = hash & this.mask;
      let label = this.slots[slot]! - 1;
      while (label >= 0) {
        const first = this.firstPlace[label]!;
        if (
          this.hashes[label] === hash &&
          shapes[first] === shapes[at] &&
          this.grewAlike(first - from, at - from, from)
        ) {
          break;
        }
        slot = (slot + 1) & this.mask;
        label = this.slots[slot]! - 1;
      }
      labels[at - from] = label >= 0 ? label : this.add(at, hash, slot);
    }
  }

  private findBefore(from: number, to: number): void {
    const { lastOfShape, before } = this;
    const shapes = this.calls.shape.values;
    lastOfShape.clear();
    for (let at = from; at < to; at++) {
      before[at - from] = lastOfShape.get(shapes[at]!) ?? NONE;
      lastOfShape.set(shapes[at]!, at);
    }
  }

  private growthHash(at: number, last: number): number {
    let hash = this.calls.shape.values[at]!;
    for (let number = 0; number < COUNTING_NUMBERS; number++) {
      const { values } = this.calls.numbers[number]!;
      hash = mix(hash, values[at]! - values[last]!);
    }
    return hash;
  }

  private grewAlike(first: number, second: number, from: number): boolean {
    const firstLast = this.before[first]!;
    const secondLast = this.before[second]!;
    for (const { values } of this.calls.numbers) {
      if (values[from + first]! - values[firstLast]! !== values[from + second]! - values[secondLast]!) return false;
    }
    return true;
  }

  private prepare(length: number): void {
    if (this.firstPlace.length < length) {
      this.firstPlace = new Int32Array(length);
      this.hashes = new Int32Array(length);
      this.before = new Int32Array(length);
    }
    let size = 16;
    while (size < length * 2) size *= 2;
    if (this.slots.length < size) this.slots = new Int32Array(size);
    else this.slots.fill(0, 0, size);
    this.mask = size - 1;
    this.count = 0;
  }

  private add(at: number, hash: number, slot: number): number {
    this.firstPlace[this.count] = at;
    this.hashes[this.count] = hash;
    this.slots[slot] = ++this.count;
    return this.count - 1;
  }
}
