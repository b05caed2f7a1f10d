import type { SizeLimits } from '../metrics/access-metrics.ts';

/**
 * Bounds of the triggers. Drishti's are for large jobs and keep its names and defaults (hpc-io/drishti-io,
 * `drishti/includes/config.py`); ours make a recording of one small program speak. Comparisons with Drishti's bounds are
 * strict (`>`), as there.
 */
export interface Thresholds {
  /** Share by which reads and writes must differ for one of them to be "the most". */
  readonly imbalance_operations: number;
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
  /** Difference between the slowest and the fastest process on a shared file, as a share of all bytes or all time. */
  readonly imbalance_stragglers: number;
  /** Difference between the most and the least that processes move in files of their own, as a share of the most. */
  readonly imbalance_size: number;
  /** Share of the bytes that goes through stdio. */
  readonly interface_stdio: number;
  /** Share of MPI-IO transfers that are independent. */
  readonly collective_operations: number;
  /** Number of independent MPI-IO transfers. */
  readonly collective_operations_absolute: number;
  /** Ours: a call site counts from this many offending calls on, */
  readonly site_events: number;
  /** and from this share of the program's I/O time on (of its calls, where the recording has no durations), */
  readonly site_share: number;
  /** or together with all others that offend alike, where these have this share; */
  readonly pattern_share: number;
  /** and from this share of the program's run time on: what costs nothing is no finding. */
  readonly run_share: number;
  /** Ours: requests below this many bytes are tiny, whoever else uses the file. */
  readonly tiny_bytes: number;
  /** Ours: transfers past the page cache (O_DIRECT) below this many bytes are small pieces. */
  readonly direct_bytes: number;
  /** Bytes of a block of the file system. */
  readonly alignment: number;
  /** Ours: most writes between two synchronisations that still count as "after every write". */
  readonly writes_per_sync: number;
  /** Ours: share of the site's bytes that must be redundant. */
  readonly redundant_share: number;
  /** Ours: share of the I/O time from which on metadata calls of one site are a finding. */
  readonly metadata_share: number;
  /** Ours: fewest metadata calls (questions, searches) of a site. */
  readonly metadata_events: number;
  /** Ours: the buffer that evidence counts with, bytes. */
  readonly buffer_bytes: number;
  /** Ours: fewest reads and writes of the run that are worth a summary. */
  readonly summary_operations: number;
  /** Ours: more files than this make "many small files", */
  readonly small_files: number;
  /** and this is the largest that is small, bytes. */
  readonly small_file_bytes: number;
  /** Ours: fewest processes that read the same whole file. */
  readonly common_readers: number;
  /** Ours: share of all bytes that one process moves while the others move next to none. */
  readonly lone_process_share: number;
  /** Ours: transfers through a pipe or socket up to this many bytes go byte by byte. */
  readonly pipe_bytes: number;
  /** Ours: calls below one call of a library, on average, from which on it is split. */
  readonly split_calls: number;
  /** Ours: bytes moved below for each byte asked for above, from which on they are more. */
  readonly amplification: number;
  /** Ours: share of what data sieving moves that is used, from which on it is worth its while. */
  readonly sieving_efficiency: number;
  /** Ours: share of a non-blocking operation's time that is free for other work, up to which there is none. */
  readonly overlap_share: number;
  /** Ours: share of the processes' run time that is lost in collective calls until the last one has come. */
  readonly waiting_share: number;
  /** Ours: seconds within which metadata calls come together, */
  readonly storm_window: number;
  /** and fewest processes (at least half of all) whose calls do. */
  readonly storm_streams: number;
  /** No bound: compute nodes of the job, for the triggers on aggregators; 0: as many as the recording says. */
  readonly nodes: number;
}

export const DEFAULT_THRESHOLDS: Thresholds = {
  imbalance_operations: 0.1,
  small_bytes: 1_048_576,
  small_requests: 0.1,
  small_requests_absolute: 1000,
  misaligned_requests: 0.1,
  random_operations: 0.2,
  random_operations_absolute: 1000,
  metadata_time_rank: 30,
  imbalance_stragglers: 0.15,
  imbalance_size: 0.3,
  interface_stdio: 0.1,
  collective_operations: 0.5,
  collective_operations_absolute: 1000,
  site_events: 32,
  site_share: 0.05,
  pattern_share: 0.1,
  run_share: 0.0001,
  tiny_bytes: 4096,
  direct_bytes: 131_072,
  alignment: 4096,
  writes_per_sync: 4,
  redundant_share: 0.5,
  metadata_share: 0.15,
  metadata_events: 100,
  buffer_bytes: 1_048_576,
  summary_operations: 10_000,
  small_files: 300,
  small_file_bytes: 65_536,
  common_readers: 4,
  lone_process_share: 0.9,
  pipe_bytes: 16,
  split_calls: 8,
  amplification: 1.2,
  sieving_efficiency: 0.5,
  overlap_share: 0.1,
  waiting_share: 0.01,
  storm_window: 0.05,
  storm_streams: 4,
  nodes: 0,
};

/** The bounds that the metrics have to know while they count. */
export function sizeLimits(thresholds: Thresholds): SizeLimits {
  return {
    smallBytes: thresholds.small_bytes,
    tinyBytes: thresholds.tiny_bytes,
    directBytes: thresholds.direct_bytes,
    alignment: thresholds.alignment,
    bufferBytes: thresholds.buffer_bytes,
    pipeBytes: thresholds.pipe_bytes,
  };
}
