import { formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type {
  ComparedAmounts,
  ComparedInsight,
  ComparedLine,
  ComparedRunTime,
  ComparedThing,
  ComparisonDocument,
  Measure,
} from './comparison-document.ts';

/** Words and numbers of a comparison that its text and Markdown have in common. */

/** A source path as the reader knows it. */
export type Place = (file: string) => string;

/** `4,096 → 1`; one number where nothing changed. */
export function countChange(measure: Measure): string {
  return change(measure, formatCount);
}

export function byteChange(measure: Measure): string {
  return change(measure, formatBytes);
}

/** `71 ms (68–75 ms) → 2 ms`: ranges where there were several runs. */
export function timeChange(measure: Measure | null): string {
  return measure === null ? '–' : change(measure, formatDuration);
}

/** What calls cost without the tracer; where none was, what was recorded of them. */
export function costChange({ costNs, timeNs }: Pick<ComparedAmounts, 'costNs' | 'timeNs'>): string {
  return timeChange(costNs ?? timeNs);
}

/** Costs are another number than the recorded times. */
export function hasCosts({ total }: Pick<ComparisonDocument, 'total'>): boolean {
  return total.costNs !== null;
}

/** The time of the run, with what is to be thought of a difference: `9.39 s → 14.3 s, one run each: no verdict`. */
export function runTime(run: ComparedRunTime | null): string {
  const time = timeChange(run?.untracedNs ?? null);
  return run?.untracedNs.difference === 'noise unknown' ? `${time}, one run each: no verdict` : time;
}

/** The numbers of the run, each with its name. */
export function runNumbers({ run, total }: Pick<ComparisonDocument, 'run' | 'total'>): [name: string, words: string][] {
  const recorded: [string, string][] =
    run === null || total.costNs === null ? [] : [['recorded', timeChange(run.recordedNs)]];
  return [
    ['time', runTime(run)],
    ...recorded,
    ['of it I/O', costChange(total)],
    ['calls', countChange(total.events)],
    ['bytes', byteChange(total.bytes)],
  ];
}

/**
 * What is said of the run: `better`, or, where each side has one run, what was measured: `57 % less time, one run each`;
 * where calls and bytes decide, that they do.
 */
export function runVerdict({
  run,
  total: { verdict, timeVerdict },
}: Pick<ComparisonDocument, 'run' | 'total'>): string {
  if (timeVerdict !== 'noise unknown') return verdict;
  const isByCounts = verdict === 'better' || verdict === 'worse';
  const counts = isByCounts ? [`${verdict} by calls and bytes`] : [];
  const change = run === null ? null : onceMeasured(run.untracedNs);
  if (change === null) return counts[0] ?? verdict;
  return [...counts, `${ONCE[change.way](change.amount)}, one run each`].join('; ');
}

const ONCE: Readonly<Record<OnceMeasured['way'], (amount: string) => string>> = {
  less: (amount) => `${amount} less time`,
  more: (amount) => `${amount} more time`,
  times: (amount) => `${amount} times as long`,
};

/** How the time of the run changed where each side has one run. */
interface OnceMeasured {
  readonly way: 'less' | 'more' | 'times';
  /** `57 %` of the base; `12` where it is so many times as long. */
  readonly amount: string;
}

/** @returns null where even the direction is not known, or it is less than a hundredth. */
export function onceMeasured(time: Measure): OnceMeasured | null {
  const { base, new: after, baseRange, newRange, difference } = time;
  const isApart = baseRange[0] > newRange[1] || newRange[0] > baseRange[1];
  const part = Math.abs(base - after) / base;
  if (difference !== 'noise unknown' || !isApart || !(base > 0) || part < 0.01) return null;
  const ratio = Number((after / base).toPrecision(2));
  if (ratio >= 2) return { way: 'times', amount: ratio < 10 ? String(ratio) : formatCount(ratio) };
  return { way: after < base ? 'less' : 'more', amount: formatShare(part) };
}

function change(measure: Measure, withUnit: (value: number) => string): string {
  const format = (value: number): string => (value === 0 ? '0' : withUnit(value));
  const before = withRange(measure.base, measure.baseRange, format);
  return measure.difference === 'same' ? before : `${before} → ${withRange(measure.new, measure.newRange, format)}`;
}

function withRange(value: number, [low, high]: Measure['baseRange'], format: (value: number) => string): string {
  return low === high ? format(value) : `${format(value)} (${format(low)}–${format(high)})`;
}

/** Where a line is, and where it was: `heat.c:22 → 25`. */
export function lineWords({ base, new: changed }: ComparedLine, place: Place): string {
  const of = changed ?? base;
  const words = (at: { file: string; line: number; function: string }): string =>
    at.line > 0 ? `${place(at.file)}:${at.line}` : at.function || at.file || '(no source line)';
  if (base === null || changed === null) return words(of!);
  if (base.file === changed.file && base.line > 0 && changed.line > 0)
    return base.line === changed.line ? words(base) : `${words(base)} → ${changed.line}`;
  return words(base) === words(changed) ? words(changed) : `${words(base)} → ${words(changed)}`;
}

export function functionOfLine({ base, new: changed }: ComparedLine): string {
  return (changed ?? base)!.function;
}

/** A function, file, call or layer: one name, or both where they differ. */
export function thingWords({ base, new: changed }: ComparedThing): string {
  if (base === null || changed === null || base === changed) return (changed ?? base)!;
  return `${base} → ${changed}`;
}

/** The line or file of a finding, as the new side has it where it does. */
export function findingWords({ base, new: changed }: ComparedInsight, place: Place): string {
  const { place: at, file } = (changed ?? base)!;
  if (at === null) return file ?? 'the run';
  return at.line > 0 ? `${place(at.file)}:${at.line}` : at.function;
}

/** `before.strace`, or `3 runs: a.strace, b.strace, c.strace`. */
export function sideWords({ runs }: ComparisonDocument['base']): string {
  const names = runs.map(({ recording }) => recording).join(', ');
  return runs.length === 1 ? names : `${runs.length} runs: ${names}`;
}

/** Rows whose numbers changed at all. */
export function changedRows<Row extends ComparedLine | ComparedThing>(rows: readonly Row[]): Row[] {
  return rows.filter(
    ({ verdict, events, bytes }) =>
      verdict !== 'unchanged' || events.difference !== 'same' || bytes.difference !== 'same',
  );
}

/** Findings that are worth a row: what changed, and what stands out on one side only. */
export function shownFindings(insights: readonly ComparedInsight[]): ComparedInsight[] {
  return insights.filter(
    ({ change, base, new: changed }) => change !== 'unchanged' || base === null || changed === null,
  );
}
