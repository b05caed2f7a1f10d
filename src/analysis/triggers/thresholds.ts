/**
 * Bounds of the triggers. Drishti's are for large jobs and keep its names and defaults (hpc-io/drishti-io,
 * `drishti/includes/config.py`); ours make a recording of one small program speak. Comparisons with Drishti's bounds are
 * strict (`>`), as there.
 */
export interface Thresholds {
  /** Requests up to this many bytes are small. */
  readonly small_bytes: number;
  /** Share of small requests. */
  readonly small_requests: number;
  /** Number of small requests. */
  readonly small_requests_absolute: number;
  /** Share of misaligned requests. */
  readonly misaligned_requests: number;
  /** Share of random operations. */
  readonly random_operations: number;
  /** Number of random operations. */
  readonly random_operations_absolute: number;
  /** Seconds that one process spends on metadata. */
  readonly metadata_time_rank: number;
  /** Ours: a call site counts from this many offending calls on, */
  readonly site_events: number;
  /** and from this share of the program's I/O time on (of its calls, where the recording has no durations), */
  readonly site_share: number;
  /** and from this share of the program's run time on: what costs nothing is no finding. */
  readonly run_share: number;
  /** Ours: requests below this many bytes are tiny, whoever else uses the file. */
  readonly tiny_bytes: number;
  /** Bytes of a block of the file system. */
  readonly alignment: number;
  /** Ours: most writes between two synchronisations that still count as "after every write". */
  readonly writes_per_sync: number;
  /** Ours: share of the site's bytes that must be redundant. */
  readonly redundant_share: number;
  /** Ours: share of the I/O time from which on metadata calls of one site are a finding. */
  readonly metadata_share: number;
}

export const DEFAULT_THRESHOLDS: Thresholds = {
  small_bytes: 1_048_576,
  small_requests: 0.1,
  small_requests_absolute: 1000,
  misaligned_requests: 0.1,
  random_operations: 0.2,
  random_operations_absolute: 1000,
  metadata_time_rank: 30,
  site_events: 32,
  site_share: 0.05,
  run_share: 0.0001,
  tiny_bytes: 4096,
  alignment: 4096,
  writes_per_sync: 4,
  redundant_share: 0.5,
  metadata_share: 0.15,
};
