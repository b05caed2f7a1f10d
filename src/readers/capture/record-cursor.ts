const TWO_28 = 2 ** 28;
const TWO_56 = 2 ** 56;
const decoder = new TextDecoder();

/** A number of 64 bits that tells things apart: exact, whatever its size. */
export type Identifier = number | bigint;

/**
 * Reads numbers and texts of definitions and events. Whoever reads beyond `end` gets zeros and sets `overrun`: on the hot
 * path that is looked at once an event, and costs no exception.
 */
export class RecordCursor {
  bytes: Uint8Array = new Uint8Array();
  at = 0;
  end = 0;
  overrun = false;
  /** Bits 0 to 27, 28 to 55 and 56 to 63 of the last varint. */
  private low = 0;
  private middle = 0;
  private high = 0;

  set(bytes: Uint8Array, from = 0, end = bytes.length): void {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
    this.overrun = false;
  }

  /** A number without a sign, rounded beyond 2^53. */
  varint(): number {
    const { bytes, end } = this;
    if (this.at >= end) return this.beyond();
    const first = bytes[this.at++]!;
    if (first < 0x80) {
      this.low = first;
      this.middle = 0;
      this.high = 0;
      return first;
    }
    let value = first & 0x7f;
    for (let shift = 7; shift < 28; shift += 7) {
      if (this.at >= end) return this.beyond();
      const byte = bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.low = value;
        this.middle = 0;
        this.high = 0;
        return value;
      }
    }
    this.low = value;
    return this.longVarint();
  }

  private longVarint(): number {
    this.middle = 0;
    this.high = 0;
    for (let place = 4; place < 10; place++) {
      if (this.at >= this.end) return this.beyond();
      const byte = this.bytes[this.at++]!;
      if (place < 8) this.middle |= (byte & 0x7f) << ((place - 4) * 7);
      else this.high |= (byte & 0x7f) << ((place - 8) * 7);
      if (byte < 0x80) {
        this.high &= 0xff;
        return this.low + this.middle * TWO_28 + this.high * TWO_56;
      }
    }
    // More than ten bytes are no number.
    return this.beyond();
  }

  /** A number with a sign, rounded beyond 2^53. */
  signed(): number {
    const value = this.varint();
    if ((this.low & 1) === 0) return value / 2;
    return value < 0x80000000 ? -(value >>> 1) - 1 : -((value + 1) / 2);
  }

  identifier(): Identifier {
    const value = this.varint();
    return Number.isSafeInteger(value) ? value : this.lastExact();
  }

  exact(): bigint {
    this.varint();
    return this.lastExact();
  }

  private lastExact(): bigint {
    return (BigInt(this.high) << 56n) | (BigInt(this.middle) << 28n) | BigInt(this.low);
  }

  /** Passes over a number. */
  skip(): void {
    const { bytes, end } = this;
    let { at } = this;
    while (at < end && bytes[at]! >= 0x80) at++;
    if (at >= end) this.overrun = true;
    this.at = at + 1;
  }

  text(): string {
    return decoder.decode(this.raw());
  }

  /** The bytes of a text; they are part of the chunk. */
  raw(): Uint8Array {
    const length = this.varint();
    if (length > this.end - this.at) {
      this.beyond();
      return new Uint8Array();
    }
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  private beyond(): number {
    this.overrun = true;
    this.at = this.end;
    this.low = 0;
    this.middle = 0;
    this.high = 0;
    return 0;
  }
}
