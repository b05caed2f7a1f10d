import type { Indices } from './indices.ts';

/** Columns that grow: for tables whose length is not known beforehand. */

type NumberArray = Float64Array | Int32Array | Uint32Array | Uint8Array;

abstract class Column<Value extends number, Values extends Indices<Value, NumberArray>> {
  length = 0;

  protected constructor(public values: Values) {}

  protected abstract allocate(length: number): Values;

  push(value: Value): number {
    this.makeRoom();
    this.values[this.length] = value;
    return this.length++;
  }

  /** Makes room for one more value behind the last. Whoever writes it there counts it in `length`. */
  makeRoom(): void {
    if (this.length < this.values.length) return;
    this.widen(this.values.length * 2);
  }

  /** Makes room for so many values in all, which then need not be copied while the column grows. */
  reserve(room: number): void {
    if (room > this.values.length) this.widen(room);
  }

  private widen(room: number): void {
    const wider = this.allocate(room);
    wider.set(this.values.subarray(0, this.length));
    this.values = wider;
  }

  at(index: number): Value {
    return this.values[index]!;
  }

  /**
   * Becomes what another column is now. Both share the memory, so nothing may be added to this one from now on: what is added
   * to the other one stands behind its end.
   */
  become(other: Column<Value, Values>): void {
    this.values = other.values;
    this.length = other.length;
  }
}

/** @template Value what its numbers stand for. */
export class IntegerColumn<Value extends number = number> extends Column<Value, Indices<Value>> {
  constructor(room = 64) {
    super(new Int32Array(room) as Indices<Value>);
  }
  protected override allocate(length: number): Indices<Value> {
    return new Int32Array(length) as Indices<Value>;
  }
}

export class NumberColumn extends Column<number, Float64Array> {
  constructor(room = 64) {
    super(new Float64Array(room));
  }
  protected override allocate(length: number): Float64Array {
    return new Float64Array(length);
  }
}
