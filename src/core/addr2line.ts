/**
 * Addresses to source frames, by the gimli `addr2line` crate in WebAssembly. Addresses go in as one array, columns come
 * out: nothing crosses the border once per address. The memory of an instance is that of one binary's debug sections and
 * what was parsed of them; it goes when the object goes.
 */

/** The sections that the lookup reads, by the number that the module knows them by. */
export const DEBUG_SECTIONS = [
  '.debug_abbrev',
  '.debug_addr',
  '.debug_aranges',
  '.debug_info',
  '.debug_line',
  '.debug_line_str',
  '.debug_ranges',
  '.debug_rnglists',
  '.debug_str',
  '.debug_str_offsets',
  '.debug_types',
  '.debug_loc',
] as const;

const SUPPLEMENTARY = 100;
const NONE = 0xffffffff;
const COLUMN = { first: 0, function: 1, file: 2, line: 3, column: 4, ends: 5, error: 6, text: 7 } as const;

export interface DebugSection {
  /** A name of DEBUG_SECTIONS; others are passed over. */
  readonly name: string;
  /** Size in bytes, decompressed. */
  readonly size: number;
  /** From the file that `.gnu_debugaltlink` names. */
  readonly supplementary: boolean;
  /** Writes the section, decompressed, into `target` (`size` bytes). */
  fill(target: Uint8Array): Promise<void>;
}

/** Frames of a batch of addresses. Inlined frames come innermost first; the last frame of an address is the real one. */
export interface FrameColumns {
  /** The frames of address `i` are `first[i] … first[i + 1] - 1`. */
  readonly first: Uint32Array;
  /** Index into `names`, or −1. */
  readonly functionName: Int32Array;
  /** Index into `names`, or −1. */
  readonly file: Int32Array;
  /** Counted from 1; 0 is unknown. */
  readonly line: Uint32Array;
  /** Counted from 1; 0 is unknown. */
  readonly column: Uint32Array;
  readonly names: readonly string[];
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  allocate(length: number): number;
  release(pointer: number, length: number): void;
  set_section(number: number, pointer: number, length: number): void;
  open(bigEndian: number): number;
  lookup(addresses: number, count: number): void;
  demangle(text: number, length: number): void;
  column(number: number): number;
  column_length(number: number): number;
}

export class DebugInformation {
  private readonly names: string[] = [];

  private constructor(private readonly wasm: Exports) {}

  /**
   * @param sections the debug sections of one binary; none at all leaves an instance that can only demangle.
   * @throws Error when the debug information cannot be read.
   */
  static async open(
    module: WebAssembly.Module,
    sections: Iterable<DebugSection>,
    bigEndian = false,
  ): Promise<DebugInformation> {
    const instance = await WebAssembly.instantiate(module, {});
    const wasm = instance.exports as unknown as Exports;
    for (const section of sections) {
      const number = (DEBUG_SECTIONS as readonly string[]).indexOf(section.name);
      if (number < 0 || section.size === 0) continue;
      const pointer = wasm.allocate(section.size);
      await section.fill(new Uint8Array(wasm.memory.buffer, pointer, section.size));
      wasm.set_section(number + (section.supplementary ? SUPPLEMENTARY : 0), pointer, section.size);
    }
    const information = new DebugInformation(wasm);
    if (wasm.open(bigEndian ? 1 : 0) !== 0) throw new Error(information.text(COLUMN.error));
    return information;
  }

  /** Bytes of memory that the instance holds now. */
  get memory(): number {
    return this.wasm.memory.buffer.byteLength;
  }

  /**
   * @param addresses addresses in the file (not offsets), each inside the instruction that is meant.
   * @throws Error when the debug information is so broken that the lookup gave up.
   */
  lookup(addresses: Float64Array): FrameColumns {
    const { wasm } = this;
    const size = addresses.length * 8;
    const pointer = wasm.allocate(size);
    new Float64Array(wasm.memory.buffer, pointer, addresses.length).set(addresses);
    wasm.lookup(pointer, addresses.length);
    wasm.release(pointer, size);
    this.takeNames();
    return {
      first: this.unsigned(COLUMN.first),
      functionName: this.indices(COLUMN.function),
      file: this.indices(COLUMN.file),
      line: this.unsigned(COLUMN.line),
      column: this.unsigned(COLUMN.column),
      names: this.names,
    };
  }

  /** C++ and Rust names as a person writes them; others as they are. */
  demangle(names: readonly string[]): string[] {
    if (names.length === 0) return [];
    const { wasm } = this;
    const text = new TextEncoder().encode(names.map((name) => name.replaceAll('\n', ' ')).join('\n'));
    const pointer = wasm.allocate(text.length);
    new Uint8Array(wasm.memory.buffer, pointer, text.length).set(text);
    wasm.demangle(pointer, text.length);
    wasm.release(pointer, text.length);
    this.takeNames();
    return Array.from(this.unsigned(COLUMN.function), (index) => this.names[index]!);
  }

  private unsigned(column: number): Uint32Array {
    return new Uint32Array(this.wasm.memory.buffer, this.wasm.column(column), this.wasm.column_length(column)).slice();
  }

  /** The module's "none" (all bits set) is −1 here. */
  private indices(column: number): Int32Array {
    const values = this.unsigned(column);
    return Int32Array.from(values, (value) => (value === NONE ? -1 : value));
  }

  private text(column: number): string {
    const { wasm } = this;
    const bytes = new Uint8Array(wasm.memory.buffer, wasm.column(column), wasm.column_length(column));
    return new TextDecoder().decode(bytes);
  }

  /** Names are only added: take those that came since the last call. */
  private takeNames(): void {
    const { wasm } = this;
    const count = wasm.column_length(COLUMN.ends);
    if (count === this.names.length) return;
    const ends = new Uint32Array(wasm.memory.buffer, wasm.column(COLUMN.ends), count);
    const text = new Uint8Array(wasm.memory.buffer, wasm.column(COLUMN.text), wasm.column_length(COLUMN.text));
    const decoder = new TextDecoder();
    for (let index = this.names.length; index < count; index++) {
      const start = index === 0 ? 0 : ends[index - 1]!;
      this.names.push(decoder.decode(text.subarray(start, ends[index])));
    }
  }
}
