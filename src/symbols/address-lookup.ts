import { DebugInformation, type FrameColumns } from '../core/addr2line.ts';
import type { OpenedElf } from './debug-files.ts';
import { debugSections } from './debug-sections.ts';

/** Debug information of one binary, ready for lookups. */
export interface AddressLookup {
  /** Addresses in the file; each must lie inside the instruction that is meant. */
  lookup(addresses: Float64Array): Promise<FrameColumns>;
  close(): void;
}

/** Makes lookups; there is one for WebAssembly and one that drives an installed tool. */
export interface LookupFactory {
  /** What the user is told: `addr2line (WebAssembly)`, `/usr/bin/llvm-symbolizer`. */
  readonly tool: string;
  /**
   * @param debug the file with the debug information.
   * @param alternate the file that `.gnu_debugaltlink` names.
   * @throws Error when the debug information cannot be read.
   */
  open(debug: OpenedElf, alternate: OpenedElf | undefined): Promise<AddressLookup>;
  /** C++ and Rust names as a person writes them. */
  demangle(names: readonly string[]): Promise<string[]>;
}

/** Lookups by the addr2line crate in WebAssembly. */
export class WasmLookupFactory implements LookupFactory {
  readonly tool = 'addr2line (WebAssembly)';
  private compiled: Promise<WebAssembly.Module> | undefined;
  private demangler: Promise<DebugInformation> | undefined;

  constructor(private readonly wasm: Uint8Array) {}

  /** Compiled for the first lookup: recordings of counters have none, and are read in the time that this takes. */
  private get module(): Promise<WebAssembly.Module> {
    this.compiled ??= WebAssembly.compile(this.wasm);
    return this.compiled;
  }

  async open(debug: OpenedElf, alternate: OpenedElf | undefined): Promise<AddressLookup> {
    const sections = await debugSections(debug.elf);
    if (alternate !== undefined) sections.push(...(await debugSections(alternate.elf, true)));
    const information = await DebugInformation.open(await this.module, sections, !debug.elf.littleEndian);
    return {
      lookup: (addresses) => Promise.resolve(information.lookup(addresses)),
      // The instance is garbage once nobody holds it.
      close: () => undefined,
    };
  }

  async demangle(names: readonly string[]): Promise<string[]> {
    this.demangler ??= DebugInformation.open(await this.module, []);
    return (await this.demangler).demangle(names);
  }
}
