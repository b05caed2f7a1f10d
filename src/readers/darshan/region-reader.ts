import { UnpackError } from '../../trace/byte-source.ts';
import { messageOf } from '../../base/error-message.ts';

/**
 * Goes over the unpacked bytes of a region, which arrive in pieces of any size, record by record. A record that lies
 * across two pieces is joined; nothing else is copied.
 */
export class RegionReader {
  bytes: Uint8Array = new Uint8Array();
  view: DataView = new DataView(new ArrayBuffer(0));
  /** Position in `bytes` of what is read next. */
  at = 0;
  /** Unpacked bytes up to `at`. */
  private consumed = 0;
  /** Why the region ends before its end; undefined when it does not. */
  failure: UnpackError | undefined;
  private joined = new Uint8Array(1 << 12);

  constructor(
    private readonly pieces: AsyncGenerator<Uint8Array>,
    readonly littleEndian: boolean,
    /** Called before each piece; what it throws ends the reading. */
    private readonly beforePiece: () => void = () => undefined,
  ) {}

  /** Unpacked bytes that were read. */
  get position(): number {
    return this.consumed + this.at;
  }

  /** Bytes at hand. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Gets at least `length` bytes to hand, a few thousand at the most; false when the region has no more. */
  async fill(length: number): Promise<boolean> {
    while (this.left < length) {
      this.putAside();
      const piece = await this.next();
      if (piece === undefined) return false;
      this.join(piece);
    }
    return true;
  }

  /** Passes over bytes; false when the region ends before. */
  async skip(length: number): Promise<boolean> {
    let left = length;
    while (left > this.left) {
      left -= this.left;
      this.at = this.bytes.length;
      if (!(await this.fill(1))) return false;
    }
    this.at += left;
    return true;
  }

  /** Ends the unpacking before the end of the region. */
  async close(): Promise<void> {
    await this.pieces.return(undefined).catch(() => undefined);
  }

  uint32(at: number): number {
    return this.view.getUint32(at, this.littleEndian);
  }

  uint64(at: number): bigint {
    return this.view.getBigUint64(at, this.littleEndian);
  }

  /** A signed integer of 64 bits; exact up to 2^53. */
  int64(at: number): number {
    return int64At(this.view, at, this.littleEndian);
  }

  float64(at: number): number {
    return this.view.getFloat64(at, this.littleEndian);
  }

  private async next(): Promise<Uint8Array | undefined> {
    if (this.failure !== undefined) return undefined;
    this.beforePiece();
    try {
      const result = await this.pieces.next();
      return result.done === true ? undefined : result.value;
    } catch (error) {
      const message = messageOf(error);
      this.failure = error instanceof UnpackError ? error : new UnpackError(message, undefined);
      return undefined;
    }
  }

  /** A piece is valid until the next one is asked for: what is left of it is copied. */
  private putAside(): void {
    const rest = this.bytes.subarray(this.at);
    if (rest.length > this.joined.length) this.joined = new Uint8Array(rest.length * 2);
    this.joined.set(rest);
    this.consumed += this.at;
    this.use(this.joined.subarray(0, rest.length));
  }

  private join(piece: Uint8Array): void {
    const rest = this.bytes.length;
    if (rest === 0) {
      this.use(piece);
      return;
    }
    const length = rest + piece.length;
    if (length > this.joined.length) {
      const wider = new Uint8Array(length);
      wider.set(this.bytes);
      this.joined = wider;
    }
    this.joined.set(piece, rest);
    this.use(this.joined.subarray(0, length));
  }

  private use(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.at = 0;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

const TWO_TO_32 = 4_294_967_296;

/** A signed integer of 64 bits; exact up to 2^53. */
export function int64At(view: DataView, at: number, littleEndian: boolean): number {
  const high = view.getInt32(littleEndian ? at + 4 : at, littleEndian);
  const low = view.getUint32(littleEndian ? at : at + 4, littleEndian);
  return high * TWO_TO_32 + low;
}

const decoder = new TextDecoder();

/** Text up to the first NUL, or all of the bytes. */
export function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
}
