import type { FaultResult } from './fault-outcome.ts';
import type { OutcomeComparison } from './outcome.ts';

/** A finding of a recording that was made during a trial. */
export interface TrialFinding {
  readonly code: string;
  readonly title: string;
  /** Places, as path below the folder and function: lines move with a change. */
  readonly places: readonly string[];
}

/** What a recording of a run says. */
export interface RecordedRun {
  readonly findings: readonly TrialFinding[];
  /** I/O calls of the run, and those of each place. */
  readonly calls: number;
  readonly callsAt: ReadonlyMap<string, number>;
}

/** What a trial of one change showed. */
export interface TriedChange {
  /** Why it does not build after the change, in the words of the build; undefined when it does. */
  readonly buildErrors: string | undefined;
  readonly comparison: OutcomeComparison;
  /** Undefined where nothing could be recorded. */
  readonly recorded: RecordedRun | undefined;
  /** Nanoseconds of wall time of the runs that were not recorded, in the order of the original's, which are their pairs. */
  readonly times: readonly number[];
  /** Empty where none was asked for. */
  readonly faults: readonly FaultResult[];
}

/** What a trial showed. */
export interface TrialResult {
  /** Paths below the folder that were not copied. */
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
  readonly original: Pick<TriedChange, 'recorded' | 'times'>;
  /** In the order that they were asked for. */
  readonly changes: readonly TriedChange[];
}
