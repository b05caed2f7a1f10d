import { medianOf } from '../../analysis/trials/paired-saving.ts';
import { counted, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type { TriedDocument } from './trial-document.ts';

/** What a trial shows, in the words that terminal, Markdown and the editor share. */

/** `L02-1 and P06-2` */
export function namesOf({ fixes }: Pick<TriedDocument, 'fixes'>): string {
  return fixes.map(({ id }) => id).join(' and ');
}

/** `1.29 s → 503 ms`; undefined where nothing was run. */
export function mediansOf({ before, after }: Pick<TriedDocument, 'before' | 'after'>): string | undefined {
  if (after.runs.length === 0) return undefined;
  return `${formatDuration(medianOf(before.runs))} → ${formatDuration(medianOf(after.runs))}`;
}

export function findingWords({ cleared, remaining, appeared, calls }: TriedDocument): string {
  const parts = [
    ...(cleared.length > 0 ? [`${cleared.join(', ')} gone`] : []),
    ...(remaining.length > 0 ? [`${remaining.join(', ')} not shown to be gone`] : []),
    ...(appeared.length > 0 ? [`new: ${appeared.join(', ')}`] : []),
    ...(calls === null ? [] : [`${counted(calls.before, 'I/O call')} before, ${formatCount(calls.after)} after`]),
  ];
  return parts.join('; ');
}

/** What was measured, with its interval. */
export function savedWords({ before, savedNs, lowNs, highNs, confidence }: TriedDocument): string {
  if (savedNs === null || lowNs === null || highNs === null || confidence === null) return 'not measured';
  const between = `between ${signed(lowNs)} and ${signed(highNs)} with ${formatShare(confidence)} confidence`;
  return `${counted(before.runs.length, 'pair')} of runs: saved ${signed(savedNs)}, ${between}`;
}

function signed(nanoseconds: number): string {
  return nanoseconds < 0 ? `−${formatDuration(-nanoseconds)}` : formatDuration(nanoseconds);
}

/** What the recording let expect; undefined where that is nothing. */
export function expectedWords({ estimate: { savedNs, lowNs, highNs } }: TriedDocument): string | undefined {
  if (savedNs === null) return undefined;
  const between = lowNs === null || highNs === null ? '' : ` (${formatDuration(lowNs)} to ${formatDuration(highNs)})`;
  return `about ${formatDuration(savedNs)}${between} for the whole finding, in the recorded run`;
}
