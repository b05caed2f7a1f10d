/** Writes files of the recorder library byte by byte (docs/recording-format.md): what the library itself does not do. */
import { chunkSum, sumOf } from '../../../src/readers/capture/chunks.ts';
import type { RankRun } from '../../../src/readers/capture/definitions.ts';

/** Bytes of numbers and texts, one behind the other. */
export class RecordBytes {
  readonly bytes: number[] = [];

  varint(value: number | bigint): this {
    if (typeof value === 'number' && value < 2 ** 31) {
      let small = value;
      for (; small >= 0x80; small >>>= 7) this.bytes.push((small & 0x7f) | 0x80);
      this.bytes.push(small);
      return this;
    }
    let rest = BigInt(value);
    for (; rest >= 0x80n; rest >>= 7n) this.bytes.push(Number(rest & 0x7fn) | 0x80);
    this.bytes.push(Number(rest));
    return this;
  }

  signed(value: number | bigint): this {
    if (typeof value === 'number' && Math.abs(value) < 2 ** 30)
      return this.varint(value < 0 ? -2 * value - 1 : 2 * value);
    const wide = BigInt(value);
    return this.varint(wide < 0n ? -2n * wide - 1n : 2n * wide);
  }

  text(text: string | Uint8Array): this {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    this.varint(bytes.length);
    this.bytes.push(...bytes);
    return this;
  }
}

export interface ProcessFacts {
  pid: number;
  parentPid: number;
  wallClock: bigint;
  monotonicClock: bigint;
  origin: number;
  rank: number;
  size: number;
  host: string;
  executable: string;
  folder: string;
  machine: string;
  arguments: string[];
  /** On the monotonic clock; files of the first libraries do not have it. */
  startedAt: bigint | undefined;
}

/** Nanoseconds of the clocks at which everything that is written here begins. */
export const MONOTONIC = 5_000_000_000_000n;
export const WALL = 1_700_000_000_000_000_000n;

const PROCESS: ProcessFacts = {
  pid: 100,
  parentPid: 1,
  wallClock: WALL,
  monotonicClock: MONOTONIC,
  origin: 0,
  rank: -1,
  size: -1,
  host: 'node1',
  executable: '/bin/app',
  folder: '/work',
  machine: 'x86_64',
  arguments: ['app', '-v'],
  startedAt: undefined,
};

const LAYERS = { recorder: 0, POSIX: 1, STDIO: 2, 'MPI-IO': 3, HDF5: 4, NetCDF: 5, PnetCDF: 6, MPI: 7 } as const;
export type CaptureLayer = keyof typeof LAYERS;

/** What an event's letters are given, in their order; `r` takes a result, or a result and an error's number. */
type Given = readonly (number | bigint | string | readonly [result: number, error: number])[];

const SIGNED = 'fFdDoOvstrxiIaAmM';
const TEXTS = 'pPN';

/** One file, chunk by chunk. */
export class CaptureFile {
  private readonly chunks: Uint8Array[] = [];
  private definitions = new RecordBytes();
  private defined = 0;
  private readonly texts = new Map<string, number>();
  private readonly functions = new Map<string, number>();
  private readonly threads = new Map<number, ThreadChunk>();
  private nodes = 0;
  private modules = 0;
  private communicators = 0;
  private readonly pid: number;

  constructor(facts: Partial<ProcessFacts> = {}) {
    const header = new Uint8Array(16);
    header.set(new TextEncoder().encode('IOLENSRC'));
    header[8] = 2;
    header[10] = 16;
    this.chunks.push(header);
    const all = { ...PROCESS, ...facts };
    this.pid = all.pid;
    const body = new RecordBytes().varint(all.pid).varint(all.parentPid).varint(all.wallClock);
    body.varint(all.monotonicClock).varint(all.origin).signed(all.rank).signed(all.size).varint(127).varint(64);
    body.varint(1).text(all.host).text(all.executable).text(all.folder).text(all.machine).text('1.0').text('');
    body.varint(all.arguments.length);
    for (const argument of all.arguments) body.text(argument);
    if (all.startedAt !== undefined) body.varint(all.startedAt);
    this.define(1, body);
  }

  define(kind: number, body: RecordBytes): void {
    this.definitions.bytes.push(kind);
    this.definitions.varint(body.bytes.length);
    this.definitions.bytes.push(...body.bytes);
    this.defined++;
  }

  /**
   * @param until nanoseconds from MONOTONIC.
   * @param signal that it is about to send itself.
   * @param more how long its first thread ran or was ready, and what the recorder took of that: what earlier libraries
   *   do not write.
   */
  life(until: number, userNs: number, systemNs: number, signal = 0, ...more: number[]): this {
    const numbers = [userNs, systemNs, signal, ...more];
    const body = new RecordBytes().varint(MONOTONIC + BigInt(until));
    this.define(
      10,
      numbers.reduce((bytes, number) => bytes.varint(number), body),
    );
    return this;
  }

  textNumber(text: string): number {
    let number = this.texts.get(text);
    if (number === undefined) {
      number = this.texts.size + 1;
      this.texts.set(text, number);
      this.define(2, new RecordBytes().varint(number).text(text));
    }
    return number;
  }

