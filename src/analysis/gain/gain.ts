import type { Insight } from '../triggers/insight.ts';

/** What following an insight's advice would save, in a run without a tracer. All times in nanoseconds. */
export interface Gain {
  /** The best estimate; null when none can be defended. */
  readonly savedNs: number | null;
  /** The saving lies between these with 90 % probability, as far as the model holds; null without an estimate. */
  readonly lowNs: number | null;
  readonly highNs: number | null;
  /** Estimated time of all I/O calls that count, without a tracer; null when unknown. */
  readonly ofNs: number | null;
  /** How the estimate was made, or why there is none; a sentence without its full stop. */
  readonly method: string;
}

/** An insight with what following it would save. */
export interface EstimatedInsight extends Insight {
  readonly gain: Gain;
}
