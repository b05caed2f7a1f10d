/**
 * What a Darshan log says about its job, as plain data: all that darshan-parser (`--total`, `--file`, `--perf`), the job
 * summary of PyDarshan and the header of Drishti show. Part of `iolens analyze --format json`; fields may be added, never
 * renamed. Bytes are bytes, times are seconds (as Darshan counts them), shares lie between 0 and 1, and null stands for
 * what the log does not tell. Sizes are bounded, whatever the number of files and processes: see the MOST_… constants.
 * Names, hints and commands come from the log: whoever draws them has to escape them.
 */

/** Rows of the table of files; the largest by bytes are kept. */
export const MOST_FILES = 5_000;
/** Rows of a heatmap, and groups of processes in `JobRanks`. */
export const MOST_RANK_ROWS = 200;
/** Columns of a heatmap. */
export const MOST_TIME_BINS = 200;
/** Longest name, command or hint in characters; longer ones are cut and end in `…`. */
export const MOST_CHARACTERS = 4_096;

/** `recordings[].job` of `iolens analyze --format json`; only of Darshan logs. */
export interface JobDocument {
  readonly schema: 'iolens/job@1';
  /** The file, as given. */
  readonly recording: string;
  readonly job: JobHeader;
  /** The pieces of the log, in their order; what PyDarshan lists as modules with their versions and sizes. */
  readonly regions: readonly JobRegion[];
  /** Files that were used, with how many of them through each interface. */
  readonly usedFiles: {
    readonly files: number;
    readonly byModule: readonly { readonly module: string; readonly files: number }[];
  };
  /** One for each module with records of a fixed size, in the order of the log. */
  readonly modules: readonly JobModule[];
  /** Data access by file system, through POSIX and STDIO; most bytes first. */
  readonly fileSystems: readonly JobFileSystem[];
  readonly files: {
    /** One for each file and module, most bytes first. */
    readonly rows: readonly JobFile[];
    /** Rows beyond the bound. */
    readonly leftOut: { readonly rows: number; readonly bytes: number };
  };
  /** What each process moved, one for each interface. */
  readonly ranks: readonly JobRanks[];
  /** Bytes over time, one for each interface. */
  readonly heatmaps: readonly JobHeatmap[];
  /** Sums of the segments of extended tracing. */
  readonly segments: readonly {
    readonly module: string;
    readonly write: { readonly count: number; readonly bytes: number };
    readonly read: { readonly count: number; readonly bytes: number };
  }[];
}

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
  /** Seconds since 1970. */
  readonly startTime: number;
  /** Seconds since 1970; null when the program was killed. */
  readonly endTime: number | null;
  /** As darshan-parser computes it; null when the program was killed. */
  readonly runSeconds: number | null;
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

export interface JobRegion {
  /** `job data`, `record table`, or the name of a module. */
  readonly name: string;
  /** As stored, compressed. */
  readonly bytes: number;
  /** Of the module; 0 for others. */
  readonly version: number;
  /** The recorder ran out of memory for it: records are missing. */
  readonly incomplete: boolean;
  /** Its records are read; others are named and skipped. */
  readonly known: boolean;
}

/** What the records of one module amount to. Parts that the module does not measure are null or empty. */
export interface JobModule {
  /** As darshan-parser prints it: `POSIX`, `MPI-IO`, `STDIO`, `H5D`, … */
  readonly module: string;
  readonly version: number;
  readonly records: number;
  readonly incomplete: boolean;
  /** Every counter over all records by the rules of `darshan-parser --total`, without the prefix `total_`. */
  readonly totals: Readonly<Record<string, number>>;
  /** `darshan-parser --file`, and PyDarshan's file count summary. */
  readonly categories: JobCategories | null;
  /** `darshan-parser --perf`. */
  readonly performance: JobPerformance | null;
  /** Time in reads, writes and metadata, of all processes together. */
  readonly time: JobTime | null;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Accesses in each of Darshan's ten size bins (SIZE_BIN_NAMES), smallest first. */
  readonly accessSizes: { readonly read: readonly number[]; readonly write: readonly number[] } | null;
  /** The commonest sizes of accesses with how often they occurred, commonest first; at most four. */
  readonly commonAccesses: readonly { readonly bytes: number; readonly count: number }[];
  /** The commonest distances between accesses, commonest first; at most four. */
  readonly commonStrides: readonly { readonly bytes: number; readonly count: number }[];
  /** How often each operation was called; operations that the recorder did not measure are left out. */
  readonly operations: readonly { readonly operation: string; readonly count: number }[];
  readonly pattern: { readonly read: JobPattern; readonly write: JobPattern } | null;
}

export interface JobPattern {
  readonly total: number;
  /** Behind the end of the process's previous access to the file, or right at it. */
  readonly sequential: number;
  /** Right at the end of the previous access; these are sequential too. */
  readonly consecutive: number;
}

export interface JobCategory {
  readonly files: number;
  /** Read and written. */
  readonly bytes: number;
  /** Offset of the last byte that was accessed in any of them; -1 when the module does not measure it. */
  readonly maxOffset: number;
  /** Mean over the files of the offset of the last byte (PyDarshan's "average size"); -1 when not measured. */
  readonly meanOffset: number;
}

