import type { Metric } from '../metrics/metric-table.ts';
import type { Amount, Recommendation } from './insight.ts';
import type { Thresholds } from './thresholds.ts';

/** The metrics of something: a cell, a site, a file, the run. */
export interface MetricView {
  get(metric: Metric): number;
}

/** What a trigger may know of the file that a cell belongs to. */
export interface FileSituation {
  /** More than one process writes it. */
  readonly sharedByWriters: boolean;
  /** More than one process reads or writes it. */
  readonly shared: boolean;
}

/** The whole recording, for conditions on totals. */
export interface RunView extends MetricView {
  /** Longest time that one process spent on metadata, nanoseconds. */
  readonly longestMetadataTime: number;
  /** Sums over the files that several processes use. */
  readonly sharedFiles: MetricView;
}

/** A call site (or, where stacks lead nowhere, a file) with its metrics and the part of them that offends. */
export interface GroupView extends MetricView {
  readonly offence: Readonly<Amount>;
  /** Some of the files are written by more than one process. */
  readonly sharedByWriters: boolean;
  /** Median bytes of what offends; NaN when nothing is moved. */
  readonly medianBytes: number;
}

/**
 * A rule that finds one kind of bad I/O: data and pure functions. A finding is made of every group whose calls offend by
 * `local` (our bounds, which weigh calls by their share of the I/O time), and of the offending groups when Drishti's own
 * condition holds for the run as a whole.
 */
export interface Trigger {
  readonly code: string;
  readonly name: string;
  readonly title: string;
  /** What of a cell's calls offends. `drishti` tells whether Drishti's condition holds for the run. */
  offending(cell: MetricView, file: FileSituation, drishti: boolean): Amount;
  /** Drishti's condition on the totals of the run, where there is one that makes sense for events. */
  drishti?(run: RunView, thresholds: Thresholds): boolean;
  /** Our condition on a group, on top of the bounds for number and time that all triggers share. */
  local(group: GroupView, thresholds: Thresholds): boolean;
  /** The sizes that the finding speaks of, and the bound below which they offend. */
  readonly sizes?: 'read' | 'write';
  readonly sizesBelow?: 'tiny_bytes';
  /** Smallest share of the I/O time; the thresholds' `site_share` by default. */
  readonly fewestShare?: 'metadata_share';
  /** Fewest offending calls; the thresholds' `site_events` by default. */
  readonly fewestEvents?: number;
  /** Triggers that say it better: a group that one of them names is left out. */
  readonly unless?: readonly string[];
  /** `4,096 writes of 100 B`: the subject of the messages. */
  subject(group: GroupView): string;
  recommend(group: GroupView, thresholds: Thresholds): readonly Recommendation[];
}
