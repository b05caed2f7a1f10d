import type { Operation } from '../../trace/calls.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import type { PatternPicture } from '../layers/patterns/picture.ts';
import type { Message, Slot } from './message.ts';

/** How much a finding matters; Drishti's levels. */
export type Severity = 'high' | 'warn' | 'info' | 'ok';

/** @param share of the program's I/O time. */
export function severityOfShare(share: number): Severity {
  if (share >= 0.25) return 'high';
  return share >= 0.1 ? 'warn' : 'info';
}

/** Code that shows how to do better, with the numbers of the recording in it. */
export interface Snippet {
  /** Shell: lines for a job script, never an edit of a source. */
  readonly language: 'c' | 'cpp' | 'fortran' | 'python' | 'shell';
  readonly title: string;
  readonly code: string;
}

/** Who can follow an advice: the developer, by a change of the code; or the user, by a change of the job that runs it. */
export type Audience = 'code' | 'job';

export interface Recommendation {
  readonly text: string;
  /** What the numbers in the text are. */
  readonly slots?: readonly Slot[];
  readonly audience: Audience;
  readonly snippet?: Snippet;
  /** The same in other languages. */
  readonly alternatives?: readonly Snippet[];
}

/** Events, bytes and time of the calls that a finding is about. Times in nanoseconds. */
export interface Amount {
  events: number;
  bytes: number;
  timeNs: number;
}

export interface InsightFile extends Amount {
  /** Index into `Trace.files`. */
  readonly file: FileIndex;
}

/** A call site of a finding, over all events of the recording. */
export interface InsightSite extends Amount {
  /** Index into `CallSites.sites`. */
  readonly site: SiteIndex;
  /** Share of the finding's events, 0 to 1. */
  readonly share: number;
  /** Share of the time that the program spends in I/O calls on its own files, 0 to 1. */
  readonly shareOfTime: number;
  /** Processes and threads that make these calls. */
  readonly streams: number;
  /** Median bytes of these calls; NaN when they move none. */
  readonly medianBytes: number;
  /** Cells of the metrics that the site consists of. */
  readonly cells: readonly number[];
  /** The finding at this place in one sentence. */
  readonly message: Message;
  readonly severity: Severity;
  /** Code of the finding that names the cause at this place: the line needs no second mark. */
  readonly explainedBy?: string;
  /** As in the insight. */
  readonly timeOfStreams?: TimeOfStreams;
}

/**
 * Nanoseconds that each process or thread spends in calls of a library: which of them the run waits for is not told by the
 * requests below, which other processes may make.
 */
export type TimeOfStreams = ReadonlyMap<StreamIndex, number>;

export interface Insight {
  /** What its calls do: which one of several on a line it is about. Absent where it may be any. */
  readonly operations?: readonly Operation[];
  /** Drishti's code where the trigger is Drishti's, else ours (docs/triggers.md). */
  readonly code: string;
  /** The trigger's name, such as `posix-small-writes`. */
  readonly trigger: string;
  readonly severity: Severity;
  /** It is no graver than that, whatever it costs. */
  readonly isAtMost?: true;
  /** Its calls take too little to be worth a word, unless following its advice is known to save enough for a warning. */
  readonly isCandidate?: true;
  /** Triggers that name the cause of this one where they speak at the same place. */
  readonly mayFollow?: readonly string[];
  readonly title: string;
  readonly message: Message;
  /** Numbers only. */
  readonly evidence: Readonly<Record<string, number>>;
  /** Thresholds that it was held against, with their values; absent where nobody noted them. */
  readonly bounds?: Readonly<Record<string, number>>;
  /** By time, then events. */
  readonly files: readonly InsightFile[];
  /** By time, then events. */
  readonly sites: readonly InsightSite[];
  readonly recommendations: readonly Recommendation[];
  /** Absent where what its calls cost is known by their requests. */
  readonly timeOfStreams?: TimeOfStreams;
  /** It is about what a library does itself: no request shows its time. */
  readonly isOwnWork?: true;
  /** What patterns across layers look like, at the costliest place. */
  readonly picture?: PatternPicture;
}

/** Most of its calls are reads that MPI-IO makes before it writes, as counters tell: no line of the program makes them. */
export function isMadeByLibrary({ evidence }: Pick<Insight, 'evidence'>): boolean {
  return 2 * (evidence['readsForWrites'] ?? 0) > (evidence['count'] ?? 0);
}

/** A summary says what kind of I/O the run does, and names neither lines nor files: it is no finding. */
export function isSummary({ sites, files }: Pick<Insight, 'sites' | 'files'>): boolean {
  return sites.length === 0 && files.length === 0;
}

/** The places that a finding counts: those of which no other names the cause, unless nothing else is left. */
export function ownSites<Site extends Pick<InsightSite, 'explainedBy'>>(sites: readonly Site[]): readonly Site[] {
  const own = sites.filter(({ explainedBy }) => explainedBy === undefined);
  return own.length > 0 ? own : sites;
}
