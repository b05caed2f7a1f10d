import type { GapDocument } from '../gaps/gaps-document.ts';
import type { DefinitionDocument, HandleDocument } from './definition-document.ts';
import type { RoleTimes } from '../../analysis/layers/shares.ts';
import type { DirectlyFollowsGraph, GraphNode } from '../../analysis/dfg/graph.ts';
import type { Cost, RunCost } from '../../analysis/gain/cost.ts';
import type { Gain } from '../../analysis/gain/gain.ts';
import type { UnmarkedKind } from '../../analysis/gain/unmarked.ts';
import type { Lack } from '../../analysis/lacks/lacks.ts';
import type { PatternPicture } from '../../analysis/layers/patterns/picture.ts';
import type { LeftOutKind } from '../../analysis/metrics/left-out.ts';
import type { Examined } from '../../analysis/triggers/examined.ts';
import type { Recommendation, Severity } from '../../analysis/triggers/insight.ts';
import type { Slot } from '../../analysis/triggers/message.ts';
import type { ModuleReport } from '../../symbols/recorded-module.ts';
import type { SourceReport } from '../../symbols/source-report.ts';
import type { SegmentSums } from '../../trace/counters.ts';
import type { Damage } from '../../trace/damage.ts';
import type { FormatName } from '../../trace/format-traits.ts';
import type { RecordingSource, TraceCapabilities } from '../../trace/trace.ts';
import type { BudgetDocument } from '../comparison/budget-document.ts';
import type { JobDocument } from '../report/job-document.ts';
import type { LayerAmountDocument } from './layer-amounts.ts';

/**
 * The JSON documents that scripts rely on (docs/cli.md). Fields may be added, never renamed. Times are nanoseconds, sizes
 * bytes, shares between 0 and 1.
 */

/** What the records of a module of Darshan add up to. */
export interface CounterTotals {
  readonly records: number;
  /** Plain sums of the stored values; without counters of identifiers where a record has one. */
  readonly totals: Readonly<Record<string, number>>;
  /** The different identifiers in counters of such, in decimal digits: they are no amounts. Absent where there are none. */
  readonly identifiers?: Readonly<Record<string, readonly string[]>>;
  /** Counters whose sums are beyond 2^53, and rounded; absent where there are none. */
  readonly inexact?: readonly string[];
  /** These sums in decimal digits, where each of the values is below 2^53. */
  readonly exact?: Readonly<Record<string, string>>;
}

/** `iolens info --json` */
export interface InfoDocument {
  readonly schema: 'iolens/info@1';
  /** The file or folder, as given. */
  readonly recording: string;
  readonly format: FormatName;
  readonly version: string;
  readonly program: string;
  /** Seconds since 1970; null when the recording does not know. */
  readonly startTime: number | null;
  readonly durationNs: number;
  /** Processes and threads that did something; of a Darshan log its processes. */
  readonly streams: number;
  /** Processes whatever their threads; null when nobody knows. */
  readonly processes: number | null;
  /** Ranks, where each stream's is known; several threads of a rank are one. */
  readonly ranks?: number;
  readonly layers: readonly string[];
  readonly files: number;
  readonly events: number;
  /** Darshan's modules; empty for recordings of events. */
  readonly counters: Readonly<Record<string, CounterTotals>>;
  /** Darshan's DXT segments; empty for other recordings. */
  readonly segments: Readonly<Record<string, Pick<SegmentSums, 'write' | 'read'>>>;
  /** Different call stacks. */
  readonly stacks: number;
  readonly damage: readonly Damage[];
  /** What the recording cannot show, or what was left out of it. */
  readonly notes: readonly string[];
  /** What ended, or stopped being recorded, before its end, in words; absent when nothing did. */
  readonly earlyEnds?: readonly string[];
  readonly capabilities: Readonly<TraceCapabilities>;
  /** Nanoseconds of all processes by what they do; absent where the recording holds no functions. */
  readonly roleTimes?: RoleTimes;
  readonly hosts: readonly string[];
  /** What the recording does not tell, and how to get it. */
  readonly lacks: readonly Lack[];
  /** The recordings that were joined; absent for one of one piece. */
  readonly sources?: readonly RecordingSource[];
  /** Handles by layer, where the recording knows it. */
  readonly handles?: readonly HandleDocument[];
  /** Paradigms, groups of processes, and what is known of files; absent where the recording says nothing of them. */
  readonly definitions?: DefinitionDocument;
}

export interface FrameDocument {
  readonly function: string;
  readonly file: string;
  readonly line: number;
  readonly module: string;
  /** Hexadecimal; '' when the module is not here. */
  readonly address: string;
}

export interface AmountDocument {
  readonly events: number;
  readonly bytes: number;
  readonly timeNs: number;
}

