import { applyPathRules, fileName, type PathRule } from './symbol-files.ts';

/** What the locator asks of the machine it runs on. */
export interface SourceTree {
  exists(path: string): Promise<boolean>;
  /** Paths of source files in the workspace that have this file name. */
  named(name: string): Promise<readonly string[]>;
  /** Whether a path lies in the workspace. */
  contains(path: string): boolean;
}

export interface LocatedSource {
  /** Path on this machine; undefined when it is not here, or when several files could be meant. */
  readonly local: string | undefined;
  readonly inWorkspace: boolean;
}

/**
 * Finds the source files of this machine that recorded paths mean: by the user's rules, then at the recorded path, then
 * by the longest matching end of the path among the files of the workspace. Where two files fit equally well none is
 * taken: a wrong line is worse than no line.
 */
export async function locateSources(
  recorded: Iterable<string>,
  tree: SourceTree,
  rules: readonly PathRule[],
): Promise<Map<string, LocatedSource>> {
  const located = new Map<string, LocatedSource>();
  for (const path of recorded) {
    if (path === '' || located.has(path)) continue;
    const local = await locate(path, tree, rules);
    located.set(path, { local, inWorkspace: local !== undefined && tree.contains(local) });
  }
  return located;
}

async function locate(path: string, tree: SourceTree, rules: readonly PathRule[]): Promise<string | undefined> {
  const mapped = applyPathRules(path, rules);
  if (mapped !== undefined && (await tree.exists(mapped))) return mapped;
  if (path.startsWith('/') && (await tree.exists(path))) return path;
  return longestSuffix(path, await tree.named(fileName(path)));
}

/** The candidate that shares the most path parts with `path`, counted from the end; undefined when two share as many. */
export function longestSuffix(path: string, candidates: readonly string[]): string | undefined {
  const wanted = path.split('/').reverse();
  let best: string | undefined;
  let most = 0;
  let tied = false;
  for (const candidate of candidates) {
    const parts = candidate.split('/').reverse();
    let shared = 0;
    while (shared < wanted.length && wanted[shared] === parts[shared] && wanted[shared] !== '') shared++;
    if (shared === most) tied = true;
    if (shared > most) {
      most = shared;
      best = candidate;
      tied = false;
    }
  }
  return tied ? undefined : best;
}
