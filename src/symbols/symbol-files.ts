import type { ByteSource } from '../trace/byte-source.ts';
import type { KeptPlaces } from './kept-places.ts';

/** How this room reaches the files of the machine it runs on. */
export interface SymbolFiles {
  /** Opens a file; undefined when there is none or it cannot be read. */
  open(path: string): Promise<ByteSource | undefined>;
  /** Seconds since 1970 when the file was last written; undefined when there is none. */
  modified(path: string): Promise<number | undefined>;
}

/** A store of debug files that is asked by build id (a debuginfod server); present only when the user turned it on. */
export interface DebugDownloads {
  /** The servers, for the user. */
  readonly servers: readonly string[];
  /** Path of the downloaded file on this machine, or why there is none, in words. */
  debugFile(buildId: string): Promise<{ path: string } | { problem: string }>;
}

/** Where to look for binaries and their debug information. */
export interface SymbolSearch {
  /** Binaries named by the user; one stands for every recorded module with its file name. */
  readonly binaries: readonly string[];
  /** Folders of separate debug files, each with a `.build-id` folder and copies of absolute paths. */
  readonly debugFolders: readonly string[];
  /** Recorded path prefix to local path prefix; the longest that fits wins. */
  readonly pathRules: readonly PathRule[];
  /** Folders whose modules are the user's own, whatever their names. */
  readonly ownFolders: readonly string[];
  /** Seconds since 1970 when the recording ended; undefined when nobody knows. */
  readonly recordedUntil: number | undefined;
  /** Build ids that were noted at recording time, by recorded path. */
  readonly buildIds: Readonly<Record<string, string>>;
  readonly downloads: DebugDownloads | undefined;
  /** What the recording keeps of its addresses; undefined: nothing, or the user wants others. */
  readonly kept: KeptPlaces | undefined;
}

/** Binaries where they were recorded, without debug files of their own. */
export const PLAIN_SEARCH: SymbolSearch = {
  binaries: [],
  debugFolders: [],
  pathRules: [],
  ownFolders: [],
  recordedUntil: undefined,
  buildIds: {},
  downloads: undefined,
  kept: undefined,
};

export interface PathRule {
  readonly from: string;
  readonly to: string;
}

export const SYSTEM_DEBUG_FOLDER = '/usr/lib/debug';

/** A rule from this prefix is for relative paths: compilers record them as they were named on the command line. */
export const RELATIVE = '.';

/** The path with each fitting rule applied, the longest rule first. Only whole path parts fit. */
export function mappedPaths(path: string, rules: readonly PathRule[]): string[] {
  const fitting = rules.filter(({ from }) => fits(path, from));
  fitting.sort((a, b) => b.from.length - a.from.length);
  const mapped = fitting.map(({ from, to }) => {
    const rest = from === RELATIVE ? `/${path}` : path.slice(withoutSlash(from).length);
    return withoutSlash(to) + rest;
  });
  return [...new Set(mapped)];
}

function fits(path: string, from: string): boolean {
  if (from === RELATIVE) return !path.startsWith('/');
  const prefix = withoutSlash(from);
  return path === prefix || path.startsWith(`${prefix}/`);
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

export function folderName(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
