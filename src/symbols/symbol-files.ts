import type { ByteSource } from '../trace/byte-source.ts';

/** How this room reaches the files of the machine it runs on. */
export interface SymbolFiles {
  /** Opens a file; undefined when there is none or it cannot be read. */
  open(path: string): Promise<ByteSource | undefined>;
  /** Seconds since 1970 when the file was last written; undefined when there is none. */
  modified(path: string): Promise<number | undefined>;
}

/** Where to look for binaries and their debug information. */
export interface SymbolSearch {
  /** Binaries named by the user; one stands for every recorded module with its file name. */
  readonly binaries: readonly string[];
  /** Folders of separate debug files, each with a `.build-id` folder and copies of absolute paths. */
  readonly debugFolders: readonly string[];
  /** Recorded path prefix to local path prefix; the longest that fits wins. */
  readonly pathRules: readonly PathRule[];
}

export interface PathRule {
  readonly from: string;
  readonly to: string;
}

export const SYSTEM_DEBUG_FOLDER = '/usr/lib/debug';

/** The path with the longest fitting rule applied; undefined when none fits. Only whole path parts fit. */
export function applyPathRules(path: string, rules: readonly PathRule[]): string | undefined {
  let best: PathRule | undefined;
  for (const rule of rules) {
    const from = rule.from.replace(/\/+$/, '');
    if ((path === from || path.startsWith(`${from}/`)) && rule.from.length > (best?.from.length ?? -1)) best = rule;
  }
  if (best === undefined) return undefined;
  return best.to.replace(/\/+$/, '') + path.slice(best.from.replace(/\/+$/, '').length);
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function folderName(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
