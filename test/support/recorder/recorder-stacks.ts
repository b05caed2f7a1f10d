import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What the files of the recorder library say of stacks, read by itself: the product's reader is tested elsewhere. */

export interface RecordedModule {
  path: string;
  bias: bigint;
  first: bigint;
  bytes: bigint;
  buildId: string;
}

export interface RecordedCall {
  functionName: string;
  /** Arguments by their letters; letters for texts hold numbers. */
  values: Map<string, bigint>;
  /** Absolute addresses, innermost first. */
  stack: bigint[];
  /** Numbers of the modules of the stack's addresses, 0: none. */
  modules: number[];
  /** Frames that the recording names, such as Python's, innermost first: `file:line function`. */
  lines: string[];
}

export interface RecordedFile {
  modules: Map<number, RecordedModule>;
  notes: string[];
  calls: RecordedCall[];
}

interface StackNode {
  caller: number;
  module: number;
  address: bigint;
  /** '' where it is an address. */
  line: string;
}

class Bytes {
  at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  get left(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    return this.bytes[this.at++]!;
  }

  unsigned(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  number(): number {
    return Number(this.unsigned());
  }

  signed(): bigint {
    const value = this.unsigned();
    return value % 2n === 0n ? value / 2n : -(value + 1n) / 2n;
  }

  block(): Uint8Array {
    const length = this.number();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  text(): string {
    return Buffer.from(this.block()).toString();
  }
}

const SIGNED = 'fFdDoOvstrx';

class Reader {
  readonly modules = new Map<number, RecordedModule>();
  readonly notes: string[] = [];
  readonly calls: RecordedCall[] = [];
  private readonly nodes = new Map<number, StackNode>();
  private readonly texts = new Map<number, string>();
  private readonly functions = new Map<number, { name: string; roles: string }>();

  definition(kind: number, body: Bytes): void {
    if (kind === 2) this.texts.set(body.number(), body.text());
    else if (kind === 3) {
      const number = body.number();
      body.unsigned();
      this.functions.set(number, { name: body.text(), roles: body.text() });
    } else if (kind === 4) {
      const number = body.number();
      if (this.modules.has(number)) throw new Error(`module ${number} is defined twice`);
      const [bias, first, bytes] = [body.unsigned(), body.unsigned(), body.unsigned()];
      const file = body.text();
      this.modules.set(number, { bias, first, bytes, path: file, buildId: Buffer.from(body.block()).toString('hex') });
    } else if (kind === 5) {
      const number = body.number();
      const node = { caller: body.number(), module: body.number(), address: body.unsigned(), line: '' };
      if (node.module !== 0 && !this.modules.has(node.module)) throw new Error(`module ${node.module} behind its use`);
      this.addNode(number, node);
    } else if (kind === 9) {
      const number = body.number();
      const caller = body.number();
      const [name, file] = [this.texts.get(body.number()), this.texts.get(body.number())];
      if (name === undefined || file === undefined) throw new Error(`a text stands behind its use`);
      this.addNode(number, { caller, module: 0, address: 0n, line: `${file}:${body.number()} ${name}` });
    } else if (kind === 8) this.notes.push(body.text());
  }

  private addNode(number: number, node: StackNode): void {
    if (this.nodes.has(number)) throw new Error(`stack node ${number} is defined twice`);
    if (node.caller !== 0 && !this.nodes.has(node.caller)) throw new Error(`node ${node.caller} stands behind its use`);
    this.nodes.set(number, node);
  }

  events(payload: Bytes): void {
    let stack = 0n;
    while (payload.left > 0) {
      const number = payload.number();
      if (number === 0) return;
      const called = this.functions.get(number);
      if (called === undefined) throw new Error(`function ${number} is not defined`);
      payload.unsigned();
      payload.unsigned();
      stack += payload.signed();
      const values = new Map<string, bigint>();
      for (const letter of called.roles) {
        const value = SIGNED.includes(letter) ? payload.signed() : payload.unsigned();
        values.set(letter, value);
        if (letter === 'e' || (letter === 'r' && value < 0n)) payload.unsigned();
      }
      this.calls.push({ functionName: called.name, values, ...this.stackOf(Number(stack)) });
    }
  }

  private stackOf(innermost: number): Pick<RecordedCall, 'stack' | 'modules' | 'lines'> {
    const stack: bigint[] = [];
    const modules: number[] = [];
    const lines: string[] = [];
    for (let number = innermost; number !== 0;) {
      const node = this.nodes.get(number);
      if (node === undefined) throw new Error(`stack node ${number} is not defined`);
      number = node.caller;
      if (node.line === '') {
        stack.push(node.address + (this.modules.get(node.module)?.bias ?? 0n));
        modules.push(node.module);
      } else lines.push(node.line);
    }
    return { stack, modules, lines };
  }
}

/** Payloads of the chunks that a process had begun and not written, by their kind. */
function livePayloads(area: Buffer): [kind: number, payload: Uint8Array][] {
  const [slotBytes, inFront, slots] = [area.readUInt32LE(16), area.readUInt32LE(24), area.readUInt32LE(28)];
  return Array.from({ length: slots }, (_, i) => {
    const slot = area.subarray(40 + inFront + i * slotBytes);
    const isLive = slot.toString('latin1', 0, 4) === 'LIVE';
    return [slot.readUInt32LE(4), slot.subarray(40, isLive ? 40 + slot.readUInt32LE(8) : 40)];
  });
}

export function readRecorded(file: string, bytes = readFileSync(file)): RecordedFile {
  const reader = new Reader();
  const live: [kind: number, payload: Uint8Array][] = [];
  const read = (kind: number, payload: Bytes): void => {
    if (kind === 2) reader.events(payload);
    while (kind === 1 && payload.left > 0) {
      const definition = payload.byte();
      if (definition === 0) break;
      reader.definition(definition, new Bytes(payload.block()));
    }
  };
  for (let at = 16; at < bytes.length;) {
    const [kind, length] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)];
    const chunk = bytes.subarray(at, at + 40 + length);
    if (kind === 3) live.push(...livePayloads(chunk));
    else read(kind, new Bytes(chunk.subarray(40)));
    at += 40 + length;
  }
  // What the process had not written, such as a definition, stands behind what it had.
  for (const [kind, payload] of live) read(kind, new Bytes(payload));
  return reader;
}

/** All files of a recording, in the order of their names. */
export function readFolder(folder: string): RecordedFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.iorec'));
  return names.sort().map((name) => readRecorded(path.join(folder, name)));
}