  functionNumber(layer: CaptureLayer, name: string, roles: string): number {
    const key = `${layer} ${name} ${roles}`;
    let number = this.functions.get(key);
    if (number === undefined) {
      number = this.functions.size + 1;
      this.functions.set(key, number);
      this.define(3, new RecordBytes().varint(number).varint(LAYERS[layer]).text(name).text(roles));
    }
    return number;
  }

  module(path: string, buildId = new Uint8Array()): number {
    const number = ++this.modules;
    this.define(
      4,
      new RecordBytes().varint(number).varint(0x5000).varint(0x5000).varint(0x1000).text(path).text(buildId),
    );
    return number;
  }

  node(caller: number, module: number, address: number): number {
    const number = ++this.nodes;
    this.define(5, new RecordBytes().varint(number).varint(caller).varint(module).varint(address));
    return number;
  }

  world(rank: number, size: number): this {
    this.define(6, new RecordBytes().varint(rank).varint(size).text('MPI of a test'));
    return this;
  }

  communicator(name: string, size: number, runs: readonly RankRun[]): number {
    const number = ++this.communicators;
    const body = new RecordBytes().varint(number).varint(size).text(name).varint(runs.length);
    runs.forEach(({ first, step, ranks }, i) => {
      body
        .signed(first - (runs[i - 1]?.first ?? 0))
        .signed(step)
        .varint(ranks);
    });
    this.define(7, body);
    return number;
  }

  note(text: string): this {
    this.define(8, new RecordBytes().text(text));
    return this;
  }

  /**
   * A call; calls of a thread in the order of their ends.
   * @param at start and end, nanoseconds behind MONOTONIC.
   */
  call(
    layer: CaptureLayer,
    name: string,
    roles: string,
    given: Given,
    [start, end]: readonly [number, number],
    more: { thread?: number; stack?: number } = {},
  ): this {
    const { thread: number = this.pid, stack = 0 } = more;
    const called = this.functionNumber(layer, name, roles);
    const texts = given.map((value) => (typeof value === 'string' ? this.textNumber(value) : value));
    let thread = this.threads.get(number);
    if (thread === undefined) this.threads.set(number, (thread = new ThreadChunk()));
    thread.event(called, start, end, stack, (bytes) => {
      for (let i = 0; i < roles.length; i++) putArgument(bytes, roles[i]!, texts, i);
    });
    return this;
  }

  /** Ends the chunks that are being filled. @param lost calls of a thread that were lost before. */
  flush(lost = 0): this {
    if (this.defined > 0) this.chunks.push(chunk(1, this.definitions.bytes, 0n, 0, this.defined, 0));
    this.definitions = new RecordBytes();
    this.defined = 0;
    for (const [number, { bytes, records, base }] of this.threads)
      this.chunks.push(chunk(2, bytes.bytes, MONOTONIC + BigInt(base), number, records, lost));
    this.threads.clear();
    return this;
  }

  /** A chunk as it is given, sound. */
  raw(kind: number, payload: readonly number[], records: number, thread = 100): this {
    this.chunks.push(chunk(kind, payload, MONOTONIC, thread, records, 0));
    return this;
  }

  bytes(): Uint8Array {
    this.flush();
    const all = new Uint8Array(this.chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const each of this.chunks) {
      all.set(each, at);
      at += each.length;
    }
    return all;
  }
}

function putArgument(bytes: RecordBytes, role: string, given: readonly unknown[], i: number): void {
  const value = given[i];
  if (Array.isArray(value)) {
    const [first, second] = value as [number, number];
    if (role === 'e') bytes.varint(first).varint(second);
    else bytes.signed(first).varint(second);
  } else if (SIGNED.includes(role)) bytes.signed(value as number);
  else if (TEXTS.includes(role) && value === 0) bytes.varint(0);
  else bytes.varint(value as number | bigint);
}

/** A chunk of events that is being filled. */
class ThreadChunk {
  readonly bytes = new RecordBytes();
  records = 0;
  base = NaN;
  private end = NaN;
  private stack = 0;

  event(called: number, start: number, end: number, stack: number, put: (bytes: RecordBytes) => void): void {
    if (this.records === 0) this.base = this.end = end;
    this.bytes
      .varint(called)
      .varint(end - this.end)
      .varint(end - start)
      .signed(stack - this.stack);
    put(this.bytes);
    this.end = end;
    this.stack = stack;
    this.records++;
  }
}

function chunk(
  kind: number,
  payload: readonly number[],
  time: bigint,
  thread: number,
  records: number,
  lost: number,
): Uint8Array {
  const bytes = new Uint8Array(40 + Math.ceil(payload.length / 8) * 8);
  bytes.set(payload, 40);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x4b4e4843, true);
  view.setUint32(4, kind, true);
  view.setUint32(8, bytes.length - 40, true);
  view.setBigUint64(16, time, true);
  view.setUint32(24, thread, true);
  view.setUint32(28, records, true);
  view.setUint32(32, lost, true);
  view.setUint32(
    12,
    chunkSum(view, kind === 3 ? sumOf(new DataView(new ArrayBuffer(0))) : sumOf(new DataView(bytes.buffer, 40))),
    true,
  );
  return bytes;
}
