import { medianOf } from '../../analysis/trials/paired-saving.ts';
import { counted, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { printable } from '../report/report-text.ts';
import type { TrialDocument } from './trial-document.ts';

/** A trial as a person reads it in a terminal: the verdict first, then what it rests on. */
export function trialText(document: TrialDocument): string {
  const shown = printable({ ...document, buildErrors: null });
  const lines = [
    `${shown.fixes.map(({ id }) => id).join(' and ')}: ${shown.verdict}`,
    ...shown.fixes.map(({ id, kind, title }) => `  ${id}  ${kind}  ${title}`),
    '',
    ...(document.built ? measuredLines(shown) : []),
    ...listed('left out of the copy', shown.leftOut),
    ...shown.notes.map((note) => `note: ${note}`),
  ];
  const errors = document.buildErrors?.split('\n').map((line) => `  ${printable(line)}`) ?? [];
  return `${[...lines, ...errors].join('\n')}\n`;
}

function measuredLines(document: TrialDocument): string[] {
  return [
    ...listed(document.differences.length === 0 ? '' : 'different', document.differences),
    ...(document.equal ? ['results: how it ends, standard output and all files that it writes are equal'] : []),
    ...listed('varies by itself', document.varying),
    ...listed('not compared', document.uncompared),
    `finding: ${findingWords(document)}`,
    `time: ${timeWords(document)}`,
    ...expectedLines(document),
    ...document.faults.map(
      ({ fault, equal, before, after }) =>
        `${fault}: ${equal ? `the same (${before})` : `before: ${before}; after: ${after}`}`,
    ),
  ];
}

function listed(what: string, items: readonly string[]): string[] {
  return items.map((item) => `${what}: ${item}`);
}

function findingWords({ cleared, remaining, appeared, calls }: TrialDocument): string {
  const parts = [
    ...(cleared.length > 0 ? [`${cleared.join(', ')} gone`] : []),
    ...(remaining.length > 0 ? [`${remaining.join(', ')} not shown to be gone`] : []),
    ...(appeared.length > 0 ? [`new: ${appeared.join(', ')}`] : []),
    ...(calls === null ? [] : [`${counted(calls.before, 'I/O call')} before, ${formatCount(calls.after)} after`]),
  ];
  return parts.join('; ');
}

function timeWords({ before, after, savedNs, lowNs, highNs, confidence }: TrialDocument): string {
  if (savedNs === null || lowNs === null || highNs === null || confidence === null) return 'not measured';
  const medians = `${formatDuration(medianOf(before.runs))} → ${formatDuration(medianOf(after.runs))}`;
  const between = `between ${signed(lowNs)} and ${signed(highNs)} with ${formatShare(confidence)} confidence`;
  return `${medians}; ${counted(before.runs.length, 'pair')} of runs: saved ${signed(savedNs)}, ${between}`;
}

function signed(nanoseconds: number): string {
  return nanoseconds < 0 ? `−${formatDuration(-nanoseconds)}` : formatDuration(nanoseconds);
}

function expectedLines({ estimate: { savedNs, lowNs, highNs } }: TrialDocument): string[] {
  if (savedNs === null) return [];
  const between = lowNs === null || highNs === null ? '' : ` (${formatDuration(lowNs)} to ${formatDuration(highNs)})`;
  return [`expected: about ${formatDuration(savedNs)}${between} for the whole finding, in the recorded run`];
}
