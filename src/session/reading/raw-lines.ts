import type { ByteSource } from '../../trace/byte-source.ts';
import { messageOf } from '../../base/error-message.ts';
import { decompressed, isCompressed } from './compression/decompress.ts';
import { LocalSource, MemorySource } from '../machine/local-source.ts';
import { LocalStream } from '../machine/local-stream.ts';

/** A line of a recording; or '' and the reason, in words for the user. */
interface RawLine {
  readonly text: string;
  readonly lack: string;
}

interface Limits {
  /** Bytes that are gone through for one line. */
  readonly mostScanned: number;
  /** Bytes of a compressed file that are unpacked. */
  readonly mostUnpacked: number;
}

const LIMITS: Limits = { mostScanned: 256 << 20, mostUnpacked: 64 << 20 };
/** Of a longer line the beginning is shown. */
const MOST_SHOWN = 4096;
/** Bytes between two places whose line number is kept. */
const STEP_BYTES = 1 << 20;
/** Files whose places are kept. */
const MOST_FILES = 16;
const NEWLINE = 10;
/** Bytes that tell a binary file. */
const BINARY_HEAD_BYTES = 512;

/**
 * Single lines out of the text of recordings. Of each file a place is remembered for every MiB that was gone through, so that
 * a second line is found at once, and no line costs more than a bounded stretch of reading: a far line of a very large file
 * comes within reach by asking again.
 */
export class RawLines {
  private readonly files = new Map<string, TextFile>();
  private readonly limits: Limits;

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  /**
   * @param line counted from 1.
   * @param holds what must stand in it: a file that was changed since it was read shows other lines.
   */
  async line(path: string, line: number, holds: string): Promise<RawLine> {
    if (path === '-') return lacking('the recording came by standard input');
    try {
      const found = await this.textFile(path).line(line, this.limits);
      const isIt = found.lack !== '' || found.text.includes(holds);
      return isIt ? found : lacking('the file was changed since it was read: open the recording again');
    } catch (error) {
      return lacking(messageOf(error));
    }
  }

  private textFile(path: string): TextFile {
    const file = this.files.get(path) ?? new TextFile(path);
    this.files.delete(path);
    this.files.set(path, file);
    if (this.files.size > MOST_FILES) this.files.delete(this.files.keys().next().value!);
    return file;
  }
}

function lacking(lack: string): RawLine {
  return { text: '', lack };
}

class TextFile {
  /** By MiB: newlines before it. */
  private newlines = [0];
  private size = 0;
  /** A compressed file, unpacked. */
  private unpacked: MemorySource | undefined;

  constructor(private readonly path: string) {}

  async line(line: number, limits: Limits): Promise<RawLine> {
    const source = await this.open(limits);
    try {
      if (await isBinary(source)) return lacking('the recording is no text');
      return await this.find(source, line, limits);
    } finally {
      await source.close();
    }
  }

  private async open({ mostUnpacked }: Limits): Promise<ByteSource> {
    const source = await LocalSource.open(this.path);
    // What grew keeps its lines; what is shorter is another file.
    if (source.size < this.size) this.forget();
    if (source.size !== this.size) this.unpacked = undefined;
    this.size = source.size;
    if (this.unpacked === undefined && !(await isCompressed(source))) return source;
    await source.close();
    if (this.unpacked === undefined) {
      const stream = await LocalStream.open(this.path);
      this.unpacked = await MemorySource.readAll(await decompressed(stream, stream.size), mostUnpacked);
    }
    return this.unpacked;
  }

  private forget(): void {
    this.newlines = [0];
    this.unpacked = undefined;
  }

  private async find(source: ByteSource, line: number, { mostScanned }: Limits): Promise<RawLine> {
    const buffer = Buffer.allocUnsafe(STEP_BYTES);
    let step = this.newlines.length - 1;
    // The step that holds the newline in front of the line.
    while (step > 0 && this.newlines[step]! >= line - 1) step--;
    for (let scanned = 0; scanned < mostScanned; scanned += STEP_BYTES, step++) {
      const length = await source.read(step * STEP_BYTES, buffer);
      const before = this.newlines[step]!;
      const { count, begin } = scan(buffer.subarray(0, length), line - 1 - before);
      if (begin !== undefined) return readLine(source, step * STEP_BYTES + begin);
      if (length < STEP_BYTES) return lacking('the file ends before this line: it was changed since it was read');
      if (step === this.newlines.length - 1) this.newlines.push(before + count);
    }
    return lacking('the line stands far back in a large file: ask again to look farther');
  }
}

/** Formats in bytes (Darshan, OTF2, Recorder) have zeros in their first numbers; no text has any. */
async function isBinary(source: ByteSource): Promise<boolean> {
  const head = Buffer.alloc(BINARY_HEAD_BYTES, ' ');
  await source.read(0, head);
  return head.includes(0);
}

/** Counts newlines up to a number of them: `begin` is the place behind the last, where there are so many. */
function scan(bytes: Buffer, wanted: number): { count: number; begin?: number } {
  if (wanted === 0) return { count: 0, begin: 0 };
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (++count === wanted) return { count, begin: at + 1 };
  }
  return { count };
}

async function readLine(source: ByteSource, position: number): Promise<RawLine> {
  const buffer = Buffer.alloc(MOST_SHOWN);
  const bytes = buffer.subarray(0, await source.read(position, buffer));
  const newline = bytes.indexOf(NEWLINE);
  const text = bytes.subarray(0, newline < 0 ? bytes.length : newline);
  if (text.includes(0)) return lacking('the recording is no text');
  const isCut = newline < 0 && bytes.length === MOST_SHOWN;
  return { text: `${text.toString('utf8').replace(/\r$/, '')}${isCut ? '…' : ''}`, lack: '' };
}
