/** What a budget limits: `iolens.budget.json` (schemas/budget.schema.json, docs/comparison.md). */
import type { Severity } from '../triggers/insight.ts';

export type LimitSubject =
  /** Calls from one line; the file by the end of its path. */
  | { readonly kind: 'line'; readonly file: string; readonly line: number }
  /** Calls from the lines of a function; with `file` of the one in that source file. */
  | { readonly kind: 'function'; readonly name: string; readonly file: string }
  /** Calls on the data files that a glob fits. */
  | { readonly kind: 'file'; readonly glob: string }
  /** Findings of a trigger, by its code or name. */
  | { readonly kind: 'trigger'; readonly trigger: string }
  /** Findings of this severity or a graver one. */
  | { readonly kind: 'severity'; readonly severity: Severity }
  | { readonly kind: 'run' };

/**
 * Numbers that can be limited: bytes, nanoseconds, a share of the run's I/O time (0 to 1), places with findings. Of
 * recordings under a tracer, times are those of a run without it.
 */
export const QUANTITIES = ['calls', 'bytes', 'timeNs', 'share', 'findings'] as const;
export type Quantity = (typeof QUANTITIES)[number];

export interface Limit {
  readonly subject: LimitSubject;
  /** The most that is allowed. */
  readonly most: Readonly<Partial<Record<Quantity, number>>>;
  /** Why it is limited; '' when nobody said. */
  readonly reason: string;
}

/** One number of a limit and what was measured. */
export interface LimitCheck {
  readonly quantity: Quantity;
  readonly most: number;
  /** Null where the recording cannot tell: it has no durations. */
  readonly measured: number | null;
  /** Lower end of the interval, where `measured` is an estimate: a limit is exceeded when this is over it. */
  readonly least?: number;
  readonly exceeded: boolean;
}

export interface LimitResult {
  /** The recording that was measured, as the user named it. */
  readonly recording: string;
  readonly subject: LimitSubject;
  /** The subject in words: `heat.c:22`, `function emit`, `the run`. */
  readonly name: string;
  readonly reason: string;
  /** `matches nothing`: the recording has no such line, function or file, or no trigger has the name: the limit says nothing. */
  readonly status: 'holds' | 'exceeded' | 'matches nothing' | 'not measured';
  readonly checks: readonly LimitCheck[];
  /** Lines of the user's code that the limit is about, costliest first. */
  readonly places: readonly LimitPlace[];
}

export interface LimitPlace {
  /** On this machine where the file is here, else as recorded. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly isHere: boolean;
}
