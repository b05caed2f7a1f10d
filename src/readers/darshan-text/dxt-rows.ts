import type { SegmentSums } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import type { SegmentRows } from '../darshan/segment-rows.ts';
import { ascii, BLANK, NEWLINE, RETURN, skipBlanks, startsWith } from '../strace/bytes.ts';
import { behindLine } from './counter-rows.ts';
import { decimals, isAddress, numberEnd, readDecimal } from './numbers.ts';
import type { StackTexts } from './stack-texts.ts';

const POSIX = ascii('X_POSIX');
const MPIIO = ascii('X_MPIIO');
const WRITE = ascii('write');
const READ = ascii('read');
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const MOST_RANKS = 0x7fffffff;

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
export interface DxtSurroundings {
  /** Where the segments of an owner go; undefined when they are left out. */
  begin(owner: RowsOwner): SegmentRows | undefined;
  report(kind: 'unreadable-line' | 'cut-line' | 'hole', line: number, what: string, lost: string): void;
}

/** The rows of darshan-dxt-parser and the comment lines that say whose they are. */
export class DxtRows {
  private owner: RowsOwner | undefined;
  private rows: SegmentRows | undefined;
  private writes = 0;
  private reads = 0;
  /** Line of the comment that began the rows under way. */
  private headLine = 0;
  private announced: { readonly writes: number; readonly reads: number } | undefined;
  private recordId: bigint | undefined;
  private fileName = '';
  private host = '';
  private headRank = NONE;

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
    let at = skipBlanks(bytes, from, end);
    const isPosix = startsWith(bytes, at, end, POSIX);
    if (!isPosix && !startsWith(bytes, at, end, MPIIO)) return NONE;
    const next = behindLine(bytes, at, end);
    at = skipBlanks(bytes, at + POSIX.length, next);
    const rank = readDecimal(bytes, at, next);
    if (!endsHere(bytes, at, next) || !this.canBeRank(rank)) return this.bad(line, next);
    at = skipBlanks(bytes, numberEnd, next);
    const isWrite = startsWith(bytes, at, next, WRITE);
    if (!isWrite && !startsWith(bytes, at, next, READ)) return this.bad(line, next);
    at = skipBlanks(bytes, at + (isWrite ? WRITE.length : READ.length), next);
    readDecimal(bytes, at, next);
    if (!endsHere(bytes, at, next)) return this.bad(line, next);
    at = skipBlanks(bytes, numberEnd, next);
    const offset = readDecimal(bytes, at, next);
    if (!endsHere(bytes, at, next)) return this.bad(line, next);
    at = skipBlanks(bytes, numberEnd, next);
    const length = readDecimal(bytes, at, next);
    if (!endsHere(bytes, at, next)) return this.bad(line, next);
    at = skipBlanks(bytes, numberEnd, next);
    const start = readDecimal(bytes, at, next);
    const startDecimals = decimals;
    if (!endsHere(bytes, at, next)) return this.bad(line, next);
    at = skipBlanks(bytes, numberEnd, next);
    const stop = readDecimal(bytes, at, next);
    // A row that was cut in its last number looks like a row.
    if (!endsHere(bytes, at, next) || decimals !== startDecimals) return this.bad(line, next);
    if (length < 0 || !Number.isFinite(offset + length + start + stop)) return this.bad(line, next);
    this.belongTo(isPosix ? 'DXT_POSIX' : 'DXT_MPIIO', rank, line);
    if (isWrite) this.writes++;
    else this.reads++;
    this.rows?.add(isWrite, offset, length, start, stop, this.readStack(bytes, numberEnd, next, line), line);
    return next;
  }

  /** Ends the rows of one file and process. */
  finish(): void {
    this.rows?.end();
    if (this.announced !== undefined) this.compareWith(this.announced);
    [this.recordId, this.fileName, this.host, this.headRank] = [undefined, '', '', NONE];
    [this.announced, this.headLine, this.writes, this.reads] = [undefined, 0, 0, 0];
    [this.owner, this.rows] = [undefined, undefined];
  }

  private canBeRank(rank: number): boolean {
    if (this.headRank !== NONE) return rank === this.headRank;
    return Number.isInteger(rank) && rank >= -1 && rank <= MOST_RANKS;
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
    const whose = this.fileName === '' ? `${lost} of these segments` : `${lost} segments of ${this.fileName}`;
    this.surroundings.report('hole', this.headLine, what, whose);
  }

  /** The stack behind the times; storage targets (`[ 12]`) and the number of a thread may stand in front of it. */
  private readStack(bytes: Uint8Array, from: number, next: number, line: number): number {
    for (let at = from; at < next; at++) {
      if (bytes[at] !== OPEN_BRACKET || !isAddress(bytes, at + 1, next)) continue;
      const known = this.stacks.guess(bytes, at + 1, next);
      if (known !== NONE) return known;
      const close = bytes.indexOf(CLOSE_BRACKET, at);
      if (close >= 0 && close < next) return this.stacks.intern(bytes, at + 1, close);
      this.surroundings.report('cut-line', line, 'a stack ends before its last address', 'the stack of this segment');
      return NONE;
    }
    return NONE;
  }

  private bad(line: number, next: number): number {
    const what = 'a row of segments should hold rank, write or read, number, offset, length, start and end';
    this.surroundings.report('unreadable-line', line, what, 'this segment');
    return next;
  }
}

/** Whether the number that was just read from `from` is one and ends at a blank or the end of the line. */
function endsHere(bytes: Uint8Array, from: number, next: number): boolean {
  if (numberEnd === from) return false;
  if (numberEnd >= next) return true;
  const byte = bytes[numberEnd];
  return byte === BLANK || byte === NEWLINE || byte === RETURN;
}
