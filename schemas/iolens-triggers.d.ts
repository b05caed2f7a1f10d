/**
 * Types of triggers that you write yourself (docs/triggers.md). Copy this file beside them and name it in a comment:
 * `/** @type {import('./iolens-triggers').OwnTrigger} *\/`
 */

/** The default export of a module: a trigger, or a list of them. */
export type OwnTrigger = CounterTrigger | SiteTrigger;

export type Severity = 'high' | 'warn' | 'info' | 'ok';

/** Calls, bytes and nanoseconds. */
export interface Amount {
  events: number;
  bytes: number;
  timeNs: number;
}

export interface Snippet {
  /** Shell: lines for a job script. */
  readonly language: 'c' | 'cpp' | 'fortran' | 'python' | 'shell';
  readonly title: string;
  readonly code: string;
}

export interface Recommendation {
  readonly text: string;
  /** Who can follow it: the developer, or the user who runs the job. */
  readonly audience: 'code' | 'job';
  readonly snippet?: Snippet;
  /** The same in other languages. */
  readonly alternatives?: readonly Snippet[];
}

/** A file of the recording with what it has to do with the finding. */
export interface FileAmount extends Amount {
  /** As `RecordView.file` gives it. */
  readonly file: number;
}

/** The bounds of the triggers by name, as docs/triggers.md lists them. */
export type Thresholds = Readonly<
  Record<
    | 'imbalance_operations'
    | 'small_bytes'
    | 'small_requests'
    | 'small_requests_absolute'
    | 'misaligned_requests'
    | 'random_operations'
    | 'random_operations_absolute'
    | 'metadata_time_rank'
    | 'imbalance_stragglers'
    | 'imbalance_size'
    | 'interface_stdio'
    | 'collective_operations'
    | 'collective_operations_absolute'
    | 'site_events'
    | 'site_share'
    | 'pattern_share'
    | 'run_share'
    | 'tiny_bytes'
    | 'direct_bytes'
    | 'alignment'
    | 'writes_per_sync'
    | 'redundant_share'
    | 'metadata_share'
    | 'metadata_events'
    | 'buffer_bytes'
    | 'summary_operations'
    | 'small_files'
    | 'small_file_bytes'
    | 'common_readers'
    | 'lone_process_share'
    | 'split_calls'
    | 'amplification'
    | 'sieving_efficiency'
    | 'overlap_share'
    | 'waiting_share'
    | 'storm_window'
    | 'storm_streams'
    | 'pipe_bytes'
    | 'nodes',
    number
  >
>;

interface Named {
  /** Letters and digits that no other trigger has, such as `X01`. */
  readonly code: string;
  /** Words with dashes, such as `many-opens`. */
  readonly name: string;
  readonly title: string;
}

/** A rule over what a Darshan log counts. */
export interface CounterTrigger extends Named {
  readonly kind: 'counters';
  readonly severity: Severity;
  /** The module that it reads: without it the trigger is silent. */
  readonly module?: string;
  /** Undefined: there is nothing to say. */
  examine(log: LogView, thresholds: Thresholds): CounterFinding | undefined;
}

export interface CounterFinding {
  /** Where it is not the trigger's own. */
  readonly severity?: Severity;
  readonly message: string;
  readonly evidence: Readonly<Record<string, number>>;
  /** None: a summary, which stands below the findings. */
  readonly files: readonly FileAmount[];
  readonly recommendations?: readonly Recommendation[];
}

/** A Darshan log. */
export interface LogView {
  /** Darshan's name of it, such as `POSIX`, `MPI-IO`, `STDIO`, `H5F`; undefined without records. */
  module(name: string): ModuleView | undefined;
  has(name: string): boolean;
  readonly processes: number;
  /** Compute nodes; undefined when nobody says. */
  readonly nodes: number | undefined;
  /** NaN when the log does not know. */
  readonly runTimeNs: number;
  /** MPI-IO hints that the log holds: as a rule those with which Darshan wrote the log. */
  readonly hints: ReadonlyMap<string, string>;
  path(file: number): string;
  /** Such as `lustre`; '' when unknown. */
  fileSystem(file: number): string;
  /** The first component of its Lustre layout. */
  layout(file: number): { readonly stripeSize: number; readonly stripeCount: number } | undefined;
}

/** All records, those of all processes together (rank -1), or those of one process each. */
export type RecordSet = 'all' | 'shared' | 'individual';

