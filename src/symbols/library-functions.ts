import type { CallStackTable } from '../trace/call-stacks.ts';
import type { LookupFactory } from './address-lookup.ts';
import { findModule, symbolAt } from './recorded-module.ts';
import type { SymbolFiles, SymbolSearch } from './symbol-files.ts';

/** What symbols are looked up with. */
interface SymbolMeans {
  readonly files: SymbolFiles;
  readonly search: SymbolSearch;
  readonly factory: LookupFactory;
}

/**
 * Names of functions of a system or I/O library, for recordings that hold addresses only: by the symbol table of the
 * library that is here, if it has the recorded build id. What a call went through is told by them, such as a flush.
 * @param frames of the module; those that the recorder named keep their names.
 * @returns a name for each frame, '' where the library has none for its place.
 */
export async function libraryFunctions(
  stacks: CallStackTable,
  module: number,
  frames: readonly number[],
  { files, search, factory }: SymbolMeans,
): Promise<string[]> {
  const recorded = frames.map((frame) => stacks.frame(frame).symbol);
  const build = stacks.moduleBuilds.get(module) ?? '';
  if (build === '' || stacks.moduleForms.get(module) !== 'address' || recorded.every((name) => name !== ''))
    return recorded;
  const found = await findModule(files, search, stacks.modules.at(module));
  if ('problem' in found) return recorded;
  try {
    // Another version of the library has other functions at these places.
    if ((await found.binary.elf.buildId()) !== build) return recorded;
    const names = frames.map(
      (frame, i) => recorded[i]! || (symbolAt(found.symbols, stacks.frameValue.at(frame) - 1)?.name ?? ''),
    );
    return await factory.demangle(names);
  } catch {
    return recorded;
  } finally {
    await found.binary.source.close();
  }
}
