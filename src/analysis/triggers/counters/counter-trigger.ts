import type { InsightFile, Recommendation, Severity } from '../insight.ts';
import type { Message } from '../message.ts';
import type { Thresholds } from '../thresholds.ts';
import type { CounterView } from './counter-view.ts';

/** What a rule found in the counters. */
export interface CounterFinding {
  /** Where it is less than the trigger's own. */
  readonly severity?: Severity;
  readonly message: Message;
  /** Numbers only. */
  readonly evidence: Readonly<Record<string, number>>;
  /** By time, then events; none for a summary. */
  readonly files: readonly InsightFile[];
  readonly recommendations?: readonly Recommendation[];
}

/** A rule over what a Darshan log counts: data and a pure function. It names files, never lines. */
export interface CounterTrigger {
  readonly kind: 'counters';
  /** Drishti's code where the trigger is Drishti's. */
  readonly code: string;
  readonly name: string;
  readonly title: string;
  /** Drishti's level. */
  readonly severity: Severity;
  /** The module that it reads: without it the trigger is silent, and when it is incomplete the message says so. */
  readonly module?: string;
  examine(view: CounterView, thresholds: Thresholds): CounterFinding | undefined;
}
