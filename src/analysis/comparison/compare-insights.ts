import { getOrCreate } from '../../base/grouping.ts';
import { counted, formatDuration } from '../../base/quantities.ts';
import type { Severity } from '../triggers/insight.ts';
import type { ComparedAmounts, ComparedFinding, ComparedInsight, FindingChange, Verdict } from './comparison.ts';
import { compareAmounts, median, overlap, type Repetitions } from './measures.ts';
import { costOfAmounts } from './costed-amounts.ts';
import type { Amounts, CostedAmounts, FindingFacts } from './run-facts.ts';
import type { Side } from './sides.ts';

/** Where things of the new side stand on the base; what is not matched is left out. */
interface Matches {
  /** By the place in the new side's `lines`: the place in the base's. */
  readonly lines: ReadonlyMap<number, number>;
  /** By the name of the new side's file. */
  readonly files: ReadonlyMap<string, string>;
}

/** A finding at one place, with the repetitions that have it. */
interface SideFinding {
  readonly first: FindingFacts;
  /** Place in the side's `lines`. */
  readonly line: number | undefined;
  readonly file: string | undefined;
  readonly of: (FindingFacts | undefined)[];
}

const WEIGHT: Readonly<Record<Severity, number>> = { high: 3, warn: 2, info: 1, ok: 0 };
const ORDER: readonly FindingChange[] = ['worse', 'new', 'mixed', 'better', 'gone', 'unchanged'];

/** Findings are the same when their code is, and the line or file that they are at was matched. */
export function compareInsights(base: Side, changed: Side, matches: Matches, repeated: Repetitions): ComparedInsight[] {
  const onBase: Naming = { line: (line) => `line ${line}`, file: (file) => `file ${file}` };
  const onNew: Naming = {
    line: (line) => (matches.lines.has(line) ? `line ${matches.lines.get(line)!}` : `new line ${line}`),
    file: (file) => (matches.files.has(file) ? `file ${matches.files.get(file)!}` : `new file ${file}`),
  };
  const found = { base: findingsOf(base, 'findings', onBase), new: findingsOf(changed, 'findings', onNew) };
  const possible = { base: findingsOf(base, 'candidates', onBase), new: findingsOf(changed, 'candidates', onNew) };
  const compared = [...new Set([...found.base.keys(), ...found.new.keys()])].map((key): ComparedInsight => {
    const [before, after] = [found.base.get(key), found.new.get(key)];
    const { code, trigger, title } = (after ?? before)!.first;
    return {
      code,
      trigger,
      title,
      ...changeOf({
        before,
        after,
        possibleBefore: possible.base.get(key),
        possibleAfter: possible.new.get(key),
        repeated,
      }),
      base: before === undefined ? null : document(before, base, repeated),
      new: after === undefined ? null : document(after, changed, repeated),
    };
  });
  const weight = (finding: ComparedFinding | null): number => finding?.costNs ?? finding?.timeNs ?? 0;
  const timeOf = ({ base: a, new: b }: ComparedInsight): number => Math.max(weight(a), weight(b));
  return compared.sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change) || timeOf(b) - timeOf(a));
}

/** What the places of a side are called, so that matched ones have one name. */
interface Naming {
  line(line: number): string;
  file(file: string): string;
}

/** What more than half of a side's repetitions found; the others are chance. */
function findingsOf(side: Side, what: 'findings' | 'candidates', naming: Naming): Map<string, SideFinding> {
  const found = new Map<string, SideFinding>();
  side.runs.forEach((run, number) => {
    for (const finding of run[what]) {
      const line = finding.line === undefined ? undefined : side.lineOf[number]![finding.line]!;
      // Counters name files that no call was traced of.
      const file = finding.file === undefined ? undefined : (side.fileOf[number]!.get(finding.file) ?? finding.file);
      const place = line !== undefined ? naming.line(line) : file !== undefined ? naming.file(file) : '';
      const key = `${finding.code} ${finding.trigger} ${place}`;
      const known = getOrCreate(found, key, () => ({ first: finding, line, file, of: side.runs.map(() => undefined) }));
      known.of[number] ??= finding;
    }
  });
  for (const [key, { of }] of found)
    if (of.filter((each) => each !== undefined).length * 2 <= of.length) found.delete(key);
  return found;
}

const CHANGES: Partial<Readonly<Record<Verdict, FindingChange>>> = { better: 'better', worse: 'worse', mixed: 'mixed' };

interface ToCompare {
  readonly before: SideFinding | undefined;
  readonly after: SideFinding | undefined;
  /** The same without the bounds that compare with the rest of the run. */
  readonly possibleBefore: SideFinding | undefined;
  readonly possibleAfter: SideFinding | undefined;
  readonly repeated: Repetitions;
}

