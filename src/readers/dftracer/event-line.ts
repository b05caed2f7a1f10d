/**
 * One line of a DFTracer recording: an object of JSON with the object `args` in it. Works on bytes and makes no strings:
 * values are kept as places in the line.
 */
import { ascii, BLANK, endOfString, QUOTE, readNumber, startsWith } from '../text/bytes.ts';

const OPEN = 123;
const CLOSE = 125;
const COMMA = 44;
const COLON = 58;
const LIST = 91;
const LIST_END = 93;
const LETTER_N = 110;

/** Fields of an event, and of its `args`, that mean something here. */
const EVENT_FIELDS = ['id', 'name', 'cat', 'pid', 'tid', 'ts', 'dur', 'ph'] as const;
const ARGUMENT_FIELDS = [
  'hhash',
  'fhash',
  'hostname',
  'fname',
  'p_idx',
  'level',
  'ret',
  'count',
  'size',
  'offset',
  'whence',
  'flags',
  'mode',
  'length',
  'cmd',
  'newpath',
  'pathname',
  'cmd_hash',
  'name',
  'value',
] as const;
export type ArgumentField = (typeof ARGUMENT_FIELDS)[number];

/** Where the values of an object stand in the line that was read last. */
export class Fields<Name extends string> {
  bytes: Uint8Array = new Uint8Array();
  private readonly keys: readonly Uint8Array[];
  private readonly indices: ReadonlyMap<string, number>;
  private readonly from: Int32Array;
  private readonly end: Int32Array;

  constructor(names: readonly Name[]) {
    this.keys = names.map(ascii);
    this.indices = new Map(names.map((name, index) => [name, index]));
    this.from = new Int32Array(names.length);
    this.end = new Int32Array(names.length);
  }

  clear(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.from.fill(-1);
  }

  /** Notes a value, without its quotes, when its key is one of the wanted ones. */
  set(keyFrom: number, keyEnd: number, from: number, end: number): void {
    const { bytes, keys } = this;
    for (let i = 0; i < keys.length; i++) {
      if (keys[i]!.length !== keyEnd - keyFrom || !startsWith(bytes, keyFrom, keyEnd, keys[i]!)) continue;
      this.from[i] = from;
      this.end[i] = end;
      return;
    }
  }

  has(name: Name): boolean {
    return this.fromOf(name) >= 0;
  }

  /** Where a value begins; −1 when it is not there. */
  fromOf(name: Name): number {
    return this.from[this.indices.get(name)!]!;
  }

  endOf(name: Name): number {
    return this.end[this.indices.get(name)!]!;
  }

  /** A number, in quotes or not; NaN when there is none. */
  number(name: Name): number {
    const from = this.fromOf(name);
    return from < 0 ? NaN : readNumber(this.bytes, from, this.endOf(name));
  }

  /** A text, '' when there is none. */
  text(name: Name): string {
    const from = this.fromOf(name);
    return from < 0 ? '' : jsonText(this.bytes.subarray(from, this.endOf(name)));
  }
}

const decoder = new TextDecoder('utf-8');

/** The text that stands between quotes in JSON. */
export function jsonText(bytes: Uint8Array): string {
  const raw = decoder.decode(bytes);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}

export class EventLine {
  readonly event = new Fields(EVENT_FIELDS);
  readonly arguments = new Fields(ARGUMENT_FIELDS);
  private bytes: Uint8Array = new Uint8Array();
  private end = 0;

  /** @returns whether an object stands there that is complete. */
  read(bytes: Uint8Array, from: number, end: number): boolean {
    this.bytes = bytes;
    this.end = end;
    this.event.clear(bytes);
    this.arguments.clear(bytes);
    return bytes[from] === OPEN && this.object(from + 1, this.event, true) > 0;
  }

  /** Reads what stands in an object. @returns the position behind it, or −1. */
  private object(start: number, fields: Fields<string>, isOuter: boolean): number {
    const { bytes, end } = this;
    for (let at = start; at < end;) {
      const byte = bytes[at]!;
      if (byte === CLOSE) return at + 1;
      if (byte === COMMA || byte === BLANK) {
        at++;
        continue;
      }
      if (byte !== QUOTE) return -1;
      const keyEnd = endOfString(bytes, at, end);
      const colon = this.skipBlanks(keyEnd);
      if (bytes[colon] !== COLON || colon >= end) return -1;
      at = this.value(fields, at + 1, keyEnd - 1, this.skipBlanks(colon + 1), isOuter);
      if (at < 0) return -1;
    }
    return -1;
  }

  private value(fields: Fields<string>, keyFrom: number, keyEnd: number, from: number, isOuter: boolean): number {
    const { bytes, end } = this;
    if (from >= end) return -1;
    const first = bytes[from]!;
    if (first === QUOTE) {
      const behind = endOfString(bytes, from, end);
      fields.set(keyFrom, keyEnd, from + 1, behind - 1);
      return behind;
    }
    if (first === OPEN && isOuter && startsWith(bytes, keyFrom, keyEnd, ARGUMENTS)) {
      return this.object(from + 1, this.arguments, false);
    }
    if (first === OPEN || first === LIST) return this.skipNested(from);
    let at = from;
    while (at < end && bytes[at] !== COMMA && bytes[at] !== CLOSE) at++;
    // `null` is no value.
    if (first !== LETTER_N) fields.set(keyFrom, keyEnd, from, at);
    return at === from ? -1 : at;
  }

  private skipNested(from: number): number {
    const { bytes, end } = this;
    let depth = 0;
    for (let at = from; at < end;) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        at = endOfString(bytes, at, end);
        continue;
      }
      if (byte === OPEN || byte === LIST) depth++;
      if ((byte === CLOSE || byte === LIST_END) && --depth === 0) return at + 1;
      at++;
    }
    return -1;
  }

  private skipBlanks(from: number): number {
    let at = from;
    while (at < this.end && this.bytes[at] === BLANK) at++;
    return at;
  }
}

const ARGUMENTS = ascii('args');
