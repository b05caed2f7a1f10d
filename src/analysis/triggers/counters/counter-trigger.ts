import type { Amount, InsightFile, Recommendation, Severity } from '../insight.ts';
import type { Message, Sentence } from '../message.ts';
import type { Thresholds } from '../thresholds.ts';
import type { CounterView } from './counter-view.ts';

/** What a rule found in the counters. */
export interface CounterFinding<Words extends Message = Sentence> {
  /** Where it is less than the trigger's own. */
  readonly severity?: Severity;
  readonly message: Words;
  /** Numbers only. */
  readonly evidence: Readonly<Record<string, number>>;
  /** By time, then events; none for a summary. */
  readonly files: readonly InsightFile[];
  /** What it is about in all: less than the floor is not said. Absent of summaries, and of what has bounds of its own. */
  readonly amount?: Readonly<Amount>;
  readonly recommendations?: readonly Recommendation[];
}

/** A rule over what a Darshan log counts: data and a pure function. It names files, never lines. Users write plain texts. */
export interface CounterTrigger<Words extends Message = Sentence> {
  readonly kind: 'counters';
  /** Drishti's code where the trigger is Drishti's. */
  readonly code: string;
  readonly name: string;
  readonly title: string;
  /** Drishti's level. */
  readonly severity: Severity;
  /** The module that it reads: without it the trigger is silent, and when it is incomplete the message says so. */
  readonly module?: string;
  examine(view: CounterView, thresholds: Thresholds): CounterFinding<Words> | undefined;
}
