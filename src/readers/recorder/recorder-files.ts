import { UnpackError, type PackedSource, type RecordingFile } from '../../trace/byte-source.ts';
import type { DamageLog } from '../../trace/damage.ts';
import { messageOf } from '../../base/error-message.ts';

/** Bytes of one file that are read into memory. */
const MOST_FILE_BYTES = 2 ** 31;
/** Bytes that one packed piece may hold unpacked: more is no table that Recorder writes. */
const MOST_PIECE_BYTES = 1 << 28;
/** Bytes of the two lengths in front of a packed piece. */
const LENGTHS = 16;

/** Where a packed piece stands, and its lengths. */
interface PackedPiece {
  readonly position: number;
  readonly packed: number;
  readonly plain: number;
}

/** The files of a Recorder directory by name. What cannot be read is reported once. */
export class RecorderFiles {
  private readonly byName = new Map<string, RecordingFile>();
  private readonly sources = new Map<string, PackedSource>();

  constructor(
    files: readonly RecordingFile[],
    private readonly damage: DamageLog,
  ) {
    for (const file of files) this.byName.set(file.name, file);
  }

  get names(): string[] {
    return [...this.byName.keys()];
  }

  path(name: string): string | undefined {
    return this.byName.get(name)?.path;
  }

  /**
   * All bytes of a file, or some.
   * @param lost what is missing from the trace without it.
   * @returns undefined when it is not there or cannot be read, which is reported.
   */
  async read(name: string, lost: string, from = 0, length = Infinity): Promise<Uint8Array | undefined> {
    const source = await this.open(name, lost);
    if (source === undefined) return undefined;
    try {
      const wanted = Math.min(length, Math.max(0, source.size - from));
      if (wanted > MOST_FILE_BYTES) throw new Error(`it holds ${source.size} bytes, more than are read`);
      const bytes = new Uint8Array(wanted);
      let got = 0;
      while (got < wanted) {
        const more = await source.read(from + got, bytes.subarray(got));
        if (more === 0) break;
        got += more;
      }
      return bytes.subarray(0, got);
    } catch (error) {
      this.damage.add('file', name, `cannot be read: ${messageOf(error)}`, lost);
      return undefined;
    }
  }

  /** The content of a file that may be absent. */
  async readIfThere(name: string, lost: string): Promise<Uint8Array | undefined> {
    return this.byName.has(name) ? this.read(name, lost) : undefined;
  }

  /**
   * Unpacks pieces that stand one behind the other, each with its packed and plain length in front.
   * @param length bytes that the pieces take.
   * @returns those before the first that makes no sense, which is reported.
   */
  async unpack(name: string, lost: string, from = 0, length = Infinity): Promise<Uint8Array[]> {
    const source = await this.open(name, lost);
    if (source === undefined) return [];
    const pieces: Uint8Array[] = [];
    const end = Math.min(source.size, from + length);
    if (end <= from) this.damage.add('file', name, 'it is cut off', lost);
    for (let at = from; at < end;) {
      const lengths = new DataView(new ArrayBuffer(LENGTHS));
      const got = end - at < LENGTHS ? 0 : await source.read(at, new Uint8Array(lengths.buffer));
      const packed = Number(lengths.getBigUint64(0, true));
      const plain = Number(lengths.getBigUint64(8, true));
      if (got < LENGTHS || plain > MOST_PIECE_BYTES || at + LENGTHS + packed > source.size) {
        this.damage.add('region', `${name}, byte ${at}`, 'the lengths of a packed piece make no sense', lost);
        return pieces;
      }
      const piece = await this.inflated(source, name, { position: at + LENGTHS, packed, plain }, lost);
      if (piece.length > 0) pieces.push(piece);
      at += LENGTHS + packed;
    }
    return pieces;
  }

  private async inflated(
    source: PackedSource,
    name: string,
    { position, packed, plain }: PackedPiece,
    lost: string,
  ): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let length = 0;
    let problem = '';
    try {
      for await (const part of source.unpack('zlib', position, packed)) {
        // A piece is handed out in memory that is used again.
        parts.push(part.slice(0, plain - length));
        length += part.length;
        if (length > plain) break;
      }
      if (length !== plain)
        problem = `a packed piece holds ${length > plain ? 'more' : 'less'} than the ${plain} bytes it says`;
    } catch (error) {
      if (!(error instanceof UnpackError)) throw error;
      problem = error.message;
    }
    if (problem !== '') this.damage.add('region', `${name}, byte ${position}`, problem, lost);
    return joined(parts);
  }

  private async open(name: string, lost: string): Promise<PackedSource | undefined> {
    const opened = this.sources.get(name);
    if (opened !== undefined) return opened;
    const file = this.byName.get(name);
    if (file === undefined) {
      this.damage.add('file', name, 'the file is missing', lost);
      return undefined;
    }
    try {
      const source = await file.openAt();
      this.sources.set(name, source);
      return source;
    } catch (error) {
      this.damage.add('file', name, `cannot be opened: ${messageOf(error)}`, lost);
      return undefined;
    }
  }

  /** Closes a file that is not needed again: thousands of ranks have thousands of files. */
  async close(name: string): Promise<void> {
    const source = this.sources.get(name);
    this.sources.delete(name);
    await source?.close();
  }

  async closeAll(): Promise<void> {
    for (const name of [...this.sources.keys()]) await this.close(name);
  }
}

/** The bytes of several pieces in a row. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
