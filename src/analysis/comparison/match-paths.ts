import { addToGroup } from '../../base/grouping.ts';
import type { PathMatch } from './comparison.ts';

interface MatchedPath {
  readonly base: string;
  readonly new: string;
  readonly match: PathMatch;
}

/**
 * Finds the files of one side among those of the other: by path; then by the path below the folder that all files of a
 * side have in common (the working folder, which may have been renamed); then by the longest common end of the paths. A
 * file is matched once, and never where two others fit equally well.
 */
export function matchPaths(base: readonly string[], changed: readonly string[]): MatchedPath[] {
  const matched: MatchedPath[] = [];
  const left = { base: new Set(base), new: new Set(changed) };
  const take = (from: string, to: string, match: PathMatch): void => {
    matched.push({ base: from, new: to, match });
    left.base.delete(from);
    left.new.delete(to);
  };
  for (const path of [...left.base]) if (left.new.has(path)) take(path, path, 'same path');
  // Asked of all files: what was matched by its path says where the working folder is.
  const folders = { base: commonFolder(base), new: commonFolder(changed) };
  if (folders.base !== folders.new) {
    const below = new Map([...left.new].filter(isAbsolute).map((path) => [path.slice(folders.new.length), path]));
    for (const path of [...left.base].filter(isAbsolute)) {
      const other = below.get(path.slice(folders.base.length));
      if (other !== undefined) take(path, other, 'same path below the working folder');
    }
  }
  for (const [from, to] of longestEnds([...left.base], [...left.new])) take(from, to, 'same end of the path');
  return matched;
}

/** The deepest folder that holds all of the absolute paths, with its slash; '' when they have none in common. */
export function commonFolder(paths: readonly string[]): string {
  const absolute = paths.filter(isAbsolute);
  const first = absolute[0] ?? '';
  let length = first.lastIndexOf('/') + 1;
  for (const path of absolute) {
    let same = 0;
    while (same < length && path[same] === first[same]) same++;
    length = first.lastIndexOf('/', same - 1) + 1;
  }
  return first.slice(0, length);
}

/** A recording of a program that was started by `./name` has no more of its path. */
function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

/** Pairs of which each is the other's only best. Paths are compared only with those of the same name: ends are parts. */
function longestEnds(base: readonly string[], changed: readonly string[]): [string, string][] {
  const byName = groupByName(changed);
  const ofBase = groupByName(base);
  const pairs: [string, string][] = [];
  for (const [name, these] of ofBase) {
    const those = byName.get(name) ?? [];
    // A thousand files of one name are told apart by their folders, or not at all: comparing all with all ends nowhere.
    if (those.length * these.length > MOST_COMPARED) continue;
    for (const path of these) {
      const best = onlyBest(path, those);
      if (best !== undefined && onlyBest(best, these) === path) pairs.push([path, best]);
    }
  }
  return pairs;
}

const MOST_COMPARED = 1_000_000;

function groupByName(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    addToGroup(groups, name, path);
  }
  return groups;
}

function onlyBest(path: string, candidates: readonly string[]): string | undefined {
  const parts = path.split('/').reverse();
  let [best, most, isTied]: [string | undefined, number, boolean] = [undefined, 0, false];
  for (const candidate of candidates) {
    const others = candidate.split('/').reverse();
    let shared = 0;
    while (shared < parts.length && parts[shared] === others[shared]) shared++;
    isTied = shared === most || (shared < most && isTied);
    if (shared > most) [best, most, isTied] = [candidate, shared, false];
  }
  return isTied ? undefined : best;
}
