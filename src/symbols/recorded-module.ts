import { messageOf } from '../base/error-message.ts';
import { alternateDebugFile, hasDebugInformation, openElf, separateDebugFile, type OpenedElf } from './debug-files.ts';
import type { ElfSymbol } from './elf.ts';
import { fileName } from '../base/path-names.ts';
import { mappedPaths, type SymbolFiles, type SymbolSearch } from './symbol-files.ts';

/** What could be had of a module that the recording names. */
type ModuleStatus =
  /** Source lines from debug information. */
  | 'lines'
  /** Function names only: the binary has no debug information and none was found elsewhere. */
  | 'functions'
  /** The binary is not here, or cannot be read. */
  | 'missing'
  /** The binary here is not the one that was recorded: its addresses would lead to wrong lines, so none is shown. */
  | 'changed'
  /** A system or I/O library: its frames keep the names that the recorder gave them. */
  | 'library';

/** What the user is told of a module. */
export interface ModuleReport {
  /** Path as recorded. */
  readonly module: string;
  /** The file that was read, or ''. */
  readonly file: string;
  /** The file that the debug information came from, or ''. */
  readonly debugFile: string;
  readonly status: ModuleStatus;
  /** Seconds since 1970 when the file was last written; null when there is none. */
  readonly modified: number | null;
  /** Its build id is the recorded one: it is certainly the same. */
  readonly sameBuild: boolean;
  /** Recorded places that this binary cannot have: it was rebuilt. Their lines are not shown. */
  readonly misfits: number;
  /** Why, and what to do about it; '' when all is well. */
  readonly note: string;
}

/** A module whose binary was found. */
export interface FoundModule {
  readonly binary: OpenedElf;
  readonly symbols: readonly ElfSymbol[];
}

/** Finds the binary of a recorded module: one that the user named, then by path rules, then at the recorded path. */
export async function findModule(
  files: SymbolFiles,
  search: SymbolSearch,
  recorded: string,
): Promise<FoundModule | { problem: string }> {
  const named = search.binaries.filter((binary) => fileName(binary) === fileName(recorded));
  const mapped = mappedPaths(recorded, search.pathRules);
  const candidates = [...new Set([...named, ...mapped, ...inFolders(recorded, search.ownFolders), recorded])];
  let problem = `not found (looked at ${candidates.join(', ')})`;
  for (const path of candidates) {
    try {
      const binary = await openElf(files, path);
      // Lines can be had without names of functions.
      if (binary !== undefined) return { binary, symbols: await binary.elf.symbols().catch(() => []) };
    } catch (error) {
      problem = `${path}: ${messageOf(error)}`;
    }
  }
  return { problem };
}

/** A program that was started as `./solver` (Darshan keeps what was typed) lies in a folder of the user's, perhaps. */
function inFolders(recorded: string, folders: readonly string[]): string[] {
  const parts = recorded.split('/').filter((part) => part !== '.' && part !== '');
  if (recorded.startsWith('/') || parts.includes('..')) return [];
  return folders.map((folder) => [folder.replace(/\/+$/, ''), ...parts].join('/'));
}

interface DebugSource {
  readonly debug: OpenedElf;
  readonly alternate: OpenedElf | undefined;
}

/** The file with a module's debug information: the binary itself, or the separate file that belongs to it. */
export async function findDebugSource(
  files: SymbolFiles,
  search: SymbolSearch,
  binary: OpenedElf,
): Promise<DebugSource | { looked: readonly string[] }> {
  let debug = binary;
  if (!hasDebugInformation(binary.elf)) {
    const separate = await separateDebugFile(files, binary, search.debugFolders, search.downloads);
    if ('looked' in separate) return separate;
    debug = separate;
  }
  return { debug, alternate: await alternateDebugFile(files, debug, search.debugFolders, search.downloads) };
}

/** The function symbol that covers an address, or undefined. */
export function symbolAt(symbols: readonly ElfSymbol[], address: number): ElfSymbol | undefined {
  let low = 0;
  let high = symbols.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (symbols[middle]!.address <= address) low = middle + 1;
    else high = middle;
  }
  const nearest = symbols[low - 1];
  if (nearest === undefined) return undefined;
  return nearest.size === 0 || address < nearest.address + nearest.size ? nearest : undefined;
}
