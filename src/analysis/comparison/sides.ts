import { getOrCreate } from '../../base/grouping.ts';
import { functionKey, matchLines } from './match-lines.ts';
import { matchPaths } from './match-paths.ts';
import { sumOfCosts } from './costed-amounts.ts';
import type { CostedAmounts, LineFacts, NamedAmounts, RunFacts } from './run-facts.ts';

/** Something of a side with its amounts in each repetition; `fact` is the first repetition's that has it. */
export interface SideItem<Fact> {
  readonly fact: Fact;
  readonly values: CostedAmounts[];
}

/** The repetitions of one side, put together. */
export interface Side {
  readonly runs: readonly RunFacts[];
  readonly lines: readonly SideItem<LineFacts>[];
  /** Of each run and line of it: its place in `lines`. */
  readonly lineOf: readonly (readonly number[])[];
  readonly withoutLine: readonly CostedAmounts[];
  readonly total: readonly CostedAmounts[];
  /** By `functionKey`. */
  readonly functions: ReadonlyMap<string, SideItem<LineFacts>>;
  readonly files: ReadonlyMap<string, SideItem<NamedAmounts>>;
  /** Of each run: the name under which a data file stands in `files`. */
  readonly fileOf: readonly ReadonlyMap<string, string>[];
  readonly calls: ReadonlyMap<string, SideItem<NamedAmounts>>;
  readonly layers: ReadonlyMap<string, SideItem<NamedAmounts>>;
}

const NOTHING: CostedAmounts = { events: 0, bytes: 0, timeNs: 0 };

/** Lines and files of a repetition are found among those of the repetitions before it, as those of two sides are. */
export function gatherSide(runs: readonly RunFacts[]): Side {
  const lines: SideItem<LineFacts>[] = [];
  const lineOf = runs.map((run, number) => {
    const known = matchLines(
      lines.map(({ fact }) => fact),
      run.lines,
    );
    const place = new Map(known.lines.map((match) => [match.new, match.base]));
    return run.lines.map((line, index) => {
      const at = place.get(index) ?? lines.push(newItem(line, runs.length)) - 1;
      lines[at]!.values[number] = line;
      return at;
    });
  });
  const files = new Map<string, SideItem<NamedAmounts>>();
  const fileOf = runs.map((run, number) => gatherFiles(files, run.files, number, runs.length));
  return {
    runs,
    lines,
    lineOf,
    withoutLine: runs.map(({ withoutLine }) => withoutLine),
    total: runs.map(({ total }) => total),
    functions: sumFunctions(lines, runs.length),
    files,
    fileOf,
    calls: byName(runs.map(({ calls }) => calls)),
    layers: byName(runs.map(({ layers }) => layers)),
  };
}

function newItem<Fact>(fact: Fact, runs: number): SideItem<Fact> {
  return { fact, values: Array.from({ length: runs }, () => NOTHING) };
}

function gatherFiles(
  known: Map<string, SideItem<NamedAmounts>>,
  files: readonly NamedAmounts[],
  number: number,
  runs: number,
): Map<string, string> {
  const names = files.map(({ name }) => name);
  const match = new Map(matchPaths([...known.keys()], names).map((pair) => [pair.new, pair.base]));
  for (const file of files) {
    const name = match.get(file.name) ?? file.name;
    const item = getOrCreate(known, name, () => newItem(file, runs));
    item.values[number] = file;
  }
  return new Map(names.map((name) => [name, match.get(name) ?? name]));
}

function byName(lists: readonly (readonly NamedAmounts[])[]): Map<string, SideItem<NamedAmounts>> {
  const items = new Map<string, SideItem<NamedAmounts>>();
  lists.forEach((list, number) => {
    for (const each of list) {
      const item = getOrCreate(items, each.name, () => newItem(each, lists.length));
      item.values[number] = each;
    }
  });
  return items;
}

function sumFunctions(lines: readonly SideItem<LineFacts>[], runs: number): Map<string, SideItem<LineFacts>> {
  const functions = new Map<string, SideItem<LineFacts>>();
  for (const { fact, values } of lines) {
    const key = functionKey(fact);
    const item = getOrCreate(functions, key, () => newItem(fact, runs));
    for (const [number, value] of values.entries()) item.values[number] = added(item.values[number]!, value);
  }
  return functions;
}

function added(a: CostedAmounts, b: CostedAmounts): CostedAmounts {
  const cost = sumOfCosts([a, b]);
  const sum = { events: a.events + b.events, bytes: a.bytes + b.bytes, timeNs: a.timeNs + b.timeNs };
  return { ...sum, ...(cost && { cost }) };
}
