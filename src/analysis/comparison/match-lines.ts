import { addToGroup } from '../../base/grouping.ts';
import type { LineMatch, PathMatch } from './comparison.ts';
import { matchPaths } from './match-paths.ts';
import type { LineFacts } from './run-facts.ts';

/** A line of the base and what it is on the new side; indices into the lists that were compared. */
export interface MatchedLine {
  readonly base: number;
  readonly new: number;
  readonly match: LineMatch;
  /** In words. */
  readonly by: string;
}

/** The same function on both sides. Functions are named by `functionKey`. */
export interface MatchedFunction {
  readonly base: string;
  readonly new: string;
  readonly match: PathMatch;
}

interface MatchedLines {
  readonly lines: readonly MatchedLine[];
  readonly functions: readonly MatchedFunction[];
}

/** What tells functions apart: the source file (the module, where there is none) and the name. */
export function functionKey(line: Pick<LineFacts, 'recordedFile' | 'module' | 'function'>): string {
  return `${fileKey(line)}\0${plainName(line.function)}`;
}

/** The part of the key that names the file. */
function fileKey({ recordedFile, module }: Pick<LineFacts, 'recordedFile' | 'module'>): string {
  return recordedFile === '' ? module : recordedFile;
}

/** Without what an optimising compiler hangs on the name of a function that it copied. */
function plainName(name: string): string {
  return name.replace(/(\.(constprop|isra|part|cold|lto_priv|llvm)(\.\d+)?)+$/, '');
}

/**
 * Finds the lines of one side on the other (docs/comparison.md). First the file, then the function, then within a function
 * from what is certain to what is likely; a line that two others fit equally well is not matched.
 */
export function matchLines(base: readonly LineFacts[], changed: readonly LineFacts[]): MatchedLines {
  const sides = { base: byFunction(base), new: byFunction(changed) };
  const functions = matchFunctions(base, changed);
  const lines = functions.flatMap(({ base: from, new: to }) =>
    new FunctionMatch(base, changed, sides.base.get(from)!, sides.new.get(to)!).matches(),
  );
  return { lines, functions };
}

function byFunction(lines: readonly LineFacts[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const key = functionKey(line);
    addToGroup(groups, key, index);
  });
  return groups;
}

function matchFunctions(base: readonly LineFacts[], changed: readonly LineFacts[]): MatchedFunction[] {
  const keys = { base: [...new Set(base.map(functionKey))], new: new Set(changed.map(functionKey)) };
  const files = matchPaths([...new Set(base.map(fileKey))], [...new Set(changed.map(fileKey))]);
  const fileOf = new Map(files.map((each) => [each.base, each]));
  const matched: MatchedFunction[] = [];
  const left = { base: new Set(keys.base), new: new Set(keys.new) };
  for (const key of keys.base) {
    const [file, name] = key.split('\0') as [string, string];
    const other = fileOf.get(file);
    const there = `${other?.new ?? ''}\0${name}`;
    if (other === undefined || !left.new.has(there)) continue;
    matched.push({ base: key, new: there, match: other.match });
    left.base.delete(key);
    left.new.delete(there);
  }
  const takeBy = (ofBase: Map<string, string>, ofNew: Map<string, string>, match: PathMatch): void => {
    for (const [name, key] of ofBase) {
      const there = ofNew.get(name);
      if (there === undefined) continue;
      matched.push({ base: key, new: there, match });
      left.base.delete(key);
      left.new.delete(there);
    }
  };
  // What is left was put into another file, or its file was renamed, or one side has no debug information.
  takeBy(onlyOnes(left.base, nameIn), onlyOnes(left.new, nameIn), 'same name of the function');
  // Or it has another name, and does what it did.
  const textsOfBase = textsIn(base, (file) => fileOf.get(file)?.new);
  takeBy(
    onlyOnes(left.base, textsOfBase),
    onlyOnes(
      left.new,
      textsIn(changed, (file) => file),
    ),
    'same lines of the function',
  );
  return matched;
}

/** Functions by something of theirs, where no other has the same. */
function onlyOnes(keys: Iterable<string>, of: (key: string) => string | undefined): Map<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const key of keys) {
    const name = of(key);
    if (name === undefined) continue;
    if (found.has(name)) twice.add(name);
    found.set(name, key);
  }
  for (const name of twice) found.delete(name);
  return found;
}

function nameIn(key: string): string | undefined {
  const name = key.slice(key.indexOf('\0') + 1);
  return name === '' ? undefined : name;
}

/**
 * The text and calls of all lines of a function that do I/O, in their order, with the file; undefined where a text is not
 * at hand. @param fileThere the name of a source file on the new side.
 */
