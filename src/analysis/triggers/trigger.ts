import type { Operation } from '../../trace/calls.ts';
import type { FileUse } from '../metrics/access-metrics.ts';
import type { Metric } from '../metrics/metric-table.ts';
import type { ProcessNoun } from '../metrics/process-noun.ts';
import type { CallSize } from './call-sizes.ts';
import type { Amount, InsightFile, Recommendation, Severity } from './insight.ts';
import type { Message, Sentence } from './message.ts';
import type { BackgroundTransfers } from './shown-mpi.ts';
import type { Thresholds } from './thresholds.ts';

/** The metrics of something: a cell, a site, a file, the run. */
export interface MetricView {
  get(metric: Metric): number;
}

/** How a file is used, by how many, and how evenly. */
export interface FileSituation {
  readonly use: FileUse | undefined;
  /** More than one process writes it. */
  readonly sharedByWriters: boolean;
  /** More than one process reads or writes it. */
  readonly shared: boolean;
  /** Two processes read, or write, it at the same time: a command that a script repeats shares its input with nobody. */
  readonly readSideBySide: boolean;
  readonly writtenSideBySide: boolean;
  /**
   * One process writes it while another reads it, or it is locked for its accesses: what one rewrites and the other reads
   * again is handed over.
   */
  readonly isHandedOver: boolean;
  /** It is locked for its accesses: where and when they are made is not free. */
  readonly isLocked: boolean;
  /** How many of the processes that run side by side read it as a whole. */
  readonly wholeReaders: number;
  /** Difference of the bytes that the slowest and the fastest process move, as a share of all; 0 where it is not worth a word. */
  readonly dataImbalance: number;
  /** Difference of their times in nanoseconds, and as a share of all time on the file (0 where it is not worth a word). */
  readonly timeDifference: number;
  readonly timeImbalance: number;
  /** The same share, however short the times are. */
  readonly timeShare: number;
  /** It was written and not read, by at most `small_file_bytes`. */
  readonly isSmallOutput: boolean;
  /** How often it was read as a whole in turns with other files; 0 for files of more than `small_bytes`. */
  readonly turns: number;
  /** It is no larger than `small_bytes`, and read as a whole whenever it is opened and read. */
  readonly isReadWhole: boolean;
  /** By its name a database of SQLite, or what that keeps beside it: a library decides when it writes and synchronises. */
  readonly isOfDatabase: boolean;
}

/** One process that moves nearly all bytes. */
export interface LoneProcess {
  /** `process 4711`, `rank 3 (nid00012)`. */
  readonly name: string;
  /** Processes of the parallel program, this one among them. */
  readonly processes: number;
  /** Share of all bytes. */
  readonly shareOfBytes: number;
  /** Share of the time of its transfers in which the others communicate or synchronise; absent where that is unknown. */
  readonly waiting?: number;
}

/** The whole recording, for conditions on totals. */
export interface RunView extends MetricView {
  /** Longest time that one process spent on metadata, nanoseconds. */
  readonly longestMetadataTime: number;
  /** Sums over the files that several processes use. */
  readonly sharedFiles: MetricView;
  readonly sharedFileAmounts: readonly InsightFile[];
  /** Processes of a parallel program that run side by side. */
  readonly ranks: number;
  /** How its processes are called. */
  readonly noun: ProcessNoun;
  /** Some call went through MPI-IO. */
  readonly usesMpiIo: boolean;
  /** The program calls MPI, as stacks or recorded functions show. */
  readonly callsMpi: boolean;
  /** It is a program of MPI, by whatever the recording shows: advice to use MPI-IO makes sense. */
  readonly isMpi: boolean;
  /** Which transfers of MPI-IO do not block; undefined where that cannot be seen. */
  readonly background: BackgroundTransfers | undefined;
  readonly loneProcess: LoneProcess | undefined;
  readonly durationNs: number;
}

/** A call site (or, where stacks lead nowhere, a file) with its metrics and the part of them that offends. */
export interface GroupView extends MetricView {
  readonly offence: Readonly<Amount>;
  /** Some of the files are written by more than one process. */
  readonly sharedByWriters: boolean;
  /** The files of the offending calls. */
  readonly files: readonly FileSituation[];
  /** How unevenly the processes use files of their own here: (most − least) / most bytes; 0 for one process. */
  imbalance(direction: 'read' | 'write'): number;
  /** Median bytes of what offends; NaN when nothing is moved. */
  readonly medianBytes: number;
  /** Sizes of what offends with their numbers of calls, the smallest first; empty where they are not known one by one. */
  readonly sizes: readonly CallSize[];
}

