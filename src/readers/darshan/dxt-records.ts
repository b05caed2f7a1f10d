import { NONE } from '../../trace/events.ts';
import { baseProblem, LARGEST_RANK } from './counter-records.ts';
import { MOST_FRAMES } from './recorded-stacks.ts';
import { int64At, textOf, type RegionReader } from './region-reader.ts';
import { isPossible, type SegmentRows } from './segment-rows.ts';

/** Bytes of the head of a record. */
const HEAD_BYTES = 104;
/** Segments of the first record that are looked at to find out how long a segment is. */
const SEGMENTS_LOOKED_AT = 6;
/** Calls that are kept, as in other formats. */
const MOST_SEGMENTS = 200_000_000;
const MOST_RECORDS = 20_000_000;

/** With addresses of the calling functions: up to 60 of them, whether there is a stack, and how many of them it has. */
export const STACK_SEGMENT_BYTES = 520;

/** What a record and its stacks become in the trace. */
interface SegmentContext {
  fileOf(recordId: bigint): number;
  /** The number of a stack of a process, innermost frame first. */
  stackOf(rank: number, frames: ArrayLike<number>, count: number): number;
  /** Takes what is wrong with segments behind which reading goes on, and what is lost because of it. */
  report(what: string, lost: string): void;
}

/**
 * Bytes of a segment as the version of the module has them: pthread identifiers came with DXT_POSIX 2 and DXT_MPIIO 3.
 */
export function segmentBytes(module: string, version: number): number {
  return version >= (module === 'DXT_MPIIO' ? 3 : 2) ? 40 : 32;
}

/**
 * Reads the records of a DXT module: for each file and process its writes, then its reads.
 *
 * @param usual bytes of a segment, unless the first segments make sense with another length only.
 * @param hasOffsets version 1 of DXT_MPIIO has a field for offsets, without a meaning.
 * @returns what ends the reading; '' when the region was read to its end.
 */
export async function readSegments(
  reader: RegionReader,
  usual: number,
  hasOffsets: boolean,
  rows: SegmentRows,
  context: SegmentContext,
): Promise<string> {
  const operations = new SegmentReader(reader, hasOffsets, rows, context);
  const problem = await readRecords(reader, usual, rows, operations, context);
  operations.report();
  return problem;
}

async function readRecords(
  reader: RegionReader,
  usual: number,
  rows: SegmentRows,
  operations: SegmentReader,
  context: SegmentContext,
): Promise<string> {
  let size = 0;
  let left = MOST_SEGMENTS;
  for (let records = 0; reader.left >= HEAD_BYTES || (await reader.fill(HEAD_BYTES)); records++) {
    const { at } = reader;
    const [recordId, rank] = [reader.uint64(at), reader.int64(at + 8)];
    const [writes, reads] = [reader.int64(at + 88), reader.int64(at + 96)];
    if (rank < 0) return `segments of process ${rank}`;
    const problem = baseProblem(reader);
    if (problem !== '') return problem;
    if (writes < 0 || reads < 0 || writes + reads > left || records === MOST_RECORDS) {
      return `${writes} writes and ${reads} reads of a process in a file`;
    }
    left -= writes + reads;
    if (size === 0 && writes + reads > 0) size = await findSegmentBytes(reader, writes + reads, usual);
    const host = textOf(reader.bytes.subarray(reader.at + 24, reader.at + 88));
    reader.at += HEAD_BYTES;
    if (writes + reads === 0) continue;
    rows.begin(context.fileOf(recordId), rank, host);
    operations.rank = rank;
    const isWhole = (await operations.read(true, writes, size)) && (await operations.read(false, reads, size));
    rows.end();
    if (!isWhole) return 'segments that end in the middle';
  }
  return reader.left > 0 ? 'a record that ends in the middle' : '';
}

function segments(count: number): string {
  return count === 1 ? 'a segment' : `${count} segments`;
}

/** Where behind the 32 bytes of a segment its stack stands. */
const STACK_AT = 32;
const HAS_STACK_AT = STACK_AT + MOST_FRAMES * 8;
const FRAMES_AT = HAS_STACK_AT + 4;

class SegmentReader {
  /** The process whose segments are read. */
  rank = 0;
  /** Segments that were left out. */
  private senseless = 0;
  private readonly frames = new Float64Array(MOST_FRAMES);
  private frameCount = 0;
  private stack = NONE;
  private readonly backwardsBefore: number;

