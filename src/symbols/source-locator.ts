import { fileName } from '../base/path-names.ts';
import { mappedPaths, type PathRule } from './symbol-files.ts';

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
  /** Files of the workspace of this name; of use where none of them was taken. */
  readonly candidates: readonly string[];
}

/** Rules that lead from recorded paths to local ones. */
interface SourceRules {
  /** What the user wrote down. */
  readonly written: readonly PathRule[];
  /** What was learned when the user picked a file. */
  readonly learned: readonly PathRule[];
}

/** A file of the workspace that a recorded path may mean by its end. */
interface Claim {
  readonly path: string;
  readonly local: string;
  readonly shared: number;
}

/**
 * Finds the source files of this machine that recorded paths mean: by the user's rules, then by learned ones, then at the
 * recorded path, then by the longest matching end of the path among the files of the workspace. Where two files fit one
 * path equally well none is taken, and where two paths lead to one file only the better match is: a wrong line is worse
 * than no line.
 */
export async function locateSources(
  recorded: Iterable<string>,
  tree: SourceTree,
  rules: SourceRules,
): Promise<Map<string, LocatedSource>> {
  const located = new Map<string, LocatedSource>();
  const claims: Claim[] = [];
  for (const path of recorded) {
    if (path === '' || located.has(path)) continue;
    const local = await namedByRule(path, tree, rules);
    if (local !== undefined) {
      located.set(path, { local, inWorkspace: tree.contains(local), candidates: [] });
      continue;
    }
    const candidates = [...new Set(await tree.named(fileName(path)))];
    located.set(path, { local: undefined, inWorkspace: false, candidates });
    const best = longestSuffix(path, candidates);
    if (best !== undefined) claims.push({ path, local: best, shared: sharedParts(path, best) });
  }
  for (const { path, local } of claims.filter((claim) => isBestClaim(claim, claims))) {
    located.set(path, { local, inWorkspace: tree.contains(local), candidates: [] });
  }
  return located;
}

async function namedByRule(path: string, tree: SourceTree, rules: SourceRules): Promise<string | undefined> {
  const places = [...mappedPaths(path, rules.written), ...mappedPaths(path, rules.learned)];
  if (path.startsWith('/')) places.push(path);
  for (const place of places) if (await tree.exists(place)) return place;
  return undefined;
}

/** No other recorded file means the same local file as well or better. One file may be recorded under a shorter path too. */
function isBestClaim(claim: Claim, claims: readonly Claim[]): boolean {
  return claims.every(
    (other) =>
      other.local !== claim.local ||
      other.shared < claim.shared ||
      endsWithPath(other.path, claim.path) ||
      endsWithPath(claim.path, other.path),
  );
}

function endsWithPath(path: string, end: string): boolean {
  return sharedParts(path, end) === partsOf(end).length;
}

/** Path parts, last first, without `.` and with `..` taken back: compilers record names as they were given to them. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.reverse();
}

/** Path parts that two paths share, counted from the end. */
function sharedParts(path: string, other: string): number {
  const wanted = partsOf(path);
  const parts = partsOf(other);
  let shared = 0;
  while (shared < wanted.length && wanted[shared] === parts[shared]) shared++;
  return shared;
}

/** The candidate that shares the most path parts with `path`, counted from the end; undefined when two share as many. */
export function longestSuffix(path: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  let tied = false;
  for (const candidate of candidates) {
    const shared = sharedParts(path, candidate);
    if (shared === most) tied = true;
    if (shared > most) {
      most = shared;
      best = candidate;
      tied = false;
    }
  }
  return tied ? undefined : best;
}