interface Named {
  readonly code: string;
  readonly name: string;
  readonly title: string;
}

/**
 * A rule that finds one kind of bad I/O at call sites: data and pure functions. A finding is made of every group whose
 * calls offend by `local` (our bounds, which weigh calls by their share of the I/O time), and of the offending groups when
 * Drishti's own condition holds for the run as a whole.
 */
export interface SiteTrigger<Words extends Message = Sentence> extends Named {
  readonly kind: 'site';
  /** What the calls are on: the program's files, or its pipes and sockets. */
  readonly over?: 'pipes';
  /** It compares files, or adds them up: in a recording without stacks all of them are one group. */
  readonly acrossFiles?: true;
  /** What the offending calls do, where `sizes` does not say it: on a line of several calls one of these has the mark. */
  readonly operations?: readonly Operation[];
  /** Its subject says how many files it is about. */
  readonly saysFiles?: true;
  /** What of a cell's calls offends. */
  offending(cell: MetricView, file: FileSituation, thresholds: Thresholds): Amount;
  /** What Drishti counts, where that is more: it stands in where counters say that the trigger holds. */
  readonly byDrishti?: Pick<SiteTrigger<Words>, 'offending' | 'subject'>;
  /** Nothing is looked at unless this holds. */
  when?(run: RunView, thresholds: Thresholds): boolean;
  /** Drishti's condition on the totals of the run, where there is one that makes sense for events. */
  drishti?(run: RunView, thresholds: Thresholds): boolean;
  /** Our condition on a group, on top of the bounds for number and time that all triggers share; default: Drishti's only. */
  local?(group: GroupView, thresholds: Thresholds): boolean;
  /** Groups that the trigger never speaks of, whichever condition holds: its advice would not help there. */
  never?(group: GroupView): boolean;
  /** The sizes that the finding speaks of, and the bound below which they offend. */
  readonly sizes?: 'read' | 'write' | 'flushed';
  readonly sizesBelow?: 'tiny_bytes' | undefined;
  /** Smallest share of the I/O time; the thresholds' `site_share` by default. */
  readonly fewestShare?: 'metadata_share';
  /** Fewest offending calls; the thresholds' `site_events` by default. */
  readonly fewestEvents?: number | 'site_events' | 'metadata_events' | 'small_files' | 'common_readers';
  /** Fixed, where the share of time says nothing about how bad it is. */
  readonly severity?: Severity;
  /** At most this, where nothing that could be changed here saves much. */
  atMost?(group: GroupView): Severity | undefined;
  /** Triggers that say it better: a group that one of them names is left out. */
  readonly unless?: readonly string[];
  /**
   * Triggers that name the cause of what this one sees: both are reported, but a line that one of them names gets no mark
   * of its own for this one.
   */
  readonly explainedBy?: readonly string[];
  /** `4,096 writes of 100 B`: the subject of the messages. Users write plain texts. */
  subject(group: GroupView, run: RunView): Words;
  /** Further numbers beside count, bytes, time and share. */
  evidence?(group: GroupView, run: RunView): Readonly<Record<string, number>>;
  recommend(group: GroupView, thresholds: Thresholds, run: RunView): readonly Recommendation[];
}

/** What the offending calls of a trigger do; undefined where it may be anything. */
export function operationsOf({ operations, sizes }: SiteTrigger<Message>): readonly Operation[] | undefined {
  return operations ?? (sizes === 'read' || sizes === 'write' ? [sizes] : undefined);
}

/** What a trigger on the run as a whole found. */
interface RunFinding {
  readonly severity: Severity;
  readonly message: Sentence;
  readonly evidence: Readonly<Record<string, number>>;
  /** None for a summary, which is no finding. */
  readonly files: readonly InsightFile[];
}

/** A rule on the run as a whole: it names files or nothing, but no lines. */
export interface RunTrigger extends Named {
  readonly kind: 'run';
  examine(run: RunView, thresholds: Thresholds): RunFinding | undefined;
  readonly recommendations: readonly Recommendation[];
}

export type Trigger = SiteTrigger | RunTrigger;
