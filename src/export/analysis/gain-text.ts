import type { Gain } from '../../analysis/gain/gain.ts';
import { formatDuration } from '../../base/quantities.ts';
import type { InsightDocument } from './documents.ts';

/**
 * `Following this would save about 35 ms (28 ms to 41 ms) of 48 ms of I/O in a run without a tracer.` Where one run does
 * not show how much, what it is at most.
 */
export function gainText({ savedNs, lowNs, highNs, ofNs }: Gain): string {
  if (lowNs === null || highNs === null) return 'What following this would save is not known.';
  // An upper bound beyond the whole says that the whole may be larger too.
  const whole = ofNs === null || highNs > ofNs ? '' : ` of ${formatDuration(ofNs)} of I/O`;
  const [low, high] = [formatDuration(lowNs), formatDuration(highNs)];
  if (savedNs !== null)
    return `Following this would save about ${formatDuration(savedNs)} (${low} to ${high})${whole} in a run without a tracer.`;
  if (highNs === 0) return 'Following this would save no time of the run.';
  const bounds = lowNs > 0 ? `between ${low} and ${high}` : `at most ${high}`;
  return `Following this would save ${bounds}${whole} in a run without a tracer.`;
}

/** What an advice would save and how that was estimated, for reports; nothing where all is well. */
export function gainLines({ severity, gain }: InsightDocument): string[] {
  if (severity === 'ok') return [];
  return gain.highNs === null ? [`Saving not known: ${gain.method}.`] : [gainText(gain), `(${gain.method})`];
}
