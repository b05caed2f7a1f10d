import type { SegmentSums } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import { isPossible, type SegmentRows } from '../darshan/segment-rows.ts';
import { ascii, NEWLINE, skipBlanks, startsWith } from '../text/bytes.ts';
import { behindLine } from './counter-rows.ts';
import { type ColumnCursor, isAddress, readColumn } from './numbers.ts';
import type { StackTexts } from './stack-texts.ts';

const POSIX = ascii('X_POSIX');
const MPIIO = ascii('X_MPIIO');
const WRITE = ascii('write');
const READ = ascii('read');
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const MOST_RANKS = 0x7fffffff;
/** Bytes of module, rank and operation, with the blanks between them. */
const LONGEST_BEGIN = 64;

type SegmentModule = SegmentSums['module'];

/** A file as one process used it through one interface: what rows are of. */
export interface RowsOwner {
  readonly module: SegmentModule;
  readonly rank: number;
  readonly host: string;
  /** undefined when the text does not say. */
  readonly recordId: bigint | undefined;
  readonly fileName: string;
}

/** What the rows of segments need of the rest of the reader. */
interface DxtSurroundings {
  /** Where the segments of an owner go; undefined when they are left out. */
  begin(owner: RowsOwner): SegmentRows | undefined;
  report(kind: 'unreadable-line' | 'cut-line' | 'hole', line: number, what: string, lost: string): void;
}

/** The rows of darshan-dxt-parser and the comment lines that say whose they are. */
export class DxtRows {
  private owner: RowsOwner | undefined;
  private rows: SegmentRows | undefined;
  /** The beginning of the row before, up to its operation; of no length when another file follows. */
  private readonly begin = new Uint8Array(LONGEST_BEGIN);
  private beginLength = 0;
  private isWrite = false;
  private readonly cursor: ColumnCursor = { at: 0, decimals: 0 };
  /** Stack of the row that was read last. */
  private stack = NONE;
  private writes = 0;
  private reads = 0;
  /** Line of the comment that began the rows under way. */
  private headLine = 0;
  private announced: { readonly writes: number; readonly reads: number } | undefined;
  private recordId: bigint | undefined;
  private fileName = '';
  private host = '';
  private headRank = NONE;
  /** Of the last row that disagreed with `headRank`. */
  private otherRank = NONE;

  constructor(
    private readonly surroundings: DxtSurroundings,
    private readonly stacks: StackTexts,
  ) {}

  /**
   * Takes a comment line about a file (`DXT, rank: 3, hostname: nid00012`).
   * @param text of it without `# DXT, `.
   */
  readHead(text: string, line: number): void {
    const file = /^file_id: (\d{1,20}), file_name: (.*)$/s.exec(text);
    if (file !== null) {
      this.finish();
      this.recordId = BigInt.asUintN(64, BigInt(file[1]!));
      this.fileName = file[2]!;
      this.headLine = line;
      return;
    }
    const process = /^rank: (-?\d+), hostname: (.*)$/.exec(text);
    if (process !== null) {
      // A second one: the line that names the next file is lost, and what follows is not of this one.
      if (this.headRank !== NONE) this.finish();
      [this.headRank, this.host] = [Number(process[1]), process[2]!];
    }
    const counts = /^write_count: (\d+), read_count: (\d+)$/.exec(text);
    if (counts !== null) this.announced = { writes: Number(counts[1]), reads: Number(counts[2]) };
  }

  /** The file that the rows are of, where a comment line names it. */
  get file(): { readonly recordId: bigint; readonly fileName: string } | undefined {
    const { recordId, fileName } = this;
    return recordId === undefined ? undefined : { recordId, fileName };
  }

  /**
   * Reads the row at `from`.
   * @returns the position behind its newline; NONE when it is no row of segments.
   */
  read(bytes: Uint8Array, from: number, end: number, line: number): number {
    let at = from + this.beginLength;
    if (!this.beginsLikeLast(bytes, from, end)) {
      at = this.readBegin(bytes, from, end, line);
      if (at === NONE) return NONE;
      if (at === from) return this.bad(bytes, from, end, line);
    }
    const { cursor } = this;
    readColumn(bytes, at, end, cursor);
    const offset = readColumn(bytes, cursor.at, end, cursor);
    const length = readColumn(bytes, cursor.at, end, cursor);
    const start = readColumn(bytes, cursor.at, end, cursor);
    const startDecimals = cursor.decimals;
    const stop = readColumn(bytes, cursor.at, end, cursor);
    // A row that was cut in its last number looks like a row. What is no number makes all that follow none.
    if (cursor.decimals !== startDecimals || !isPossible(offset, length, start * 1e9, stop * 1e9)) {
      return this.bad(bytes, from, end, line);
    }
    const { isWrite } = this;
    if (isWrite) this.writes++;
    else this.reads++;
    const next = this.readRest(bytes, cursor.at, end, line);
    if (stop < start) {
      const what = 'a segment ends before it starts';
      this.surroundings.report('unreadable-line', line, what, 'how long this call took');
    }
    this.rows?.add(isWrite, offset, length, start, stop, this.stack, line);
    return next;
  }

