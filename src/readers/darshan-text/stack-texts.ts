import { NONE, type EventChunk } from '../../trace/events.ts';
import type { DarshanTraceBuilder } from '../darshan/darshan-trace-builder.ts';
import { ByteNames } from '../text/byte-names.ts';
import { isAddress, readAddress } from './numbers.ts';
import { findStart, withoutLeftovers } from './stack-ends.ts';

const CLOSE_BRACKET = 93;

/**
 * The texts of call stacks (`0x7f52bf6d7b98, 0x4012f2, 0x401181`) as rows of segments hold them: the same text comes again
 * and again, is kept once, and is read when all are known.
 */
export class StackTexts {
  private readonly texts = new ByteNames();
  /** The text that came behind each text the last time: most often it comes again. */
  private readonly followers: number[] = [];
  private last = NONE;

  get length(): number {
    return this.texts.length;
  }

  lengthOf(text: number): number {
    return this.texts.lengthOf(text);
  }

  /** The text at `from` when it is the one that is expected there; else NONE. */
  guess(bytes: Uint8Array, from: number, end: number): number {
    if (this.last === NONE) return NONE;
    const expected = this.followers[this.last]!;
    const close = from + this.texts.lengthOf(expected);
    if (close >= end || bytes[close] !== CLOSE_BRACKET || !this.texts.matchesLong(expected, bytes, from)) return NONE;
    this.last = expected;
    return expected;
  }

  intern(bytes: Uint8Array, from: number, end: number): number {
    const text = this.texts.intern(bytes, from, end);
    if (text === this.followers.length) this.followers.push(text);
    if (this.last !== NONE) this.followers[this.last] = text;
    this.last = text;
    return text;
  }

  /**
   * Gives the stacks to the log's own reader of stacks, and its numbers to the events, which hold texts.
   * @param unnamed addresses of which the program's own table knows no line.
   */
  place({ events, streams, recordedStacks }: DarshanTraceBuilder, unnamed: ReadonlySet<number>): void {
    if (this.length === 0) return;
    events.trim();
    const addresses = Array.from({ length: this.length }, (_, text) => this.addressesOf(text));
    const textsOf = streams.map(() => new Set<number>());
    const forEachStack = (visit: (chunk: EventChunk, row: number, stream: number) => void): void =>
      events.update((chunk, number) => {
        const rows = events.rowsIn(number);
        for (let row = 0; row < rows; row++) if (chunk.stack[row] !== NONE) visit(chunk, row, chunk.stream[row]!);
      });
    forEachStack(({ stack }, row, stream) => textsOf[stream]!.add(stack[row]!));
    const numbersOf = textsOf.map((texts, stream) => {
      const start = findStart(
        [...texts].map((text) => addresses[text]!),
        unnamed,
      );
      const number = (text: number): number => {
        const frames = withoutLeftovers(addresses[text]!, start);
        return recordedStacks.intern(streams[stream]!.rank!, frames, frames.length);
      };
      return new Map([...texts].map((text) => [text, number(text)]));
    });
    forEachStack(({ stack }, row, stream) => {
      stack[row] = numbersOf[stream]!.get(stack[row]!)!;
    });
  }

  /** The addresses of a text, innermost first, with whatever stood in memory behind them. */
  addressesOf(text: number): number[] {
    const bytes = this.texts.view(text);
    const addresses: number[] = [];
    const cursor = { at: 0 };
    while (cursor.at < bytes.length) {
      if (!isAddress(bytes, cursor.at, bytes.length)) cursor.at++;
      else addresses.push(readAddress(bytes, cursor.at, bytes.length, cursor));
    }
    return addresses;
  }
}
