/** Writes Recorder directories of all generations, from the layouts in "formats/recorder.md". */
import { deflateSync } from 'node:zlib';

/** A call as a recording holds it; times in ticks from the start. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: readonly (string | number)[];
  readonly start: number;
  readonly end: number;
  readonly level?: number;
  readonly thread?: number;
  /** What it returned (2.2). */
  readonly result?: number;
}

/** Numbers one behind the other, little endian. */
export class Packed {
  private readonly pieces: Buffer[] = [];

  int(...values: readonly number[]): this {
    return this.each(values, 4, (buffer, value) => buffer.writeInt32LE(value));
  }
  natural(...values: readonly number[]): this {
    return this.each(values, 4, (buffer, value) => buffer.writeUInt32LE(value >>> 0));
  }
  long(...values: readonly number[]): this {
    return this.each(values, 8, (buffer, value) => buffer.writeBigInt64LE(BigInt(value)));
  }
  double(...values: readonly number[]): this {
    return this.each(values, 8, (buffer, value) => buffer.writeDoubleLE(value));
  }
  byte(...values: readonly number[]): this {
    return this.each(values, 1, (buffer, value) => buffer.writeUInt8(value & 0xff));
  }
  add(bytes: Uint8Array | string): this {
    this.pieces.push(Buffer.from(bytes as string));
    return this;
  }
  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }

  private each(values: readonly number[], size: number, write: (buffer: Buffer, value: number) => void): this {
    for (const value of values) {
      const buffer = Buffer.alloc(size);
      write(buffer, value);
      this.pieces.push(buffer);
    }
    return this;
  }
}

const USER_FUNCTION = 255;

/** What a call is in a table of signatures. */
export function keyOf(call: WrittenCall, functions: readonly string[]): Buffer {
  const text = call.arguments.map((argument) => `${argument} `).join('');
  const at = functions.indexOf(call.name);
  return new Packed()
    .long(call.thread ?? 0)
    .byte(at < 0 ? USER_FUNCTION : at, call.level ?? 0, call.arguments.length)
    .int(Buffer.byteLength(text))
    .add(text).bytes;
}

class Signatures {
  readonly keys: Buffer[] = [];
  private readonly numbers = new Map<string, number>();

  add(key: Buffer): number {
    const text = key.toString('latin1');
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.keys.push(key) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }

  /** In an order that is not that of the numbers, as Recorder's is. */
  table(withRank: boolean): Buffer {
    const packed = new Packed().int(this.keys.length);
    for (const [number, key] of [...this.keys.entries()].reverse()) {
      packed.int(number);
      if (withRank) packed.int(0);
      packed.int(key.length);
      if (withRank) packed.int(1);
      packed.add(key);
    }
    return packed.bytes;
  }
}

/** Rules by number, each of pairs of symbol and exponent. */
export function grammarBytes(
  rules: readonly (readonly [rule: number, symbols: readonly (readonly [number, number])[]])[],
): Buffer {
  const packed = new Packed().int(rules.length);
  for (const [rule, symbols] of rules) packed.int(rule, symbols.length).int(...symbols.flat());
  return packed.bytes;
}

/** One rule, in which a call that follows itself stands once. */
function plainGrammar(terminals: readonly number[]): Buffer {
  const symbols: [number, number][] = [];
  for (const terminal of terminals) {
    const last = symbols.at(-1);
    if (last?.[0] === terminal) last[1]++;
    else symbols.push([terminal, 1]);
  }
  return grammarBytes([[-1, symbols]]);
}

export function timeBytes(calls: readonly WrittenCall[]): Buffer {
  const packed = new Packed();
  let before = 0;
  for (const { start, end } of calls) {
    packed.natural(start - before, end - before);
    before = start;
  }
  return packed.bytes;
}

/** As 3.x wraps what it packs. */
export function wrapped(plain: Buffer): Buffer {
  const packed = deflateSync(plain);
  return new Packed().long(packed.length, plain.length).add(packed).bytes;
}

export interface WrittenRecording {
  readonly functions: readonly string[];
  readonly ranks: readonly (readonly WrittenCall[])[];
  readonly startTime?: number;
  readonly resolution?: number;
}

export type Folder = Map<string, Uint8Array>;

function namesOf(functions: readonly string[]): string {
  return functions.map((name) => `${name}\n`).join('');
}

/** 2.3 and 2.5, whose tables differ by two fields. */
export function writeSignatures(
  { functions, ranks, startTime = 1.7e9, resolution = 1e-7 }: WrittenRecording,
  version: '2.3.0' | '2.5.0',
): Folder {
  const hasRank = version === '2.5.0';
  const head = new Packed().int(ranks.length, 0).double(startTime, resolution).int(0, 0);
  if (hasRank) head.int(0, 0);
  const folder: Folder = new Map([
    ['VERSION', Buffer.from(version)],
    ['recorder.mt', head.add(namesOf(functions)).bytes],
  ]);
  for (const [rank, calls] of ranks.entries()) {
    const signatures = new Signatures();
    const terminals = calls.map((call) => signatures.add(keyOf(call, functions)));
    folder.set(`${rank}.cst`, signatures.table(hasRank));
    folder.set(`${rank}.cfg`, plainGrammar(terminals));
    folder.set(`${rank}.ts`, timeBytes(calls));
  }
  return folder;
}