function textsIn(
  lines: readonly LineFacts[],
  fileThere: (file: string) => string | undefined,
): (key: string) => string | undefined {
  const groups = byFunction(lines);
  return (key) => {
    const file = fileThere(key.slice(0, key.indexOf('\0')));
    const own = groups.get(key)!.map((index) => lines[index]!);
    if (file === undefined || !own.every(hasText)) return undefined;
    const texts = own.sort((a, b) => a.line - b.line).map((line) => [line.text, calls(line)]);
    return JSON.stringify([file, ...texts]);
  };
}

/** What must agree for two lines to be taken for each other. */
interface Rule {
  readonly by: string;
  /** Lines of the same key fit each other; undefined: this rule does not speak of the line. */
  key(line: LineFacts): string | undefined;
  /** Asked of each pair before it is counted. */
  fits?(base: LineFacts, changed: LineFacts): boolean;
  /** Several lines of one key are taken in their order when both sides have as many. */
  readonly inOrder?: true;
  readonly match?: LineMatch;
}

const calls = (line: LineFacts): string => Object.keys(line.calls).sort().join(' ');
const callers = (line: LineFacts): string => line.callers.join('\n');
const hasText = (line: LineFacts): boolean => line.text !== '';
/** A text on both sides has spoken already: if it is another, callers and calls prove nothing. */
const isUndecided = (base: LineFacts, changed: LineFacts): boolean => !hasText(base) || !hasText(changed);

/** From what is certain to what is likely. */
const RULES: readonly Rule[] = [
  {
    by: "the line's text, callers and calls",
    key: (line) => (hasText(line) ? `${line.text}\n${callers(line)}\n${calls(line)}` : undefined),
  },
  { by: "the line's text", key: (line) => (hasText(line) ? line.text : undefined) },
  {
    by: "the line's text, and the order within the function",
    key: (line) => (hasText(line) ? `${line.text}\n${calls(line)}` : undefined),
    inOrder: true,
  },
  {
    by: 'the changes of the file since the recorded revision',
    key: (line) => (line.isCurrent && line.line > 0 ? `${line.file}:${line.line}` : undefined),
    fits: (base, changed) => base.kind === changed.kind,
    match: 'same line',
  },
  {
    by: 'callers and calls',
    key: (line) => `${callers(line)}\n${calls(line)}`,
    fits: isUndecided,
  },
  { by: 'calls, and the order within the function', key: calls, fits: isUndecided, inOrder: true },
  {
    by: 'the function; no other line of it does such calls',
    key: (line) => line.kind,
    match: 'same function',
  },
];

/** The lines of one function on both sides. */
class FunctionMatch {
  private readonly found: MatchedLine[] = [];

  constructor(
    private readonly base: readonly LineFacts[],
    private readonly changed: readonly LineFacts[],
    private ofBase: readonly number[],
    private ofNew: readonly number[],
  ) {}

  matches(): readonly MatchedLine[] {
    const isWhole = (lines: readonly LineFacts[], indices: readonly number[]): boolean =>
      indices.some((index) => lines[index]!.line === 0);
    // Where one side has no debug information its one entry is the whole function: no single line of several.
    const isMixed = isWhole(this.base, this.ofBase) !== isWhole(this.changed, this.ofNew);
    if (isMixed && (this.ofBase.length > 1 || this.ofNew.length > 1)) return [];
    for (const rule of RULES) this.apply(rule);
    return this.found;
  }

  private apply(rule: Rule): void {
    const taken = { base: new Set<number>(), new: new Set<number>() };
    const there = groupBy(this.ofNew, (index) => rule.key(this.changed[index]!));
    for (const [key, from] of groupBy(this.ofBase, (index) => rule.key(this.base[index]!))) {
      const to = there.get(key) ?? [];
      const isClear = from.length === 1 || rule.inOrder === true;
      if (from.length !== to.length || !isClear) continue;
      const byLine = (lines: readonly LineFacts[], indices: readonly number[]): number[] =>
        [...indices].sort((a, b) => lines[a]!.line - lines[b]!.line);
      const [first, second] = [byLine(this.base, from), byLine(this.changed, to)];
      if (!first.every((index, i) => rule.fits?.(this.base[index]!, this.changed[second[i]!]!) ?? true)) continue;
      first.forEach((index, i) => {
        this.found.push({ base: index, new: second[i]!, match: this.kindOf(rule, index, second[i]!), by: rule.by });
        taken.base.add(index);
        taken.new.add(second[i]!);
      });
    }
    this.ofBase = this.ofBase.filter((index) => !taken.base.has(index));
    this.ofNew = this.ofNew.filter((index) => !taken.new.has(index));
  }

  private kindOf(rule: Rule, base: number, changed: number): LineMatch {
    const [from, to] = [this.base[base]!.line, this.changed[changed]!.line];
    // Without debug information there are functions only.
    if (from === 0 || to === 0) return 'same function';
    return rule.match ?? (from === to ? 'same line' : 'moved');
  }
}

function groupBy(indices: readonly number[], key: (index: number) => string | undefined): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const index of indices) {
    const name = key(index);
    if (name === undefined) continue;
    addToGroup(groups, name, index);
  }
  return groups;
}