/**
 * A finding weighs what it takes of the run: when the rest of the run gets cheaper, lines that do what they always did
 * begin to stand out. That is no change of theirs.
 */
function changeOf(given: ToCompare): Pick<ComparedInsight, 'change' | 'countVerdict' | 'timeVerdict' | 'reason'> {
  const [base, changed] = [given.before ?? given.possibleBefore, given.after ?? given.possibleAfter];
  const unknown = { countVerdict: null, timeVerdict: null };
  if (base === undefined) return { change: 'new', ...unknown, reason: 'nothing of the kind was there before' };
  if (changed === undefined) return { change: 'gone', ...unknown, reason: 'nothing of the kind is left there' };
  const amounts = compareAmounts(valuesOf(base), valuesOf(changed), given.repeated);
  const { countVerdict, timeVerdict } = amounts;
  return { countVerdict, timeVerdict, ...changeOfAmounts(given, amounts) };
}

function changeOfAmounts(
  { before, after }: ToCompare,
  amounts: ComparedAmounts,
): Pick<ComparedInsight, 'change' | 'reason'> {
  const words = amountWords(amounts);
  // What one side only has was over a bound there: what the counts say is enough to tell it from a change of the rest.
  const decisive = amounts.verdict === 'mixed' ? amounts.countVerdict : amounts.verdict;
  if (before === undefined) {
    return decisive === 'worse'
      ? { change: 'new', reason: `it did not weigh enough before: ${words}` }
      : { change: 'unchanged', reason: `${words}; it stands out now that the rest costs less` };
  }
  if (after === undefined) {
    return decisive === 'better'
      ? { change: 'gone', reason: `what is left does not weigh enough: ${words}` }
      : { change: 'unchanged', reason: `${words}; it stands out no more, as the rest costs more` };
  }
  const [from, to] = [severityOf(before), severityOf(after)];
  const change = CHANGES[amounts.verdict] ?? 'unchanged';
  if (from === to) return { change, reason: words };
  // What has no calls of its own (the run as a whole) has nothing but its severity.
  if (amounts.events.base === 0 && amounts.events.new === 0)
    return { change: WEIGHT[to] > WEIGHT[from] ? 'worse' : 'better', reason: `${from} → ${to}` };
  const because = change === 'unchanged' ? ', because of the rest of the run' : '';
  return { change, reason: `${from} → ${to}${because}; ${words}` };
}

function severityOf({ of }: SideFinding): Severity {
  return commonest(of.flatMap((finding) => (finding === undefined ? [] : [finding.severity])));
}

function valuesOf({ of }: SideFinding): CostedAmounts[] {
  return of.map((finding) => finding ?? { events: 0, bytes: 0, timeNs: 0 });
}

function document(finding: SideFinding, side: Side, { hasTimes, hasCosts }: Repetitions): ComparedFinding {
  const present = finding.of.filter((each) => each !== undefined);
  const line = finding.line === undefined ? undefined : side.lines[finding.line]!.fact;
  const middle = (name: keyof Amounts): number => median(present.map((each) => each[name]));
  return {
    severity: severityOf(finding),
    message: finding.first.message,
    place:
      line === undefined
        ? null
        : {
            file: line.file,
            line: line.line,
            function: line.function,
            isHere: line.isHere,
            isCurrent: line.isCurrent,
          },
    file: finding.file ?? null,
    events: middle('events'),
    bytes: middle('bytes'),
    timeNs: middle('timeNs'),
    costNs: hasTimes && hasCosts ? median(present.map((each) => costOfAmounts(each).untracedNs)) : null,
  };
}

/** Of two that are as common the graver one. */
function commonest(severities: readonly Severity[]): Severity {
  const count = (severity: Severity): number => severities.filter((each) => each === severity).length;
  return [...severities].sort((a, b) => count(b) - count(a) || WEIGHT[b] - WEIGHT[a])[0]!;
}

/** `4,096 → 12 calls; 71 ms → 2 ms`, with what is to be thought of it. */
function amountWords({ events, timeNs, costNs }: ComparedAmounts): string {
  const time = costNs ?? timeNs;
  const calls =
    events.difference === 'same'
      ? counted(events.new, 'call')
      : `${counted(events.base, 'call')} → ${counted(events.new, 'call')}`;
  if (time === null || (time.base === 0 && time.new === 0)) return calls;
  const noise =
    time.difference === 'noise unknown'
      ? ` (${costNs !== null && overlap(costNs) ? 'within the intervals' : 'noise unknown'})`
      : time.difference === 'within the spread'
        ? ' (within the spread)'
        : '';
  const cost = costNs === null ? '' : 'cost ';
  return `${calls}; ${cost}${formatDuration(time.base)} → ${formatDuration(time.new)}${noise}`;
}
