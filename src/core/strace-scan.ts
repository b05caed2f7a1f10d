/**
 * The usual lines of strace text as records of numbers, by native/wasm/strace-scan in WebAssembly (its README says what is
 * usual). Text goes in window by window; the records are read where they stand, in the module's memory, which never grows.
 */
import { messageOf } from '../base/error-message.ts';
import base64 from '../../native/wasm/strace-scan/strace-scan.wasm';

/** Kinds of lines: `record.rs`. */
export const LINE = {
  /** Not usual: it has to be read elsewhere. */
  other: 0,
  /** A call with its return. */
  whole: 1,
  /** The first half of a call. */
  begun: 2,
  /** The second half of a call. */
  resumed: 3,
  /** The frames of a call stack, in lines of their own. */
  frames: 4,
} as const;

/** Places of a record's fields in `records`. */
export const FIELD = {
  kind: 0,
  /** The line in the window, without its end. */
  from: 1,
  end: 2,
  /** −1 when the line has none. */
  pid: 3,
  seconds: 4,
  microseconds: 5,
  /** Number of the call, in the order of `addCall`. */
  call: 6,
  /** Second halves: `state` of the first half, as the module assumed it. */
  stateBefore: 7,
  /** How far the arguments were read: their number, times two, plus one when the next begins a new argument. */
  state: 8,
  /** Bits of SEEN. */
  seen: 9,
  fd: 10,
  /** As every decoration, and the error: the number of a name, −1 for none. */
  decoration: 11,
  folder: 12,
  folderDecoration: 13,
  whence: 14,
  /** Microseconds; −1 when the line has none. */
  duration: 15,
  resultDecoration: 16,
  error: 17,
  placeCount: 18,
  /** Three fields for each argument that is handed out by its place: its number, its beginning in the window, its end. */
  places: 19,
  /** 1 when the seconds count from midnight. */
  isTimeOfDay: 25,
} as const;

/** Integers of a record. */
export const RECORD_FIELDS = 32;
/** Numbers of a record, and where they stand among them. */
export const RECORD_NUMBERS = 16;
export const NUMBER = { size: 13, offset: 14, result: 15 } as const;

/** Bits of the field `seen`: which fields hold something. */
export const SEEN = { fd: 1, folder: 2, size: 4, offset: 8, whence: 16 } as const;

/** What the module does with an argument. */
export const SCAN_ROLE = { skip: 0, fd: 1, folder: 2, size: 3, offset: 4, whence: 5, place: 6 } as const;

/** Arguments of a call that have a role. */
export const MOST_ROLES = 8;
const LONGEST_NAME = 32;
const WINDOW = 1 << 17;
const MOST_RECORDS = 1024;
/** Names that have a number at a time. */
export const MOST_NAMES = 1 << 14;
const NAME_BYTES = 1 << 21;

interface Exports {
  readonly memory: WebAssembly.Memory;
  window(): number;
  records(): number;
  new_call(): number;
  add_call(length: number): number;
  scan(from: number, end: number, isBoundary: number): number;
  stopped(): number;
  forgotten(): number;
  name_bytes(): number;
  name_starts(): number;
}

let compiled: WebAssembly.Module | undefined;

/** The module, compiled once. @throws Error where WebAssembly or its SIMD is lacking. */
function compiledModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  return compiled;
}

/** Why there can be no scanner here, in the machine's words; undefined where there can. */
export function scannerProblem(): string | undefined {
  try {
    new StraceScan();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export class StraceScan {
  /** The records of the last scan. */
  readonly records: Int32Array;
  /** The same memory as numbers. */
  readonly numbers: Float64Array;
  private readonly wasm: Exports;
  private readonly window: Uint8Array;
  private readonly newCall: Uint8Array;
  private readonly nameBytes: Uint8Array;
  private readonly nameStarts: Uint32Array;

  /** @throws Error where the module cannot be compiled or started. */
  constructor() {
    const wasm = new WebAssembly.Instance(compiledModule(), {}).exports as unknown as Exports;
    const { buffer } = wasm.memory;
    this.wasm = wasm;
    this.window = new Uint8Array(buffer, wasm.window(), WINDOW);
    this.records = new Int32Array(buffer, wasm.records(), MOST_RECORDS * RECORD_FIELDS);
    this.numbers = new Float64Array(buffer, wasm.records(), MOST_RECORDS * RECORD_NUMBERS);
    this.newCall = new Uint8Array(buffer, wasm.new_call(), MOST_ROLES + LONGEST_NAME);
    this.nameBytes = new Uint8Array(buffer, wasm.name_bytes(), NAME_BYTES);
    this.nameStarts = new Uint32Array(buffer, wasm.name_starts(), MOST_NAMES + 1);
  }

  /**
   * Makes a call known: until then its lines are not usual.
   * @param roles a SCAN_ROLE for each argument.
   * @returns whether there was room for it.
   */
  addCall(name: Uint8Array, roles: Uint8Array): boolean {
    if (name.length > LONGEST_NAME || roles.length > MOST_ROLES) return false;
    this.newCall.fill(0);
    this.newCall.set(roles);
    this.newCall.set(name, MOST_ROLES);
    return this.wasm.add_call(name.length) === 1;
  }

  /** Copies text into the window. @returns how many bytes it took. */
  load(bytes: Uint8Array, from: number, end: number): number {
    const length = Math.min(WINDOW, end - from);
    this.window.set(bytes.subarray(from, from + length));
    return length;
  }

  /**
   * Fills the records with the whole lines of the window from `from` on; it stops at what is not whole.
   * @param isBoundary a line begins at `end`.
   * @returns how many records.
   */
  scan(from: number, end: number, isBoundary: boolean): number {
    return this.wasm.scan(from, end, isBoundary ? 1 : 0);
  }

  /** Where the last scan stopped. */
  get stopped(): number {
    return this.wasm.stopped();
  }

  /** How often the numbers of names began anew: what is known of them is void then. */
  get forgotten(): number {
    return this.wasm.forgotten();
  }

  /** The bytes of a name. Valid until the next scan. */
  name(index: number): Uint8Array {
    return this.nameBytes.subarray(this.nameStarts[index], this.nameStarts[index + 1]);
  }
}