export interface JobCategories {
  readonly total: JobCategory;
  readonly readOnly: JobCategory;
  readonly writeOnly: JobCategory;
  readonly readWrite: JobCategory;
  /** Used by exactly one process. */
  readonly unique: JobCategory;
  /** Used by all processes. */
  readonly shared: JobCategory;
  /** Used by several, but not all. */
  readonly partiallyShared: JobCategory;
}

export interface JobPerformance {
  readonly totalBytes: number;
  /** The process that spent most time with files that are not shared by all. */
  readonly slowestRank: number;
  readonly slowestRankSeconds: number;
  readonly slowestRankMetadataSeconds: number;
  /** Reads and writes. */
  readonly slowestRankTransferSeconds: number;
  /** Of the slowest process in each shared file, summed over these files. */
  readonly sharedFilesSeconds: number;
  /** Estimate of what the interface cost the job. */
  readonly seconds: number;
  /** Estimated bandwidth in MiB/s (agg_perf_by_slowest); 0 when no time was measured. */
  readonly mebibytesPerSecond: number;
}

export interface JobTime {
  readonly readSeconds: number;
  readonly writeSeconds: number;
  readonly metadataSeconds: number;
  /** Per process and as a share of the run time: PyDarshan's "I/O cost"; null when the run time is unknown. */
  readonly shareOfRun: { readonly read: number; readonly write: number; readonly metadata: number } | null;
}

/** A mounted file system (or the standard streams) and what was moved from and to it. */
export interface JobFileSystem {
  /** Mount point; the first folder of the path where no mount point fits; `<STDOUT>` and the like. */
  readonly name: string;
  /** Such as `lustre`; '' when unknown. */
  readonly fileSystem: string;
  /** Files of which at least one byte was read. */
  readonly filesRead: number;
  readonly filesWritten: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** A file as one module counted it. */
export interface JobFile {
  readonly path: string;
  readonly module: string;
  readonly mountPoint: string;
  /** `UNKNOWN` where no mount point fits. */
  readonly fileSystem: string;
  /** Processes that used it: all of the job when the record is a shared one. */
  readonly processes: number;
  /** The process, where it is only one; else null. */
  readonly rank: number | null;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly readSeconds: number;
  readonly writeSeconds: number;
  readonly metadataSeconds: number;
  /** Offset of the last byte that was accessed; null when not measured. */
  readonly maxOffset: number | null;
  readonly opens: number;
  readonly reads: number;
  readonly writes: number;
  /** Shares of reads and writes together; null when not measured or when there are none. */
  readonly smallShare: number | null;
  readonly misalignedShare: number | null;
  readonly sequentialShare: number | null;
  readonly consecutiveShare: number | null;
  /** Of a shared file: the process that took least and most time, and its seconds. */
  readonly fastest: { readonly rank: number; readonly seconds: number; readonly bytes: number } | null;
  readonly slowest: { readonly rank: number; readonly seconds: number; readonly bytes: number } | null;
  /** How it lies on Lustre (first component); null when it does not, or the log does not tell. */
  readonly stripes: JobStripes | null;
}

export interface JobStripes {
  readonly bytes: number;
  readonly count: number;
  /** Object storage targets, at most 64 of them. */
  readonly targets: readonly number[];
  readonly allTargets: number;
  /** Components of the layout; more than one when it is progressive. */
  readonly components: number;
}

export interface JobRanks {
  /** `POSIX`, `MPI-IO`, `STDIO`, … */
  readonly module: string;
  /**
   * Where the numbers are from, best first: every access (`segments`); bytes over time (`heatmap`: times are unknown);
   * records of files that only one process used (`records`: what was done to shared files is not in them).
   */
  readonly source: 'segments' | 'heatmap' | 'records';
  /** Processes that did anything. */
  readonly active: number;
  /** Consecutive processes that are added up in one element of the arrays; the last may hold fewer. */
  readonly ranksPerRow: number;
  readonly bytesRead: readonly number[];
  readonly bytesWritten: readonly number[];
  /** Empty when unknown. */
  readonly readSeconds: readonly number[];
  readonly writeSeconds: readonly number[];
  readonly metadataSeconds: readonly number[];
  /** Of each element: the most that one of its processes has. Bytes, and seconds (empty when unknown). */
  readonly mostBytes: readonly number[];
  readonly mostSeconds: readonly number[];
  /** Processes that stand for the others, by time where known, else by bytes. */
  readonly exemplars: readonly JobRank[];
}

export interface JobRank {
  readonly role: 'slowest' | 'median' | 'fastest' | 'most bytes' | 'median bytes' | 'least bytes';
  readonly rank: number;
  readonly bytes: number;
  /** null when unknown. */
  readonly seconds: number | null;
}

export interface JobHeatmap {
  /** `POSIX`, `MPI-IO`, `STDIO`, … */
  readonly module: string;
  /** Darshan's own heatmap, or the segments of extended tracing where it has none. */
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
