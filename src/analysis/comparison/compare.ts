import { formatCount, formatShare } from '../../base/quantities.ts';
import { compareGraphs } from './compare-graphs.ts';
import { compareInsights } from './compare-insights.ts';
import type {
  ComparedAmounts,
  ComparedLine,
  ComparedPlace,
  ComparedRunTime,
  ComparedThing,
  Comparison,
  PathMatch,
} from './comparison.ts';
import { matchLines, type MatchedFunction, type MatchedLine } from './match-lines.ts';
import { matchPaths } from './match-paths.ts';
import {
  chanceOfNoise,
  compareAmounts,
  measure,
  measureEstimates,
  median,
  verdictsOf,
  type Estimated,
  type Repetitions,
} from './measures.ts';
import type { Amounts, LineFacts, NamedAmounts, RunFacts } from './run-facts.ts';
import { gatherSide, type Side, type SideItem } from './sides.ts';

/** Compares two sides; each holds at least one run, several are repetitions of one. */
export function compareRuns(base: readonly RunFacts[], changed: readonly RunFacts[]): Comparison {
  const sides = { base: gatherSide(base), new: gatherSide(changed) };
  const hasTimes = [...base, ...changed].every((run) => run.hasTimes);
  const hasCosts = [...base, ...changed].some(({ traced }) => traced);
  const repeated = { baseRuns: base.length, newRuns: changed.length, hasTimes, hasCosts };
  const matched = matchLines(
    sides.base.lines.map(({ fact }) => fact),
    sides.new.lines.map(({ fact }) => fact),
  );
  const files = matchPaths([...sides.base.files.keys()], [...sides.new.files.keys()]);
  const matches = {
    lines: new Map(matched.lines.map((pair) => [pair.new, pair.base])),
    files: new Map(files.map((pair) => [pair.new, pair.base])),
  };
  const byName = (name: 'calls' | 'layers'): ComparedThing[] =>
    compareThings(sides.base[name], sides.new[name], sameNames(sides.base[name], sides.new[name]), repeated);
  const run = hasTimes ? compareRunTimes(base, changed, hasCosts) : null;
  const total = compareAmounts(sides.base.total, sides.new.total, repeated);
  return {
    total: { ...total, ...verdictsOf(total, run?.untracedNs ?? null, repeated) },
    run,
    lines: byChange(compareLines(sides.base, sides.new, matched.lines, repeated)),
    functions: byChange(compareFunctions(sides.base, sides.new, matched.functions, repeated)),
    files: byChange(compareThings(sides.base.files, sides.new.files, files, repeated)),
    calls: byChange(byName('calls')),
    layers: byChange(byName('layers')),
    insights: compareInsights(sides.base, sides.new, matches, repeated),
    graph: compareGraphs(
      base.map(({ graph }) => graph),
      changed.map(({ graph }) => graph),
      repeated,
    ),
    notes: notesOf(base, changed, repeated),
  };
}

function compareRunTimes(base: readonly RunFacts[], changed: readonly RunFacts[], hasCosts: boolean): ComparedRunTime {
  const estimates = (side: readonly RunFacts[]): Estimated[] =>
    side.map(({ run: { untracedNs, lowNs, highNs } }) => ({ value: untracedNs, low: lowNs, high: highNs }));
  const recorded = (side: readonly RunFacts[]): number[] => side.map(({ durationNs }) => durationNs);
  const recordedNs = measure(recorded(base), recorded(changed), false);
  return { untracedNs: hasCosts ? measureEstimates(estimates(base), estimates(changed)) : recordedNs, recordedNs };
}

/** The largest change of cost (or recorded time) first, then of calls, whichever way. What made no calls is left out. */
function byChange<Row extends ComparedAmounts>(rows: readonly Row[]): Row[] {
  const time = ({ timeNs, costNs }: Row): number => Math.abs((costNs ?? timeNs)?.change ?? 0);
  const calls = ({ events }: Row): number => Math.abs(events.change);
  return rows
    .filter(({ events, timeNs }) =>
      [events, timeNs].some((each) => each !== null && each.baseRange[1] + each.newRange[1] > 0),
    )
    .sort((a, b) => time(b) - time(a) || calls(b) - calls(a));
}

function compareLines(
  base: Side,
  changed: Side,
  matched: readonly MatchedLine[],
  repeated: Repetitions,
): ComparedLine[] {
  const matchOf = new Map(matched.map((match) => [match.base, match]));
  const found = new Set(matched.map((match) => match.new));
  const rows = base.lines.map((item, index): ComparedLine => {
    const match = matchOf.get(index);
    const other = match === undefined ? undefined : changed.lines[match.new]!;
    return {
      base: placeOf(item, base),
      new: other === undefined ? null : placeOf(other, changed),
      match: match?.match ?? null,
      matchedBy: match?.by ?? '',
      ...compareAmounts(item.values, other?.values, repeated),
    };
  });
  changed.lines.forEach((item, index) => {
    if (found.has(index)) return;
    const amounts = compareAmounts(undefined, item.values, repeated);
    rows.push({ base: null, new: placeOf(item, changed), match: null, matchedBy: '', ...amounts });
  });
  const without = compareAmounts(base.withoutLine, changed.withoutLine, repeated);
  rows.push({ base: NOWHERE, new: NOWHERE, match: null, matchedBy: 'calls without a source line', ...without });
  return rows;
}

