import { readFileSync } from 'node:fs';

/**
 * A recording of strace as its text has it, read without any code of the product: calls with their stacks, and what becomes
 * of descriptors and offsets.
 */

export interface RawFrame {
  readonly module: string;
  /** As strace names it; '' where it does not. */
  readonly function: string;
  readonly address: string;
}

/** What an open made: descriptors that are copies of each other share it, with its offset. */
export interface OpenFile {
  readonly path: string;
  /** O_RDONLY|O_CREAT…; '' for what was open before. */
  readonly flags: string;
  offset: number;
}

export interface RawCall {
  readonly order: number;
  readonly thread: number;
  /** Threads of one process have its number. */
  readonly process: number;
  readonly startNs: number;
  readonly durationNs: number;
  readonly name: string;
  readonly args: string;
  readonly result: number;
  readonly frames: RawFrame[];
  /** Path of its file: of its descriptor, else of the text that it asks about; '' where it has none. */
  path: string;
  open: OpenFile | undefined;
  /** Where a read or write begins; NaN where that is not known. */
  offset: number;
}

const READS = /^(read|pread64|readv|preadv2?)$/;
const WRITES = /^(write|pwrite64|writev|pwritev2?)$/;

export const isRead = ({ name }: RawCall): boolean => READS.test(name);
export const isWrite = ({ name }: RawCall): boolean => WRITES.test(name);
export const isSync = ({ name }: RawCall): boolean => /^(fsync|fdatasync|msync|sync_file_range)$/.test(name);
export const isOpen = ({ name }: RawCall): boolean => /^(open|openat|openat2|creat)$/.test(name);

/** Bytes that a read or write asks for. */
export function askedBytes({ name, args }: RawCall): number {
  if (/v2?$/.test(name)) return [...args.matchAll(/iov_len=(\d+)/g)].reduce((sum, [, bytes]) => sum + Number(bytes), 0);
  // pread64 and pwrite64 have the offset behind it.
  return Number(/(\d+)(?:, -?\d+)?$/.exec(args)?.[1] ?? NaN);
}

const CALL = /^(\d+) +(\d+)\.(\d{6}) (?:<\.\.\. )?(\w+)(\(| resumed>)(.*)$/;
const FRAME = /^ > (\S+?)(?:\((.*?)(?:\+0x[0-9a-f]+)?\))? \[(0x[0-9a-f]+)\]$/;
const RETURNED = /^(.*)\) += (-?\d+|0x[0-9a-f]+|\?)(<[^>]*>)?(.*?)(?: <([\d.]+)>)?$/;

interface Unfinished {
  readonly startNs: number;
  readonly args: string;
}

/** All calls that returned, in the order of the text, each with its stack. */
function callsIn(text: string): RawCall[] {
  const calls: RawCall[] = [];
  const unfinished = new Map<string, Unfinished>();
  let origin: number | undefined;
  for (const line of text.split('\n')) {
    const frame = FRAME.exec(line);
    if (frame !== null) {
      calls.at(-1)?.frames.push({ module: frame[1]!, function: frame[2] ?? '', address: frame[3]! });
      continue;
    }
    const call = CALL.exec(line);
    if (call === null) continue;
    const [, thread, seconds, micros, name, opening, rest] = call;
    origin ??= Number(seconds);
    let startNs = (Number(seconds) - origin) * 1e9 + Number(micros) * 1e3;
    if (rest!.endsWith('<unfinished ...>')) {
      unfinished.set(thread!, { startNs, args: rest!.replace(/ ?<unfinished \.\.\.>$/, '') });
      continue;
    }
    const begun = opening === '(' ? undefined : unfinished.get(thread!);
    if (begun !== undefined) startNs = begun.startNs;
    const returned = RETURNED.exec(rest!);
    if (returned === null) continue;
    calls.push({
      ...{ order: calls.length, thread: Number(thread), process: Number(thread), startNs, name: name! },
      durationNs: Math.round(Number(returned[5] ?? 0) * 1e9),
      args: (begun?.args ?? '') + returned[1]!,
      result: Number(returned[2]),
      frames: [],
      path: /^<(.*)>$/.exec(returned[3] ?? '')?.[1] ?? '',
      ...{ open: undefined, offset: NaN },
    });
  }
  return calls;
}

const DESCRIPTOR = /^(\d+)<([^>]*)>/;

/** Descriptors of processes, as opens, copies and forks make them. */
class Descriptors {
  private readonly tables = new Map<number, Map<number, OpenFile>>();
  private readonly processes = new Map<number, number>();

  /** Fills in what a call's descriptor is, and where it reads or writes. */
  follow(call: RawCall): RawCall {
    const process = this.processes.get(call.thread) ?? call.thread;
    const table = this.tableOf(process);
    const followed = { ...call, process };
    if (/^(clone3?|fork|vfork)$/.test(call.name) && call.result > 0) this.born(call, process, table);
    else if (isOpen(call)) this.opened(followed, table);
    else this.used(followed, table);
    return followed;
  }

  private tableOf(process: number): Map<number, OpenFile> {
    let table = this.tables.get(process);
    if (table === undefined) this.tables.set(process, (table = new Map<number, OpenFile>()));
    return table;
  }

  private born({ args, result }: RawCall, process: number, table: Map<number, OpenFile>): void {
    if (args.includes('CLONE_THREAD')) this.processes.set(result, process);
    this.tables.set(result, args.includes('CLONE_FILES') ? table : new Map<number, OpenFile>(table));
  }

  private opened(call: RawCall, table: Map<number, OpenFile>): void {
    if (call.result < 0) {
      call.path = pathIn(call.args);
      return;
    }
    const flags = /O_\w+(?:\|O_\w+)*/.exec(call.args)?.[0] ?? '';
    call.open = { path: call.path, flags, offset: 0 };
    table.set(call.result, call.open);
  }

  private used(call: RawCall, table: Map<number, OpenFile>): void {
    const descriptor = DESCRIPTOR.exec(call.args);
    if (descriptor === null) {
      call.path = pathIn(call.args);
      return;
    }
    const number = Number(descriptor[1]);
    call.path = descriptor[2]!;
    let open = table.get(number);
    if (open?.path !== call.path) table.set(number, (open = { path: call.path, flags: '', offset: NaN }));
    call.open = open;
    this.moved(call, open);
    if (call.name === 'close') table.delete(number);
    if (/^dup[23]?$/.test(call.name) && call.result >= 0) table.set(call.result, open);
    if (call.name === 'fcntl' && call.args.includes('F_DUPFD') && call.result >= 0) table.set(call.result, open);
  }

  private moved(call: RawCall, open: OpenFile): void {
    if (call.result < 0) return;
    if (call.name === 'lseek') open.offset = call.result;
    if (!isRead(call) && !isWrite(call)) return;
    if (/^p(read|write)/.test(call.name)) {
      const at = call.name.endsWith('v2') ? /(-?\d+), \w+$/ : /(-?\d+)$/;
      call.offset = Number(at.exec(call.args)?.[1] ?? NaN);
      return;
    }
    call.offset = open.offset;
    open.offset += call.result;
  }
}

function pathIn(args: string): string {
  const [, folder, text] = /^(?:AT_FDCWD<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/.exec(args) ?? [];
  if (text === undefined) return '';
  return text.startsWith('/') || folder === undefined ? text : `${folder}/${text}`;
}

export function readRaw(recording: string): RawCall[] {
  const descriptors = new Descriptors();
  return callsIn(readFileSync(recording, 'utf8')).map((call) => descriptors.follow(call));
}
