/** What is followed over the runs of a kind. */
export type MeasureName = 'bandwidth' | 'ioShare' | 'metadataRate';

/** A run of a kind, with its measures; null where its recording does not say enough. */
export interface KindRun {
  readonly log: string;
  readonly jobId: string | null;
  /** Seconds since 1970. */
  readonly start: number;
  /** Bytes that it moved a second of the I/O time of its slowest process. */
  readonly bandwidth: number | null;
  /** I/O time of its slowest process over its run time. */
  readonly ioShare: number | null;
  /** Files that it used a second in opens, closes, stats, seeks and syncs, summed over processes. */
  readonly metadataRate: number | null;
}

/** What makes jobs comparable: IOMiner's Tables I and II group so. */
export interface Kind {
  /** File name of the executable. */
  readonly application: string;
  readonly processes: number | null;
  /** Power of two next to the bytes that it reads; 0: it reads nothing; null: unknown. */
  readonly input: number | null;
}

/** The runs of one side of a change. */
interface Side {
  readonly runs: number;
  readonly median: number;
}

/** What the servers of the file systems did for others during the runs of both sides: medians of the runs. */
export interface ServerComparison {
  /**
   * - `busier`, `not-busier`: by the rank-sum test and by a quarter at least
   * - `unclear`: by a quarter, but it may be chance
   * - `not-sampled`: too few of the runs were sampled
   * - `no-load`: the store has no samples of servers at all
   */
  readonly verdict: 'busier' | 'not-busier' | 'unclear' | 'not-sampled' | 'no-load';
  /** Bytes a second of all storage targets without those of the run itself. */
  readonly bytesBefore: number | null;
  readonly bytesAfter: number | null;
  /** Metadata operations a second. */
  readonly operationsBefore: number | null;
  readonly operationsAfter: number | null;
}

/** From one run on a measure of a kind is another one. */
export interface Change {
  /** Start of the first run behind it. */
  readonly since: number;
  readonly before: Side;
  readonly after: Side;
  /** Median behind it over that before; null where that was 0. */
  readonly ratio: number | null;
  readonly isWorse: boolean;
  /** No later change follows: it is how the kind runs now. */
  readonly isLasting: boolean;
  /** At most so likely by chance, all kinds and measures that were looked at counted. */
  readonly pValue: number;
  readonly servers: ServerComparison;
}

export interface MeasureHistory {
  readonly measure: MeasureName;
  /** With a value. */
  readonly runs: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly changes: readonly Change[];
}

export interface KindHistory extends Kind {
  /** In the order of their start. */
  readonly runs: readonly KindRun[];
  readonly measures: readonly MeasureHistory[];
}

/** Where a chosen job stands among the runs of its kind: shares of runs with a lower value, 0 to 1. */
export interface JobStanding extends KindRun {
  readonly kind: Kind;
  readonly runs: number;
  readonly percentiles: Readonly<Record<MeasureName, number | null>>;
}

export interface FleetHistory {
  /** Kinds with enough runs, and jobs in them. */
  readonly kinds: number;
  readonly jobs: number;
  /** Series of measures in which changes were looked for. */
  readonly tested: number;
  /** All with changes, then those with most runs. */
  readonly told: readonly KindHistory[];
  readonly standings: readonly JobStanding[];
}

export interface HistoryRequest {
  /** Key of a recording or number of a job: only its kind. */
  readonly job?: string;
  /** Changes before are left out: seconds since 1970. */
  readonly changesSince?: number;
  /** Kinds that are told; all that have changed are, however many. */
  readonly mostKinds: number;
}
