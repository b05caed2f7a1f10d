import type { CallStackTable } from '../../trace/call-stacks.ts';
import { NONE } from '../../trace/events.ts';
import { ascii, NEWLINE } from './bytes.ts';
import { ByteNames } from './byte-names.ts';

const FRAME = ascii(' > ');
const CLOSING_BRACKET = 93;

/** Whether the line at `from` is a frame of a call stack. */
export function isFrameLine(bytes: Uint8Array, from: number): boolean {
  return bytes[from] === FRAME[0] && bytes[from + 1] === FRAME[1] && bytes[from + 2] === FRAME[2];
}

/**
 * Call stacks as `strace -k` prints them: a block of frame lines behind the call they belong to (formats document,
 * section 7). The same block comes again and again, so a block is parsed once and found again by its bytes.
 */
export class StackBlocks {
  private readonly blocks = new ByteNames();
  private readonly nodeOfBlock: number[] = [];
  private readonly decoder = new TextDecoder('utf-8');

  constructor(private readonly stacks: CallStackTable) {}

  /** Position behind the last frame line of the block that begins at `from`. */
  endOfBlock(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    while (at < end && isFrameLine(bytes, at)) {
      const newline = bytes.indexOf(NEWLINE, at);
      at = newline < 0 || newline >= end ? end : newline + 1;
    }
    return at;
  }

  /** The innermost node of the block's stack; NONE when no line of it is a frame. */
  node(bytes: Uint8Array, from: number, end: number): number {
    const block = this.blocks.intern(bytes, from, end);
    const known = this.nodeOfBlock[block];
    if (known !== undefined) return known;
    const frames: number[] = [];
    for (const line of this.decoder.decode(bytes.subarray(from, end)).split('\n')) {
      const frame = parseFrame(line, this.stacks);
      if (frame !== NONE) frames.push(frame);
    }
    let node = NONE;
    for (const frame of frames.reverse()) node = this.stacks.internNode(node, frame);
    this.nodeOfBlock[block] = node;
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
  const first = place.indexOf('(');
  for (let open = first; open >= 0; open = place.indexOf('(', open + 1)) {
    if (stacks.modules.find(place.slice(0, open)) !== undefined) return open;
  }
  return place.startsWith('(deleted)', first) ? place.indexOf('(', first + 1) : first;
}

/** Whether the frame line between `from` and `end` lacks its address: the recording was cut there. */
export function isCutFrame(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = end - 1; at > from; at--) if (bytes[at] === CLOSING_BRACKET) return false;
  return true;
}
