import type { Comparison } from '../../analysis/comparison/comparison.ts';

export type {
  ComparedAmounts,
  ComparedFinding,
  ComparedGraph,
  ComparedInsight,
  ComparedLine,
  ComparedRunTime,
  ComparedThing,
  FindingChange,
  Measure,
  Occurrence,
  Verdict,
} from '../../analysis/comparison/comparison.ts';

/** A run of the program: one repetition of a side. */
export interface ComparedRun {
  /** As the user named it; of a group of one recording, with the group's globs. */
  readonly recording: string;
  readonly program: string;
  /** Seconds since 1970; null when the recording does not know. */
  readonly startTime: number | null;
  readonly durationNs: number;
  /** The run without the tracer; as recorded where none was. */
  readonly untracedNs: number;
  /** Calls that count, and their nanoseconds as recorded. */
  readonly ioEvents: number;
  readonly ioTimeNs: number;
}

/** `iolens compare --format json`. Times are nanoseconds, sizes bytes. */
export interface ComparisonDocument extends Comparison {
  readonly schema: 'iolens/compare@1';
  readonly base: { readonly runs: readonly ComparedRun[] };
  readonly new: { readonly runs: readonly ComparedRun[] };
  /**
   * How likely it is that as many repetitions lie apart by chance alone when nothing differs, 0 to 1; 1 with one run on
   * each side: nothing is known of the noise then.
   */
  readonly chance: number;
}