/** 3.x: packed, the ranks apart or together. */
export function writePacked(
  { functions, ranks, startTime = 1.7e9, resolution = 1e-7 }: WrittenRecording,
  { merged, timesPacked, version = '3.0.0' }: { merged: boolean; timesPacked: boolean; version?: string },
): Folder {
  const flags = (value: boolean): number => (value ? 1 : 0);
  const head = new Packed().int(ranks.length).byte(1, 1, 1, 1, 0, 1).byte(0, 0, 0, 0, 0, 0);
  head
    .double(startTime, resolution)
    .int(1 << 18)
    .byte(flags(timesPacked), flags(merged), 0, 0);
  const used = head.bytes.length;
  if (version.startsWith('3')) head.add(new Uint8Array(1024 - used));
  const folder: Folder = new Map([
    ['VERSION', Buffer.from(version)],
    ['recorder.mt', head.add(namesOf(functions)).bytes],
  ]);
  const shared = new Signatures();
  const grammars: Buffer[] = [];
  const grammarOf: number[] = [];
  for (const [rank, calls] of ranks.entries()) {
    const signatures = merged ? shared : new Signatures();
    const grammar = plainGrammar(calls.map((call) => signatures.add(keyOf(call, functions))));
    if (!merged) {
      folder.set(`${rank}.cst`, wrapped(signatures.table(true)));
      folder.set(`${rank}.cfg`, wrapped(grammar));
      continue;
    }
    const known = grammars.findIndex((each) => each.equals(grammar));
    grammarOf.push(known < 0 ? grammars.push(grammar) - 1 : known);
  }
  if (merged) {
    folder.set('recorder.cst', wrapped(shared.table(true)));
    folder.set('ug.cfg', Buffer.concat(grammars.map(wrapped)));
    folder.set('ug.mt', new Packed().int(...grammarOf, grammars.length).bytes);
  }
  // A rank's buffer is packed whenever it is full: here in the middle.
  const times = ranks.map((calls) => {
    const plain = timeBytes(calls);
    const half = Math.floor(calls.length / 2) * 8;
    return timesPacked ? Buffer.concat([wrapped(plain.subarray(0, half)), wrapped(plain.subarray(half))]) : plain;
  });
  folder.set('recorder.ts', new Packed().long(...times.map(({ length }) => length)).add(Buffer.concat(times)).bytes);
  return folder;
}

const WINDOW = 3;

/** 2.2: calls in the order of their ends, each compressed against one of the last few. */
export function writePeephole(
  { functions, ranks, startTime = 1.7e9, resolution = 1e-6 }: WrittenRecording,
  files: readonly string[],
  version = '2.2.0',
): Folder {
  const folder: Folder = new Map([
    ['recorder.mt', new Packed().double(resolution).int(ranks.length, 2, WINDOW, 0).add(namesOf(functions)).bytes],
  ]);
  if (version !== '') folder.set('VERSION', Buffer.from(version));
  for (const [rank, calls] of ranks.entries()) {
    const head = new Packed()
      .double(startTime + rank, startTime + 100)
      .int(files.length, calls.length)
      .long(0, 0);
    head.int(...Array<number>(256).fill(0));
    files.forEach((name, id) => head.int(id).long(0).int(Buffer.byteLength(name)).add(name));
    folder.set(`${rank}.mt`, head.bytes);
    folder.set(
      `${rank}.itf`,
      peepholeBytes(
        [...calls].sort((a, b) => a.end - b.end),
        functions,
      ),
    );
  }
  return folder;
}

function peepholeBytes(calls: readonly WrittenCall[], functions: readonly string[]): Buffer {
  const packed = new Packed();
  calls.forEach((call, i) => {
    const texts = call.arguments.map(String);
    const differing = (other: WrittenCall): number[] =>
      texts.flatMap((text, at) => (text === String(other.arguments[at]) ? [] : [at]));
    const back = [...Array(WINDOW).keys()].find((distance) => {
      const other = calls[i - 1 - distance];
      if (other?.name !== call.name || other.arguments.length !== texts.length) return false;
      const at = differing(other);
      return at.length < texts.length && at.every((place) => place < 7);
    });
    const changed = back === undefined ? texts.map((_, at) => at) : differing(calls[i - 1 - back]!);
    const status = back === undefined ? 0 : changed.reduce((bits, at) => bits | (1 << at), 0x80);
    packed
      .byte(status)
      .int(call.start, call.end, call.result ?? 0)
      .byte(back ?? functions.indexOf(call.name));
    packed.add(changed.map((at) => ` ${texts[at]!}`).join('')).add('\n');
  });
  return packed.bytes;
}
