/** Which calls a cause is looked for in: each by itself (IOMiner, section II.D). */
export type Direction = 'read' | 'write';

/** What the sweep-line and the factors need of a file of a job, for one direction. */
export interface CauseFile {
  /** As recorded. */
  readonly path: string;
  /** Seconds from the start of the program to the first read (or write), and to the end of the last; NaN: not known. */
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
  /** Reads (or writes). */
  readonly requests: number;
  /** Of these: at most 1 MiB, and consecutive (each begins where the last ended). */
  readonly small: number;
  readonly consecutive: number;
  /** Requests of known size, and of known place: what the two are shares of; left out: all. */
  readonly sized?: number | null;
  readonly placed?: number | null;
  /** Collective ones of MPI-IO. */
  readonly collective: number;
  /** Processes that used it. */
  readonly processes: number;
  /** The process, where only one used it. */
  readonly rank: number | null;
  /** Lustre targets that it is striped over; null when it has no layout. */
  readonly stripeCount: number | null;
  readonly osts: readonly number[];
  /** Seconds that all processes spent in these calls, where known. */
  readonly summedSeconds: number | null;
  /** Of a shared file: bytes of the process that took longest, where known. */
  readonly slowestBytes?: number | null;
}

export interface CauseJob {
  readonly processes: number;
  readonly nodes: number | null;
  readonly files: readonly CauseFile[];
  /** Lustre targets of all its files, also of those that `files` leaves out; left out: those of `files`. */
  readonly osts?: readonly number[] | null;
}

/** A stretch of the critical path and the file that it is reckoned to. */
interface CriticalStretch {
  /** Index into `CauseJob.files`. */
  readonly file: number;
  /** Seconds from the start of the program. */
  readonly from: number;
  readonly to: number;
}

/**
 * Percentages are 0 to 100, of requests whose size or place is known, weighted by exclusive time (equation 2). Null: not
 * known.
 */
export interface ContributingFactors {
  readonly smallPercent: number | null;
  readonly nonConsecutivePercent: number | null;
  /** 1 when the job used collective I/O in this direction, else 0. */
  readonly collective: 0 | 1;
  /** Different storage targets of all files of the job. */
  readonly ostCount: number | null;
  readonly processesPerOst: number | null;
}

export type VerdictKind =
  | 'small-requests'
  | 'non-consecutive-requests'
  | 'one-target-for-all'
  | 'contended-targets'
  | 'one-writer-dominates'
  | 'one-file-dominates'
  | 'intermittent-files'
  | 'no-collective'
  | 'single-node';

/** Why the bandwidth is low, in words. */
export interface Verdict {
  readonly kind: VerdictKind;
  readonly message: string;
  /** Files that it is about (indices into `CauseJob.files`), those with most exclusive time first. */
  readonly files: readonly number[];
}

export interface Causes {
  readonly direction: Direction;
  readonly bytes: number;
  /** Seconds in which at least one file was active: the length of the critical path. */
  readonly activeSeconds: number;
  /** Seconds from the first start to the last end: what equation 1 divides by. */
  readonly spanSeconds: number;
  /** Bytes a second over the active time; null without time. */
  readonly bandwidth: number | null;
  /** The critical path by time; a minimum number of files covers it. */
  readonly stretches: readonly CriticalStretch[];
  /** Files of the cover, those with most exclusive time first. */
  readonly critical: readonly { readonly file: number; readonly exclusiveSeconds: number }[];
  readonly factors: ContributingFactors;
  readonly verdicts: readonly Verdict[];
}