export interface SiteDocument extends AmountDocument {
  /** On this machine where the file is here, else as recorded. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly function: string;
  /** Share of the finding's events. */
  readonly share: number;
  /** Share of the program's I/O time as it was recorded. */
  readonly shareOfTime: number;
  /** What these calls cost without a tracer; absent where the recording holds no times. */
  readonly cost?: Cost;
  readonly streams: number;
  /** `ranks 0-3, 7`: who makes these calls; absent where the recording knows no ranks. */
  readonly ranks?: string;
  /** Several threads of one process make these calls. */
  readonly threaded: boolean;
  /** Median bytes of these calls; 0 when they move none. */
  readonly medianBytes: number;
  /** The files that are accessed here have paths, which lead to no device: no pipe, socket or terminal is among them. */
  readonly plainFiles: boolean;
  /** Where the files that are accessed here are closed; `mayRead`: the source is one of the user's, whose text may be read. */
  readonly closedAt: readonly { readonly file: string; readonly line: number; readonly mayRead: boolean }[];
  /** Where else these files are read, written, moved in or synchronised; file '' where that is unknown. */
  readonly touchedAt: readonly { readonly file: string; readonly line: number }[];
  readonly severity: Severity;
  readonly message: string;
  readonly slots: readonly Slot[];
  /** Code of the finding that names the cause at this place: the line needs no second mark. */
  readonly explainedBy?: string | undefined;
  /** The file is on this machine. */
  readonly isHere: boolean;
  /** Path of the file as recorded. */
  readonly recordedFile: string;
  /** Why the line may not be the recorded one; '' when it is. */
  readonly note: string;
  /** Text of the line; '' when the file is not here, or is none of the user's sources. */
  readonly source: string;
  /** Place of the site's own frame in `stack`. */
  readonly depth: number;
  /** The commonest chain of callers, innermost first, inlined calls expanded. */
  readonly stack: readonly FrameDocument[];
}

export interface InsightDocument {
  /** The recording that it was found in, as `recordings` name it. */
  readonly recording: string;
  readonly code: string;
  readonly trigger: string;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  /** What the recording fills in the message, in the order of the text (docs/triggers.md). */
  readonly slots: readonly Slot[];
  readonly evidence: Readonly<Record<string, number>>;
  /** Thresholds that it was held against, with their values; absent for triggers of the user's and patterns across layers. */
  readonly bounds?: Readonly<Record<string, number>>;
  readonly files: readonly (AmountDocument & { readonly path: string })[];
  readonly sites: readonly SiteDocument[];
  readonly recommendations: readonly Recommendation[];
  /** What the calls cost without a tracer that it is about; absent where the recording holds no times of them. */
  readonly cost?: Cost;
  /** Severity at the lower end of the intervals of cost and gain: what `--fail-on` goes by. */
  readonly surely: Severity;
  /** Codes of the insights whose consequence it is. */
  readonly follows?: readonly string[];
  /** What following the advice would save in a run without a tracer. */
  readonly gain: Gain;
  /** What a pattern across layers looks like, at the costliest place (docs/layer-patterns.md). */
  readonly picture?: PatternPicture;
}

interface LeftOutDocument {
  readonly events: number;
  readonly timeNs: number;
}

/** Calls that cost a tenth of the run's I/O or more (or waited a tenth of the run), and have no finding. */
export interface UnmarkedDocument extends AmountDocument {
  /** The recording that they are of, as `recordings` name it. */
  readonly recording: string;
  readonly kind: UnmarkedKind;
  /** Where they come from, the dearest first; empty where no line is known. `places` counts those beyond. */
  readonly sites: readonly { readonly file: string; readonly line: number; readonly function: string }[];
  readonly files: readonly string[];
  /** All of them, listed or not. */
  readonly places: number;
  readonly cost: Cost;
  /** What they are, and why they have no finding. */
  readonly message: string;
}

/** What a recording's time goes into, and how far its times can be trusted. */
export interface TimingDocument {
  /** The run as it would be without the tracer. */
  readonly run: RunCost;
  /** Nanoseconds of all calls that count. */
  readonly ioTimeNs: number;
  /** Calls that count. */
  readonly ioEvents: number;
  /** What was read from files, by the calls that count, and what the kernel fetched from disks meanwhile; absent where that is not known. */
  readonly fetched?: { readonly bytes: number; readonly pageWaits: number; readonly readBytes: number };
  /**
   * Where most of the rest passes: gaps between calls that are a tenth of the run or more, at most three; absent where I/O is
   * half of the run, or lines are unknown.
   */
  readonly gaps?: readonly GapDocument[];
  /** Calls that no finding counts: all, and those of each kind that there is. */
  readonly leftOut: LeftOutDocument & { readonly kinds: Readonly<Partial<Record<LeftOutKind, LeftOutDocument>>> };
  /** Nanoseconds that the tracer adds to each call; null when unknown. */
  readonly tracerPerCallNs: number | null;
  /** Share of `ioTimeNs` that is the tracer's; null when unknown. */
  readonly tracerShare: number | null;
  /** How many of the machine's processors were busy with other programs while it was recorded; absent where nobody measured it. */
  readonly load?: { readonly processors: number; readonly busyWithOthers: number };
  /** The costs of calls without a tracer were measured on the machine of the recording (docs/gain.md). */
  readonly calibrated: boolean;
  /** Why the calibration beside the recording is not used; '' when it is, or there is none. */
  readonly calibrationNote: string;
}

