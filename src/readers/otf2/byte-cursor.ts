/** All ones in four and eight bytes: what OTF2 writes for "undefined". */
export const UNDEFINED_32 = 0xffff_ffff;
export const UNDEFINED_64 = 2 ** 64;

const TWO_32 = 2 ** 32;

/**
 * Reads the scalars of OTF2 from bytes. Whoever reads beyond `end` gets zeros and sets `overrun`: on the hot path that is
 * looked at once a record, and costs no exception.
 */
export class ByteCursor {
  bytes: Uint8Array = new Uint8Array();
  at = 0;
  end = 0;
  littleEndian = true;
  overrun = false;
  /** Upper and lower half of the last 64 bits that were read: doubles are exact to 2^53 only. */
  high = 0;
  low = 0;
  private view: DataView = new DataView(new ArrayBuffer(0));

  set(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = 0;
    this.end = bytes.length;
    this.overrun = false;
  }

  u8(): number {
    if (this.at >= this.end) return this.beyond();
    return this.bytes[this.at++]!;
  }

  u16(): number {
    if (this.at + 2 > this.end) return this.beyond();
    this.at += 2;
    return this.view.getUint16(this.at - 2, this.littleEndian);
  }

  u32(): number {
    if (this.at + 4 > this.end) return this.beyond();
    this.at += 4;
    return this.view.getUint32(this.at - 4, this.littleEndian);
  }

  /** Eight bytes without a sign: rounded beyond 2^53, exact in `high` and `low`. */
  u64(): number {
    if (this.at + 8 > this.end) return this.beyond();
    const first = this.view.getUint32(this.at, this.littleEndian);
    const second = this.view.getUint32(this.at + 4, this.littleEndian);
    this.at += 8;
    this.high = this.littleEndian ? second : first;
    this.low = this.littleEndian ? first : second;
    return this.high * TWO_32 + this.low;
  }

  f32(): number {
    if (this.at + 4 > this.end) return this.beyond();
    this.at += 4;
    return this.view.getFloat32(this.at - 4, this.littleEndian);
  }

  f64(): number {
    if (this.at + 8 > this.end) return this.beyond();
    this.at += 8;
    return this.view.getFloat64(this.at - 8, this.littleEndian);
  }

  /** Up to four bytes behind their number; UNDEFINED_32 when it was written as undefined. */
  c32(): number {
    const count = this.u8();
    if (count === 0) return 0;
    if (count === 0xff) return UNDEFINED_32;
    if (count > 4 || this.at + count > this.end) return this.beyond();
    const { bytes, at } = this;
    if (count === 1) {
      this.at = at + 1;
      return bytes[at]!;
    }
    let value = 0;
    if (this.littleEndian) for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
    else for (let i = 0; i < count; i++) value = value * 256 + bytes[at + i]!;
    this.at = at + count;
    return value;
  }

  /** Up to eight bytes behind their number, exact in `high` and `low`; UNDEFINED_64 when it was written as undefined. */
  c64(): number {
    this.high = 0;
    this.low = 0;
    const count = this.u8();
    if (count === 0) return 0;
    if (count === 0xff) {
      this.high = UNDEFINED_32;
      this.low = UNDEFINED_32;
      return UNDEFINED_64;
    }
    if (count > 8 || this.at + count > this.end) return this.beyond();
    const { bytes, at, littleEndian } = this;
    let value = 0;
    if (count <= 4) {
      if (littleEndian) for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
      else for (let i = 0; i < count; i++) value = value * 256 + bytes[at + i]!;
      this.low = value;
      this.at = at + count;
      return value;
    }
    for (let i = 3; i >= 0; i--) value = value * 256 + bytes[littleEndian ? at + i : at + count - 1 - i]!;
    this.low = value;
    value = 0;
    for (let i = count - 1; i >= 4; i--) value = value * 256 + bytes[littleEndian ? at + i : at + count - 1 - i]!;
    this.high = value;
    this.at = at + count;
    return this.high * TWO_32 + this.low;
  }

  /** Signed; negative numbers are always written in full. */
  i64(): number {
    this.c64();
    return (this.high | 0) * TWO_32 + this.low;
  }

  /** A text up to its end mark. */
  text(): string {
    const length = this.bytes.subarray(this.at, this.end).indexOf(0);
    if (length < 0) {
      this.beyond();
      return '';
    }
    const text = decoder.decode(this.bytes.subarray(this.at, this.at + length));
    this.at += length + 1;
    return text;
  }

  private beyond(): number {
    this.overrun = true;
    this.at = this.end;
    this.high = 0;
    this.low = 0;
    return 0;
  }
}

const decoder = new TextDecoder();

/** A number of 64 bits as text: ids that doubles cannot hold are told apart by it. */
export function exactText(high: number, low: number): string {
  return high < 0x20_0000 ? String(high * TWO_32 + low) : String((BigInt(high) << 32n) | BigInt(low));
}