const NOWHERE: ComparedPlace = {
  file: '',
  line: 0,
  function: '',
  isHere: false,
  isCurrent: false,
  source: '',
  calls: {},
};

function placeOf({ fact, values }: SideItem<LineFacts>, { runs }: Side): ComparedPlace {
  const { file, line, function: name, isHere, isCurrent, text } = fact;
  return { file, line, function: name, isHere, isCurrent, source: text, calls: callsOf(fact, values, runs.length) };
}

/** Medians of how often each call is made. The values of a line are its facts, where a repetition has it. */
function callsOf({ calls }: LineFacts, values: readonly Amounts[], runs: number): Record<string, number> {
  const facts = values.map((value) => ('calls' in value ? (value as LineFacts).calls : {}));
  const names = runs === 1 ? Object.keys(calls) : [...new Set(facts.flatMap((each) => Object.keys(each)))];
  return Object.fromEntries(
    names.map((name): [string, number] => [name, median(facts.map((each: Record<string, number>) => each[name] ?? 0))]),
  );
}

function compareFunctions(
  base: Side,
  changed: Side,
  matched: readonly MatchedFunction[],
  repeated: Repetitions,
): ComparedThing[] {
  return pairs(base.functions, changed.functions, matched).map(({ base: from, new: to, match }) => ({
    base: from?.fact.function ?? null,
    new: to?.fact.function ?? null,
    file: (to ?? from)!.fact.file,
    match,
    ...compareAmounts(from?.values, to?.values, repeated),
  }));
}

function compareThings(
  base: ReadonlyMap<string, SideItem<NamedAmounts>>,
  changed: ReadonlyMap<string, SideItem<NamedAmounts>>,
  matched: readonly Pair[],
  repeated: Repetitions,
): ComparedThing[] {
  return pairs(base, changed, matched).map(({ base: from, new: to, match }) => ({
    base: from?.fact.name ?? null,
    new: to?.fact.name ?? null,
    file: '',
    match,
    ...compareAmounts(from?.values, to?.values, repeated),
  }));
}

interface Pair {
  readonly base: string;
  readonly new: string;
  readonly match: PathMatch | null;
}

function sameNames(base: ReadonlyMap<string, unknown>, changed: ReadonlyMap<string, unknown>): Pair[] {
  return [...base.keys()].filter((name) => changed.has(name)).map((name) => ({ base: name, new: name, match: null }));
}

/** Everything that one of the sides has, once. */
function pairs<Item>(
  base: ReadonlyMap<string, Item>,
  changed: ReadonlyMap<string, Item>,
  matched: readonly Pair[],
): { base: Item | undefined; new: Item | undefined; match: PathMatch | null }[] {
  const there = new Map(matched.map((pair) => [pair.base, pair]));
  const found = new Set(matched.map((pair) => pair.new));
  const ofBase = [...base].map(([name, item]) => {
    const pair = there.get(name);
    return { base: item, new: pair && changed.get(pair.new), match: pair?.match ?? null };
  });
  const others = [...changed].filter(([name]) => !found.has(name));
  return [...ofBase, ...others.map(([, item]) => ({ base: undefined, new: item, match: null }))];
}

function notesOf(base: readonly RunFacts[], changed: readonly RunFacts[], repeated: Repetitions): string[] {
  const { baseRuns, newRuns, hasTimes, hasCosts } = repeated;
  const notes: string[] = [];
  if (!hasTimes) notes.push('Times are not compared: a recording has no durations.');
  else if (baseRuns === 1 && newRuns === 1) {
    notes.push(
      `One run on each side: how much ${hasCosts ? 'costs' : 'times'} vary from run to run is unknown, and no difference of ${hasCosts ? 'costs' : 'times'} is called better or worse. Counts and bytes are exact.`,
    );
  } else {
    notes.push(
      `Spread is the range of the repetitions (${formatCount(baseRuns)} and ${formatCount(newRuns)}). Where the ranges do not touch, chance alone does so in ${formatShare(chanceOfNoise(baseRuns, newRuns))} of all cases.`,
    );
  }
  if (hasTimes && hasCosts)
    notes.push('Costs are those of a run without the tracer; recorded times, which include its part, are called so.');
  notes.push(...new Set([...base, ...changed].flatMap((run) => run.notes)));
  return notes;
}
