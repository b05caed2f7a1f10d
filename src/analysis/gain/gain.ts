import type { Insight, InsightSite, Severity } from '../triggers/insight.ts';
import type { Told } from '../triggers/message.ts';
import type { Cost, RunCost } from './cost.ts';
import type { Unmarked } from './unmarked.ts';

/** What following an insight's advice would save of the run, without a tracer. All times in nanoseconds. */
export interface Gain {
  /** The best estimate; null when none can be defended: then there are bounds alone, or nothing. */
  readonly savedNs: number | null;
  /**
   * The saving lies between these: with an estimate with 90 % probability, as far as the model holds; without one it is
   * nowhere else (0 to what the calls cost, say). Null where the recording does not even tell what the calls cost.
   */
  readonly lowNs: number | null;
  readonly highNs: number | null;
  /** Estimated time of the run's I/O, without a tracer: of the slowest process; null when unknown. */
  readonly ofNs: number | null;
  /** How the estimate was made, or why there are bounds alone, or nothing; a sentence without its full stop. */
  readonly method: string;
  /**
   * Nanoseconds of what is saved, or of the bound as far as they are likely, that are Python's or Fortran's own work beside
   * the calls: none of the I/O.
   */
  readonly languageNs?: number;
}

/** A place of a finding with what its calls cost. */
export interface EstimatedSite extends Omit<InsightSite, 'message'>, Told {
  /** Undefined where the recording holds no times. */
  readonly cost?: Cost;
}

/** An insight with what it costs, and what following it would save. */
export interface EstimatedInsight extends Omit<Insight, 'message'>, Told {
  /** By cost. */
  readonly sites: readonly EstimatedSite[];
  readonly gain: Gain;
  /** What the calls cost that it is about; undefined where the recording holds no times of them. */
  readonly cost?: Cost;
  /** How grave it is at the lower end of the intervals: what it surely is. */
  readonly surely: Severity;
  /** Codes of the findings that name the cause at all of its places: it is their consequence. */
  readonly follows?: readonly string[];
}

/** What a recording's I/O costs, and what is wrong with it, dearest first. */
export interface Estimates {
  readonly run: RunCost;
  readonly insights: readonly EstimatedInsight[];
  /** What costs much and has no finding, dearest first. */
  readonly unmarked: readonly Unmarked[];
}
