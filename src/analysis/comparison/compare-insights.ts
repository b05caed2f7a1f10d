import { counted, formatDuration } from '../quantities.ts';
import type { Severity } from '../triggers/insight.ts';
import type { ComparedAmounts, ComparedFinding, ComparedInsight, FindingChange } from './comparison.ts';
import { compareAmounts, median, type Repetitions } from './measures.ts';
import type { Amounts, FindingFacts } from './run-facts.ts';
import type { Side } from './sides.ts';

/** Where things of the new side stand on the base; what is not matched is left out. */
export interface Matches {
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
const ORDER: readonly FindingChange[] = ['worse', 'new', 'better', 'gone', 'unchanged'];

/** Findings are the same when their code is, and the line or file that they are at was matched. */
export function compareInsights(base: Side, changed: Side, matches: Matches, repeated: Repetitions): ComparedInsight[] {
  const before = findingsOf(
    base,
    (line) => `line ${line}`,
    (file) => `file ${file}`,
  );
  const after = findingsOf(
    changed,
    (line) => (matches.lines.has(line) ? `line ${matches.lines.get(line)!}` : `new line ${line}`),
    (file) => (matches.files.has(file) ? `file ${matches.files.get(file)!}` : `new file ${file}`),
  );
  const places = { base, new: changed };
  const compared = [...new Set([...before.keys(), ...after.keys()])].map((key) =>
    compareFinding(before.get(key), after.get(key), places, matches, repeated),
  );
  const timeOf = ({ base: a, new: b }: ComparedInsight): number => Math.max(a?.timeNs ?? 0, b?.timeNs ?? 0);
  return compared.sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change) || timeOf(b) - timeOf(a));
}

/** What more than half of a side's repetitions found; the others are chance. */
function findingsOf(
  side: Side,
  lineKey: (line: number) => string,
  fileKey: (file: string) => string,
): Map<string, SideFinding> {
  const found = new Map<string, SideFinding>();
  side.runs.forEach((run, number) => {
    for (const finding of run.findings) {
      const line = finding.line === undefined ? undefined : side.lineOf[number]![finding.line]!;
      // Counters name files that no call was traced of.
      const file = finding.file === undefined ? undefined : (side.fileOf[number]!.get(finding.file) ?? finding.file);
      const place = line !== undefined ? lineKey(line) : file !== undefined ? fileKey(file) : '';
      const key = `${finding.code} ${finding.trigger} ${place}`;
      let known = found.get(key);
      if (known === undefined) {
        known = { first: finding, line, file, of: side.runs.map(() => undefined) };
        found.set(key, known);
      }
      known.of[number] ??= finding;
    }
  });
  for (const [key, { of }] of found)
    if (of.filter((each) => each !== undefined).length * 2 <= of.length) found.delete(key);
  return found;
}

function compareFinding(
  before: SideFinding | undefined,
  after: SideFinding | undefined,
  sides: { readonly base: Side; readonly new: Side },
  matches: Matches,
  repeated: Repetitions,
): ComparedInsight {
  const { code, trigger, title } = (after ?? before)!.first;
  const base = before === undefined ? null : document(before, sides.base);
  const changed = after === undefined ? null : document(after, sides.new);
  const same = { code, trigger, title, base, new: changed };
  if (before === undefined || after === undefined) {
    const other =
      before !== undefined
        ? elsewhere(before, sides.new, matches, false)
        : elsewhere(after!, sides.base, matches, true);
    return { ...same, change: before === undefined ? 'new' : 'gone', reason: other };
  }
  const amounts = compareAmounts(valuesOf(before), valuesOf(after), repeated);
  const heavier = WEIGHT[changed!.severity] - WEIGHT[base!.severity];
  const words = amountWords(amounts);
  if (heavier !== 0) {
    const severities = `${base!.severity} → ${changed!.severity}`;
    return { ...same, change: heavier > 0 ? 'worse' : 'better', reason: joined(severities, words) };
  }
  const { verdict } = amounts;
  return { ...same, change: verdict === 'better' || verdict === 'worse' ? verdict : 'unchanged', reason: words };
}

function valuesOf({ of }: SideFinding): Amounts[] {
  return of.map((finding) => finding ?? { events: 0, bytes: 0, timeNs: 0 });
}

function document(finding: SideFinding, side: Side): ComparedFinding {
  const present = finding.of.filter((each) => each !== undefined);
  const line = finding.line === undefined ? undefined : side.lines[finding.line]!.fact;
  const middle = (name: keyof Amounts): number => median(present.map((each) => each[name]));
  return {
    severity: commonest(present.map(({ severity }) => severity)),
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
  };
}

/** Of two that are as common the graver one. */
function commonest(severities: readonly Severity[]): Severity {
  const count = (severity: Severity): number => severities.filter((each) => each === severity).length;
  return [...severities].sort((a, b) => count(b) - count(a) || WEIGHT[b] - WEIGHT[a])[0]!;
}

/** What the other side does at the place of a finding that it has not. */
function elsewhere(finding: SideFinding, other: Side, matches: Matches, isNew: boolean): string {
  const { line } = finding;
  if (line === undefined) return isNew ? 'was not found before' : 'is not found any more';
  const at = isNew ? matches.lines.get(line) : [...matches.lines].find(([, from]) => from === line)?.[0];
  if (at === undefined) return isNew ? 'the line is new, or made no calls before' : 'the line makes no calls any more';
  const { values } = other.lines[at]!;
  const events = median(values.map((each) => each.events));
  const time = median(values.map(({ timeNs }) => timeNs));
  const amounts = `${counted(events, 'call')}${time > 0 ? `, ${formatDuration(time)}` : ''}`;
  return isNew ? `the line was no finding before: ${amounts}` : `the line is no finding any more: ${amounts}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

/** `4,096 → 12 calls; 71 ms → 2 ms`, with what is to be thought of it. */
export function amountWords({ events, timeNs }: ComparedAmounts): string {
  const calls =
    events.difference === 'same'
      ? counted(events.new, 'call')
      : `${counted(events.base, 'call')} → ${counted(events.new, 'call')}`;
  if (timeNs === null || (timeNs.base === 0 && timeNs.new === 0)) return calls;
  const noise =
    timeNs.difference === 'noise unknown'
      ? ' (noise unknown)'
      : timeNs.difference === 'within the spread'
        ? ' (within the spread)'
        : '';
  return `${calls}; ${formatDuration(timeNs.base)} → ${formatDuration(timeNs.new)}${noise}`;
}
