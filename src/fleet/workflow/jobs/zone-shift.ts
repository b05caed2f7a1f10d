import type { JobDraft } from './job-draft.ts';

/** All zones of the world differ by whole quarters of an hour, and by 14 hours at most. */
const QUARTER = 900;
const MOST_QUARTERS = 56;
/** Seconds by which a program begins after its step, or a clock is wrong. */
const TOLERANCE = 60;

/**
 * Seconds to add to all times of the tables, so that they agree with those of the recordings: tables often say no zone. Only
 * where all recordings that names have given to steps speak for the same difference.
 * @returns 0 when the times agree, or nothing can be said.
 */
export function zoneShift(jobs: readonly JobDraft[]): number {
  let quarters: number | undefined;
  for (const { steps } of jobs) {
    for (const { start, end, recordings } of steps) {
      for (const recording of recordings) {
        if (start === null || recording.start === null) continue;
        const difference = recording.start - start;
        // A program may begin long after its step: within the step there is nothing to explain.
        if (difference >= -TOLERANCE && end !== null && recording.start <= end) return 0;
        const found = Math.round((difference - TOLERANCE / 4) / QUARTER);
        if (Math.abs(difference - found * QUARTER) > TOLERANCE || Math.abs(found) > MOST_QUARTERS) return 0;
        if (found === 0 || (quarters !== undefined && quarters !== found)) return 0;
        quarters = found;
      }
    }
  }
  return (quarters ?? 0) * QUARTER;
}

/** The same jobs, later by so many seconds. */
export function shifted(jobs: readonly JobDraft[], seconds: number): JobDraft[] {
  const moved = (time: number | null): number | null => (time === null ? null : time + seconds);
  return jobs.map((job) => ({
    ...job,
    submit: moved(job.submit),
    eligible: moved(job.eligible),
    start: moved(job.start),
    end: moved(job.end),
    steps: job.steps.map((step) => ({ ...step, start: moved(step.start), end: moved(step.end) })),
  }));
}

/** `+2 h`, `−5.5 h`. */
export function shiftWords(seconds: number): string {
  return `${seconds < 0 ? '−' : '+'}${Math.abs(seconds) / 3600} h`;
}