  constructor(
    private readonly reader: RegionReader,
    private readonly hasOffsets: boolean,
    private readonly rows: SegmentRows,
    private readonly context: SegmentContext,
  ) {
    this.backwardsBefore = rows.backwards;
  }

  /** Reports the segments that make no sense. */
  report(): void {
    const { senseless, context } = this;
    const backwards = this.rows.backwards - this.backwardsBefore;
    if (senseless > 0) {
      context.report(
        `times or sizes that make no sense, of ${segments(senseless)}`,
        senseless === 1 ? 'this segment' : 'these segments',
      );
    }
    if (backwards > 0) context.report(`ends before the starts, of ${segments(backwards)}`, 'how long these calls took');
  }

  /** Reads the segments of one operation; false when there are fewer. */
  async read(isWrite: boolean, count: number, size: number): Promise<boolean> {
    const { reader } = this;
    // A stack is known by its number within its process only.
    this.stack = NONE;
    for (let left = count; left > 0;) {
      if (reader.left < size && !(await reader.fill(size))) return false;
      const now = Math.min(left, Math.floor(reader.left / size));
      this.add(isWrite, now, size);
      left -= now;
    }
    return true;
  }

  private add(isWrite: boolean, count: number, size: number): void {
    const { reader, rows, hasOffsets } = this;
    const { view, at, littleEndian } = reader;
    const stackAt = size === STACK_SEGMENT_BYTES ? (from: number): number => this.stackAt(from) : undefined;
    this.senseless += rows.addPacked(isWrite, { view, at, count, size, littleEndian }, hasOffsets, stackAt);
    reader.at = at + count * size;
  }

  /** The stack of a segment; most are the one of the segment before. What stands behind its frames is garbage. */
  private stackAt(segment: number): number {
    const { view, littleEndian } = this.reader;
    const count = view.getInt32(segment + FRAMES_AT, littleEndian);
    // The field is called `noStackTrace`, and says the opposite.
    if (view.getInt32(segment + HAS_STACK_AT, littleEndian) !== 1 || count < 1 || count > MOST_FRAMES) return NONE;
    let isSame = this.stack !== NONE && count === this.frameCount;
    for (let i = 0; i < count; i++) {
      const at = segment + STACK_AT + i * 8;
      // An address beyond 2^53 is none.
      const address = int64At(view, at, littleEndian);
      isSame &&= this.frames[i] === address;
      this.frames[i] = address;
    }
    this.frameCount = count;
    if (!isSame) this.stack = this.context.stackOf(this.rank, this.frames, count);
    return this.stack;
  }
}

/** How long a segment is, by what the first ones look like; what is usual when that tells nothing. */
async function findSegmentBytes(reader: RegionReader, count: number, usual: number): Promise<number> {
  for (const size of new Set([usual, 32, 40, STACK_SEGMENT_BYTES])) {
    const looked = Math.min(count, SEGMENTS_LOOKED_AT);
    const wanted = HEAD_BYTES + looked * size;
    // A log that was cut may hold fewer.
    const isThere = await reader.fill(wanted);
    const there = isThere ? looked : Math.floor((reader.left - HEAD_BYTES) / size);
    let fits = there > 0;
    for (let i = 0; i < there && fits; i++) fits = makesSense(reader, reader.at + HEAD_BYTES + i * size);
    // Behind few segments the head of the next record shows whether they were as long.
    if (fits && count <= there && (await reader.fill(wanted + HEAD_BYTES))) fits = isHead(reader, reader.at + wanted);
    if (fits) return size;
  }
  return usual;
}

function makesSense(reader: RegionReader, at: number): boolean {
  const [offset, bytes] = [reader.int64(at), reader.int64(at + 8)];
  const [start, end] = [reader.float64(at + 16), reader.float64(at + 24)];
  return offset >= -1 && start >= 0 && end >= start && isPossible(offset, bytes, start * 1e9, end * 1e9);
}

function isHead(reader: RegionReader, at: number): boolean {
  const [rank, writes, reads] = [reader.int64(at + 8), reader.int64(at + 88), reader.int64(at + 96)];
  const isText = reader.bytes.subarray(at + 24, at + 88).every((byte) => byte === 0 || byte >= 32);
  return rank >= 0 && rank <= LARGEST_RANK && writes >= 0 && reads >= 0 && isText;
}
