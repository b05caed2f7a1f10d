import type { CallStackTable } from '../../trace/call-stacks.ts';
import { NONE } from '../../trace/events.ts';
import { NEWLINE } from '../text/bytes.ts';
import { ByteNames } from '../text/byte-names.ts';
import { FRAME, isFrameLine } from '../text/frame-lines.ts';

const CLOSING_BRACKET = 93;

/** Blocks that are compared before a block is looked up: a program alternates between few stacks. */
const RECENT = 8;

/**
 * Call stacks as `strace -k` prints them: a block of frame lines behind the call they belong to (formats document,
 * section 7). The same block comes again and again, so a block is parsed once and found again by its bytes.
 */
export class StackBlocks {
  /** Lines of the block that was read last. */
  lines = 0;

  private readonly blocks = new ByteNames();
  private readonly nodeOfBlock: (number | undefined)[] = [];
  private readonly linesOfBlock: number[] = [];
  /** The block that came behind each block the last time: most often it comes again. */
  private readonly follower: number[] = [];
  /** The block that was read last. */
  last = NONE;
  private readonly recent = new Int32Array(RECENT).fill(NONE);
  private nextRecent = 0;
  private readonly decoder = new TextDecoder('utf-8');

  constructor(private readonly stacks: CallStackTable) {}

  /**
   * Reads the block of frame lines that begins at `from`.
   * @returns the position behind it.
   */
  read(bytes: Uint8Array, from: number, end: number): number {
    let block = this.guessed(bytes, from, end);
    if (block === NONE) {
      block = this.lookedUp(bytes, from, end);
      this.recent[this.nextRecent] = block;
      this.nextRecent = (this.nextRecent + 1) % RECENT;
    }
    this.repeat(block);
    return from + this.blocks.lengthOf(block);
  }

  /** A block that was read before comes again. */
  repeat(block: number): void {
    if (this.last !== NONE) this.follower[this.last] = block;
    this.last = block;
    this.lines = this.linesOfBlock[block]!;
  }

  /**
   * The innermost node of the block that was read last; NONE when no line of it is a frame. Frames become part of the
   * trace here: those of an interrupted place (behind a signal) are of no call, and nobody asks for them.
   */
  node(): number {
    const known = this.nodeOfBlock[this.last];
    if (known !== undefined) return known;
    const node = this.parse(this.blocks.view(this.last));
    this.nodeOfBlock[this.last] = node;
    return node;
  }

  private guessed(bytes: Uint8Array, from: number, end: number): number {
    const expected = this.last === NONE ? NONE : this.follower[this.last]!;
    if (this.is(expected, bytes, from, end)) return expected;
    for (const block of this.recent) if (block !== expected && this.is(block, bytes, from, end)) return block;
    return NONE;
  }

  private is(block: number, bytes: Uint8Array, from: number, end: number): boolean {
    if (block === NONE) return false;
    const stop = from + this.blocks.lengthOf(block);
    if (stop > end || bytes[stop - 1] !== NEWLINE) return false;
    // A longer block may begin with a shorter one.
    return (stop === end || !isFrameLine(bytes, stop)) && this.blocks.matchesLong(block, bytes, from);
  }

  private lookedUp(bytes: Uint8Array, from: number, end: number): number {
    let lines = 0;
    let at = from;
    while (at < end && isFrameLine(bytes, at)) {
      const newline = bytes.indexOf(NEWLINE, at);
      at = newline < 0 || newline >= end ? end : newline + 1;
      lines++;
    }
    const block = this.blocks.intern(bytes, from, at);
    if (block === this.linesOfBlock.length) {
      this.linesOfBlock.push(lines);
      this.follower.push(block);
    }
    return block;
  }

  private parse(block: Uint8Array): number {
    const frames: number[] = [];
    for (const line of this.decoder.decode(block).split('\n')) {
      const frame = parseFrame(line, this.stacks);
      if (frame !== NONE) frames.push(frame);
    }
    let node = NONE;
    for (const frame of frames.reverse()) node = this.stacks.internNode(node, frame);
    return node;
  }
}

/**
 * Reads ` > file(symbol+0xoff) [0xaddr] source:line`, from the right, because file and symbol may hold anything.
 * @returns the frame's index; NONE for notes such as "too many stack frames".
 */
export function parseFrame(line: string, stacks: CallStackTable): number {
  const bracket = line.lastIndexOf(' [0x');
  if (bracket < 0) return NONE;
  const close = line.indexOf(']', bracket);
  if (close < 0) return NONE;
  const value = Number.parseInt(line.slice(bracket + 4, close), 16);
  const place = line.slice(FRAME.length, bracket);
  // libunwind found no mapping: the value is no place in a file, and nothing behind it is true.
  if (!place.endsWith(')') || Number.isNaN(value)) return NONE;
  const open = symbolStart(place, stacks);
  if (open < 0) return NONE;
  const inside = place.slice(open + 1, -1);
  const plus = inside.lastIndexOf('+0x');
  const source = /^ (.+):(\d+)\r?$/.exec(line.slice(close + 1));
  return stacks.internFrame({
    module: place.slice(0, open).replace(/ \(deleted\)$/, ''),
    value,
    symbol: plus < 0 ? inside : inside.slice(0, plus),
    symbolOffset: plus < 0 ? 0 : Number.parseInt(inside.slice(plus + 3), 16),
    sourceFile: source?.[1] ?? '',
    sourceLine: source === null ? 0 : Number(source[2]),
  });
}

/** Position of the `(` between file and symbol. Both may hold brackets: a file that was seen before decides. */
function symbolStart(place: string, stacks: CallStackTable): number {
  let first = -1;
  for (let open = place.indexOf('('); open >= 0; open = place.indexOf('(', open + 1)) {
    if (stacks.modules.find(place.slice(0, open)) !== undefined) return open;
    if (first < 0 && !belongsToFile(place, open)) first = open;
  }
  return first;
}

/** Whether a bracket is one of the file's name: `a (deleted)(main+0x1)`, `/opt/lens (1)/run(main+0x1)`. */
function belongsToFile(place: string, open: number): boolean {
  return place.includes(')/', open) || (place[open - 1] === ' ' && place[place.indexOf(')', open) + 1] === '(');
}

/** Whether the last frame line of a block lacks its end and its address: the recording was cut there. */
export function endsInCutFrame(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = end - 1; at >= from && bytes[at] !== NEWLINE; at--) if (bytes[at] === CLOSING_BRACKET) return false;
  return bytes[end - 1] !== NEWLINE;
}
