import type { Gain } from '../../analysis/gain/gain.ts';
import { formatDuration } from '../../base/quantities.ts';
import type { InsightDocument } from './documents.ts';

/** `Following this would save about 35 ms (28 ms to 41 ms) of 48 ms of I/O in a run without a tracer.` */
export function gainText({ savedNs, lowNs, highNs, ofNs }: Gain): string {
  if (savedNs === null || lowNs === null || highNs === null) return 'What following this would save is not known.';
  // An upper bound beyond the whole says that the whole may be larger too.
  const whole = ofNs === null || highNs > ofNs ? '' : ` of ${formatDuration(ofNs)} of I/O`;
  const range = `${formatDuration(lowNs)} to ${formatDuration(highNs)}`;
  return `Following this would save about ${formatDuration(savedNs)} (${range})${whole} in a run without a tracer.`;
}

/** What an advice would save and how that was estimated, for reports; nothing where all is well. */
export function gainLines({ severity, gain }: InsightDocument): string[] {
  if (severity === 'ok') return [];
  return gain.savedNs === null ? [`Saving not known: ${gain.method}.`] : [gainText(gain), `(${gain.method})`];
}
