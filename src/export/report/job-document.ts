/**
 * What a Darshan log says about its job, as plain data: all that darshan-parser (`--total`, `--file`, `--perf`), the job
 * summary of PyDarshan and the header of Drishti show. Part of `iolens analyze --format json`; fields may be added, never
 * renamed. Bytes are bytes, times are seconds (as Darshan counts them), shares lie between 0 and 1, and null stands for
 * what the log does not tell. Sizes are bounded, whatever the number of files and processes: see the MOST_… constants.
 * Names, hints and commands come from the log: whoever draws them has to escape them.
 */
import type { FileCategories } from '../../analysis/counters/categories.ts';
import type { CommonValue } from '../../analysis/counters/common-values.ts';
import type { FileRow, FileRows } from '../../analysis/counters/file-rows.ts';
import type { FileSystemAccess } from '../../analysis/counters/file-systems.ts';
import type {
  AccessPattern,
  AccessSizes,
  OperationCount,
  OperationTimes,
} from '../../analysis/counters/module-figures.ts';
import type { Performance } from '../../analysis/counters/performance.ts';
import type { RankFigures } from '../../analysis/counters/ranks.ts';
import type { LogRegion, SegmentSums } from '../../trace/counters.ts';

export type { FileRow as JobFile };

/** Rows of the table of files; the largest by bytes are kept. */
export const MOST_FILES = 5_000;
/** Rows of a heatmap, and groups of processes in `JobRanks`. */
export const MOST_RANK_ROWS = 200;
/** Columns of a heatmap. */
export const MOST_TIME_BINS = 200;
/** Hints, mounts and file systems that are listed. */
export const MOST_ENTRIES = 500;
/** Longest name, command or hint in characters; longer ones are cut and end in `…`. */
export const MOST_CHARACTERS = 4_096;

/** `recordings[].job` of `iolens analyze --format json`; only of Darshan logs. */
export interface JobDocument {
  readonly schema: 'iolens/job@1';
  /** The file, as given. */
  readonly recording: string;
  readonly job: JobHeader;
  /** The pieces of the log, in their order; what PyDarshan lists as modules with their versions and sizes. */
  readonly regions: readonly LogRegion[];
  /** Files that were used, with how many of them through each interface. */
  readonly usedFiles: {
    readonly files: number;
    readonly byModule: readonly { readonly module: string; readonly files: number }[];
  };
  /** One for each module with records of a fixed size, in the order of the log. */
  readonly modules: readonly JobModule[];
  /** Data access by file system, through POSIX and STDIO; most bytes first. */
  readonly fileSystems: readonly FileSystemAccess[];
  /** One row for each file and module, most bytes first. */
  readonly files: FileRows;
  /** What each process moved, one for each interface. */
  readonly ranks: readonly RankFigures[];
  /** Bytes over time, one for each interface. */
  readonly heatmaps: readonly JobHeatmap[];
  /** Sums of the segments of extended tracing. */
  readonly segments: readonly SegmentSums[];
}

/** What a text says of it: the rest takes passes over all records and segments. */
export interface JobSummary extends Pick<JobDocument, 'job' | 'regions' | 'usedFiles'> {
  readonly modules: readonly JobModuleSummary[];
}

export type JobModuleSummary = Pick<
  JobModule,
  'module' | 'categories' | 'performance' | 'time' | 'bytesRead' | 'bytesWritten'
>;

export interface JobHeader {
  readonly jobId: string;
  readonly userId: string;
  /** The executable and its arguments; '' when the log does not hold them. */
  readonly command: string;
  /** Last part of the executable's path; '' when unknown. */
  readonly executable: string;
  readonly processes: number;
  /** Hosts that extended tracing names; 0 when the log has none. */
  readonly hosts: number;
  /** Seconds since 1970; null when it is not known. */
  readonly startTime: number | null;
  /** Seconds since 1970; null when the program was killed, or nobody knows. */
  readonly endTime: number | null;
  /** As darshan-parser computes it; null when the program was killed, or nobody knows. */
  readonly runSeconds: number | null;
  /** The log is what the program left when it was killed: it has no end. */
  readonly wasKilled: boolean;
  /** Version of the format, such as `3.41`. */
  readonly logVersion: string;
  /** Version of Darshan that wrote the log; '' when the log does not say. */
  readonly libraryVersion: string;
  readonly compression: string;
  /** Hints to MPI-IO, such as `cb_nodes` = `4`. */
  readonly hints: readonly (readonly [name: string, value: string])[];
  /** All other `key=value` lines. */
  readonly metadata: readonly (readonly [key: string, value: string])[];
  readonly mounts: readonly (readonly [mountPoint: string, fileSystem: string])[];
}

/** What the records of one module amount to. Parts that the module does not measure are null or empty. */
export interface JobModule {
  /** As darshan-parser prints it: `POSIX`, `MPI-IO`, `STDIO`, `H5D`, … */
  readonly module: string;
  readonly version: number;
  readonly records: number;
  readonly incomplete: boolean;
  /**
   * Every counter over all records by the rules of `darshan-parser --total`, without the prefix `total_`. Counters of
   * identifiers are left out, where a record has one.
   */
  readonly totals: Readonly<Record<string, number>>;
  /** Totals beyond 2^53, which are rounded; absent where there are none. */
  readonly inexact?: readonly string[];
  /** Those of them that are sums, in decimal digits, where each of the values is below 2^53. */
  readonly exact?: Readonly<Record<string, string>>;
  /** `darshan-parser --file`, and PyDarshan's file count summary; null for modules that have no such figures. */
  readonly categories: FileCategories | null;
  /** `darshan-parser --perf`; null for modules that have no such figures. */
  readonly performance: Performance | null;
  /** Of all processes together; null when the module measures no times. */
  readonly time: JobTime | null;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Accesses in each of Darshan's ten size bins (SIZE_BIN_NAMES), smallest first; null when the module counts none. */
  readonly accessSizes: AccessSizes | null;
  /** The commonest sizes of accesses with how often they occurred, commonest first; at most four. */
  readonly commonAccesses: readonly CommonValue[];
  /** The commonest distances between accesses, commonest first; at most four. */
  readonly commonStrides: readonly CommonValue[];
  /** How often each operation was called; operations that the recorder did not measure are left out. */
  readonly operations: readonly OperationCount[];
  /** POSIX only. */
  readonly pattern: { readonly read: AccessPattern; readonly write: AccessPattern } | null;
}

/** Time in reads, writes and metadata; `waitSeconds` is PnetCDF's. */
export interface JobTime extends OperationTimes {
  /** Per process and as a share of the run time: PyDarshan's "I/O cost"; null when the run time is unknown. */
  readonly shareOfRun: {
    readonly read: number;
    readonly write: number;
    readonly metadata: number;
    readonly wait: number;
  } | null;
}

export interface JobHeatmap {
  /** `POSIX`, `MPI-IO`, `STDIO`, … */
  readonly module: string;
  /** Darshan's own heatmap, or the segments of extended tracing where it has none, or one of a few bins. */
  readonly source: 'heatmap' | 'segments';
  /** Seconds that a column stands for. */
  readonly binSeconds: number;
  /** Consecutive processes that are added up in a row; the last row may hold fewer. */
  readonly ranksPerRow: number;
  /** Bytes read and written: first by row (process 0 first), then by column. */
  readonly rows: readonly (readonly number[])[];
  /** Bytes over time, of all processes. */
  readonly read: readonly number[];
  readonly written: readonly number[];
}
