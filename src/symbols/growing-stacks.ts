import type { FrameColumns } from '../core/addr2line.ts';
import { NameTable } from '../trace/names.ts';
import type { AddressLookup, LookupFactory } from './address-lookup.ts';
import type { OpenedElf } from './debug-files.ts';
import type { RecordedStacks } from './frame-lookups.ts';
import type { ResolvedStacks } from './resolved-stacks.ts';
import { resolveStacks } from './stack-resolver.ts';
import type { SymbolFiles, SymbolSearch } from './symbol-files.ts';

/** Indices of names, and numbers, as in FrameColumns. */
interface KeptFrame {
  readonly functionName: number;
  readonly file: number;
  readonly line: number;
  readonly column: number;
}

/** A lookup that asks for each address once, however often it is asked. */
class KeptLookup implements AddressLookup {
  private readonly frames = new Map<number, readonly KeptFrame[]>();
  private readonly names = new NameTable();

  constructor(private readonly lookedUpIn: AddressLookup) {}

  async lookup(addresses: Float64Array): Promise<FrameColumns> {
    const fresh = Float64Array.from(new Set(addresses.filter((address) => !this.frames.has(address))));
    if (fresh.length > 0) this.keep(fresh, await this.lookedUpIn.lookup(fresh));
    return this.columnsOf(addresses);
  }

  private keep(addresses: Float64Array, columns: FrameColumns): void {
    const own = (name: number): number => (name < 0 ? name : this.names.intern(columns.names[name]!));
    addresses.forEach((address, i) => {
      const frames: KeptFrame[] = [];
      for (let at = columns.first[i]!; at < columns.first[i + 1]!; at++) {
        const [functionName, file] = [own(columns.functionName[at]!), own(columns.file[at]!)];
        frames.push({ functionName, file, line: columns.line[at]!, column: columns.column[at]! });
      }
      this.frames.set(address, frames);
    });
  }

  private columnsOf(addresses: Float64Array): FrameColumns {
    const found = Array.from(addresses, (address) => this.frames.get(address)!);
    const all = found.flat();
    const first = new Uint32Array(found.length + 1);
    found.forEach((frames, i) => {
      first[i + 1] = first[i]! + frames.length;
    });
    return {
      first,
      functionName: Int32Array.from(all, (frame) => frame.functionName),
      file: Int32Array.from(all, (frame) => frame.file),
      line: Uint32Array.from(all, (frame) => frame.line),
      column: Uint32Array.from(all, (frame) => frame.column),
      names: this.names.names,
    };
  }

  /** Kept for the next time; `end` lets go of it. */
  close(): void {
    // Nothing yet.
  }

  end(): void {
    this.lookedUpIn.close();
  }
}

/**
 * Resolves the stacks of a recording again and again while it grows: nothing is done while no stack is new, and an address
 * is looked up once. A binary that was rebuilt meanwhile is read anew.
 */
export class GrowingStacks {
  private last: { readonly nodes: number; readonly program: string; readonly resolved: ResolvedStacks } | undefined;
  private readonly lookups = new Map<string, KeptLookup>();

  constructor(
    private readonly files: SymbolFiles,
    private readonly factory: LookupFactory,
  ) {}

  /** @returns the same object as before when no stack is new. */
  async resolve(trace: RecordedStacks, search: SymbolSearch, signal?: AbortSignal): Promise<ResolvedStacks> {
    const { last } = this;
    const { program } = trace;
    const { nodes } = trace.stacks;
    if (last?.nodes === nodes && last.program === program) return last.resolved;
    const keeping: LookupFactory = {
      tool: this.factory.tool,
      open: (debug, alternate) => this.lookupIn(debug, alternate),
      demangle: (names) => this.factory.demangle(names),
    };
    const resolved = await resolveStacks(trace, this.files, search, keeping, signal);
    this.last = { nodes, program, resolved };
    return resolved;
  }

  private async lookupIn(debug: OpenedElf, alternate: OpenedElf | undefined): Promise<AddressLookup> {
    const written = await this.files.modified(debug.path);
    const key = `${debug.path}\0${written}\0${alternate?.path ?? ''}`;
    let lookup = this.lookups.get(key);
    if (lookup === undefined) {
      lookup = new KeptLookup(await this.factory.open(debug, alternate));
      this.lookups.set(key, lookup);
    }
    return lookup;
  }

  close(): void {
    for (const lookup of this.lookups.values()) lookup.end();
    this.lookups.clear();
  }
}