/** `iolens analyze --format json` */
export interface AnalysisDocument {
  readonly schema: 'iolens/analysis@1';
  /** Of the first recording; `timing` has those of all. */
  readonly run: RunCost | null;
  /** `job` stands in the JSON of `iolens analyze` only: it is large. */
  readonly recordings: readonly (InfoDocument & { readonly job?: JobDocument })[];
  readonly insights: readonly InsightDocument[];
  readonly timing: readonly TimingDocument[];
  /** What costs much and has no finding, dearest first in each recording. */
  readonly unmarked: readonly UnmarkedDocument[];
  /** What the triggers had to look at in each of the recordings. */
  readonly examined: readonly Examined[];
  readonly symbols: {
    readonly tool: string;
    readonly modules: readonly ModuleReport[];
    readonly sources: readonly SourceReport[];
  };
  /** What is to be kept in mind when reading findings: what could not be evaluated, binaries and sources that are others. */
  readonly notes: readonly string[];
  /** Which of the user's own triggers could not be read, or failed, with file and reason; `notes` has them too. */
  readonly triggerProblems: readonly string[];
  /** What the budget says; in the output of `iolens analyze --budget` only. */
  readonly budget?: BudgetDocument;
}

/** `iolens sites --json`; by cost. */
export interface SitesDocument {
  readonly schema: 'iolens/sites@1';
  readonly by: 'line' | 'function' | 'stack';
  /** Of the whole run. */
  readonly run: Omit<RunCost, 'savableNs' | 'savableShare'>;
  /** Calls that no site counts. */
  readonly leftOut: LeftOutDocument;
  readonly sites: readonly (AmountDocument & {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly function: string;
    readonly module: string;
    /** Share of the recorded I/O time. */
    readonly share: number;
    /** What these calls cost without a tracer; absent where the recording holds no times. */
    readonly cost?: Cost;
    /** The file is on this machine. */
    readonly isHere: boolean;
    /** Processes and threads that make these calls. */
    readonly streams: number;
    /** `ranks 0-3, 7`; absent where the recording knows no ranks. */
    readonly ranks?: string;
    /** Reads and writes in each of Darshan's ten size bins (0_100, 100_1K, …, 1G_PLUS). */
    readonly sizes: { readonly read: readonly number[]; readonly written: readonly number[] };
    readonly calls: Readonly<Record<string, number>>;
    /** What its calls amount to in each layer, the highest first; absent where the recording shows one layer. */
    readonly layers?: readonly LayerAmountDocument[];
    readonly stack: readonly FrameDocument[];
  })[];
  /** Of no site above; absent where each call was recorded. */
  readonly tallied?: TalliedDocument;
}

/** Calls that were counted, and not recorded one by one, once processes had recorded as many events as they might. */
export interface TalliedDocument {
  readonly processes: number;
  /** Longest times, in nanoseconds, for which a process's calls were recorded one by one, and counted after that. */
  readonly recordedNs: number;
  readonly countedNs: number;
  /** By time. */
  readonly calls: readonly {
    readonly file: string;
    readonly line: number;
    readonly function: string;
    /** The file is on this machine. */
    readonly isHere: boolean;
    /** As recorded (`pwrite`), and the layer that it belongs to. */
    readonly call: string;
    readonly layer: string;
    readonly calls: number;
    readonly failed: number;
    /** Moved by those that did not fail. */
    readonly bytes: number;
    readonly timeNs: number;
    readonly longestNs: number;
    /** Between which bounds the median lies: powers of two. */
    readonly medianNs: readonly [from: number, to: number];
    /** The same of the bytes that a call moves; absent where the function moves none. */
    readonly medianBytes?: readonly [from: number, to: number];
  }[];
}

/** A place in the source whose calls make up an activity. */
export interface NodeSite {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly events: number;
  /** As it was recorded. */
  readonly timeNs: number;
  /** What these calls cost of the run without the tracer; absent where no tracer was. */
  readonly cost?: Cost;
}

/** `iolens dfg --format json` */
export interface GraphDocument extends Omit<DirectlyFollowsGraph, 'nodes'> {
  readonly schema: 'iolens/dfg@1';
  readonly nodes: readonly (GraphNode & { readonly sites: readonly NodeSite[] })[];
  readonly activityLog: readonly ActivityTrace[];
  /** Layers of the recording, the highest first: those that can be chosen. */
  readonly layers: readonly string[];
}

/** A trace of the activity log, run-length encoded, with how many cases share it. */
interface ActivityTrace {
  readonly multiplicity: number;
  readonly cases: readonly string[];
  readonly events: number;
  readonly trace: readonly (readonly [activity: string, times: number])[];
  /** The trace is longer than what is listed. */
  readonly cut: boolean;
}