  /** Whether module, rank and operation are those of the row before, as in most rows. */
  private beginsLikeLast(bytes: Uint8Array, from: number, end: number): boolean {
    const { begin, beginLength: length } = this;
    if (length === 0 || from + length > end) return false;
    for (let i = 0; i < length; i++) if (bytes[from + i] !== begin[i]) return false;
    return true;
  }

  /**
   * Reads module, rank and operation.
   * @returns the position behind them; NONE when it is no row of segments, `from` when it is a damaged one.
   */
  private readBegin(bytes: Uint8Array, from: number, end: number, line: number): number {
    let at = skipBlanks(bytes, from, end);
    const isPosix = startsWith(bytes, at, end, POSIX);
    if (!isPosix && !startsWith(bytes, at, end, MPIIO)) return NONE;
    const rank = readColumn(bytes, at + POSIX.length, end, this.cursor);
    if (!this.canBeRank(rank)) return from;
    at = skipBlanks(bytes, this.cursor.at, end);
    const isWrite = startsWith(bytes, at, end, WRITE);
    if (!isWrite && !startsWith(bytes, at, end, READ)) return from;
    at += isWrite ? WRITE.length : READ.length;
    this.belongTo(isPosix ? 'DXT_POSIX' : 'DXT_MPIIO', rank, line);
    this.isWrite = isWrite;
    this.beginLength = at - from <= LONGEST_BEGIN ? at - from : 0;
    if (this.beginLength > 0) this.begin.set(bytes.subarray(from, at));
    return at;
  }

  /** Ends the rows of one file and process. */
  finish(): void {
    this.rows?.end();
    if (this.announced !== undefined) this.compareWith(this.announced);
    [this.recordId, this.fileName, this.host] = [undefined, '', ''];
    [this.headRank, this.otherRank] = [NONE, NONE];
    [this.announced, this.headLine, this.writes, this.reads] = [undefined, 0, 0, 0];
    [this.owner, this.rows, this.beginLength] = [undefined, undefined, 0];
  }

  /**
   * Whether rows of this process may stand here. A row that disagrees with the comment above is damaged; when a second one
   * says the same, it is the comment that is.
   */
  private canBeRank(rank: number): boolean {
    if (!Number.isInteger(rank) || rank < -1 || rank > MOST_RANKS) return false;
    if (this.headRank === NONE || rank === this.headRank) return true;
    const isSecond = rank === this.otherRank;
    this.otherRank = rank;
    if (!isSecond) return false;
    if (this.owner === undefined) this.headRank = rank;
    else this.finish();
    return true;
  }

  /** Makes sure that the rows under way are those of a module and rank. */
  private belongTo(module: SegmentModule, rank: number, line: number): void {
    if (this.owner?.module === module && this.owner.rank === rank) return;
    if (this.owner !== undefined) this.finish();
    if (this.headLine === 0) {
      const what = 'rows of segments without the line that names their file';
      this.surroundings.report('hole', line, what, 'the file of these segments');
      this.headLine = line;
    }
    this.owner = { module, rank, host: this.host, recordId: this.recordId, fileName: this.fileName };
    this.rows = this.surroundings.begin(this.owner);
  }

  private compareWith(announced: { readonly writes: number; readonly reads: number }): void {
    const { writes, reads } = this;
    if (writes >= announced.writes && reads >= announced.reads) return;
    const lost = Math.max(0, announced.writes - writes) + Math.max(0, announced.reads - reads);
    const what = `${announced.writes} writes and ${announced.reads} reads are announced, ${writes} and ${reads} stand there`;
    const whose =
      this.fileName === ''
        ? `${lost} of these segments`
        : `${lost} ${lost === 1 ? 'segment' : 'segments'} of ${this.fileName}`;
    this.surroundings.report('hole', this.headLine, what, whose);
  }

  /**
   * Reads the stack behind the times; storage targets (`[ 12]`) and the number of a thread may stand in front of it.
   * @returns the position behind the newline.
   */
  private readRest(bytes: Uint8Array, from: number, end: number, line: number): number {
    this.stack = NONE;
    for (let at = from; at < end; at++) {
      const byte = bytes[at];
      if (byte === NEWLINE) return at + 1;
      if (byte === OPEN_BRACKET && isAddress(bytes, at + 1, end)) return this.readStack(bytes, at + 1, end, line);
    }
    return end;
  }

  private readStack(bytes: Uint8Array, from: number, end: number, line: number): number {
    this.stack = this.stacks.guess(bytes, from, end);
    if (this.stack !== NONE) return behindLine(bytes, from + this.stacks.lengthOf(this.stack), end);
    const next = behindLine(bytes, from, end);
    const close = bytes.indexOf(CLOSE_BRACKET, from);
    if (close >= 0 && close < next) this.stack = this.stacks.intern(bytes, from, close);
    else {
      this.surroundings.report('cut-line', line, 'a stack ends before its last address', 'the stack of this segment');
    }
    return next;
  }

  private bad(bytes: Uint8Array, from: number, end: number, line: number): number {
    const what = 'a row of segments should hold rank, write or read, number, offset, length, start and end';
    this.surroundings.report('unreadable-line', line, what, 'this segment');
    return behindLine(bytes, from, end);
  }
}