export interface ModuleView {
  readonly name: string;
  readonly incomplete: boolean;
  readonly records: number;
  /** Of counters by Darshan's names; what was not measured adds nothing. */
  sum(counters: string | readonly string[], over?: RecordSet): number;
  /** The record is valid during the call only. */
  forEach(visit: (record: RecordView) => void, over?: RecordSet): void;
  /** Adds up by file, sorted by time, then calls; the first thousand are listed, `count` is of all. */
  files(
    part: (record: RecordView) => Amount | undefined,
    over?: RecordSet,
  ): { readonly files: readonly FileAmount[]; readonly count: number };
}

export interface RecordView {
  /** -1 when the log has lost the name. */
  readonly file: number;
  /** The process, or -1: all together. */
  readonly rank: number;
  readonly id: bigint;
  /** NaN where it was not measured, or there is no such counter. Times of Darshan are seconds. */
  get(counter: string): number;
}

/** A rule over the metrics of call sites, of every kind of recording that has calls. */
export interface SiteTrigger extends Named {
  readonly kind: 'site';
  /** What of the calls of one site on one file offends. */
  offending(cell: MetricView, file: FileSituation, thresholds: Thresholds): Amount;
  /** Nothing is looked at unless this holds. */
  when?(run: RunView, thresholds: Thresholds): boolean;
  /** A condition on the whole recording, under which the offending sites are named, as high. */
  drishti?(run: RunView, thresholds: Thresholds): boolean;
  /** A condition on a site, on top of the bounds that all triggers share (`site_events`, `site_share`, `run_share`). */
  local?(site: SiteView, thresholds: Thresholds): boolean;
  /** Sites that the trigger never speaks of. */
  never?(site: SiteView): boolean;
  /** Fewest offending calls, instead of the threshold `site_events`. */
  readonly fewestEvents?: number;
  /** Fixed; by share of the I/O time otherwise. */
  readonly severity?: Severity;
  /** `4,096 writes of 100 B`: the message goes on with `from here cost about 2.3 ms, 12 % of the run.` */
  subject(site: SiteView, run: RunView): string;
  /** Numbers beside count, bytes, time and share. */
  evidence?(site: SiteView, run: RunView): Readonly<Record<string, number>>;
  recommend(site: SiteView, thresholds: Thresholds): readonly Recommendation[];
}

/** Calls; `…Bytes` in bytes, `…Time` (and `time`) in nanoseconds. */
export type Metric =
  | 'events'
  | 'time'
  | 'failed'
  | 'missing'
  | 'missingTime'
  | 'reads'
  | 'readBytes'
  | 'readTime'
  | 'writes'
  | 'writtenBytes'
  | 'writeTime'
  | 'opens'
  | 'openTime'
  | 'closes'
  | 'closeTime'
  | 'seeks'
  | 'seekTime'
  | 'syncs'
  | 'syncTime'
  | 'metadataCalls'
  | 'metadataTime'
  | 'maps'
  | 'smallReads'
  | 'smallReadBytes'
  | 'smallReadTime'
  | 'smallWrites'
  | 'smallWrittenBytes'
  | 'smallWriteTime'
  | 'tinyReads'
  | 'tinyReadBytes'
  | 'tinyReadTime'
  | 'tinyWrites'
  | 'tinyWrittenBytes'
  | 'tinyWriteTime'
  | 'consecutiveReads'
  | 'consecutiveWrites'
  | 'stridedReads'
  | 'stridedWrites'
  | 'randomReads'
  | 'randomReadBytes'
  | 'randomReadTime'
  | 'randomWrites'
  | 'randomWrittenBytes'
  | 'randomWriteTime'
  | 'misalignedReads'
  | 'misalignedWrites'
  | 'misalignedWrittenBytes'
  | 'misalignedWriteTime';

export interface MetricView {
  get(metric: Metric): number;
}

export interface FileSituation {
  /** More than one process writes it. */
  readonly sharedByWriters: boolean;
  /** More than one process reads or writes it. */
  readonly shared: boolean;
}

export interface SiteView extends MetricView {
  readonly offence: Readonly<Amount>;
  readonly sharedByWriters: boolean;
  /** NaN when nothing is moved. */
  readonly medianBytes: number;
}

export interface RunView extends MetricView {
  /** Processes of a parallel program that run side by side. */
  readonly ranks: number;
  readonly usesMpiIo: boolean;
  readonly callsMpi: boolean;
  readonly durationNs: number;
}
