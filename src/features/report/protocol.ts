import * as v from 'valibot';
import type { CallTree } from '../../analysis/call-tree/call-tree.ts';
import type { PatternPicture } from '../../analysis/layers/patterns/picture.ts';
import type { Severity } from '../../analysis/triggers/insight.ts';
import type { FilePage } from '../../export/analysis/file-page.ts';
import type { JobDocument, JobFile } from '../../export/report/job-document.ts';
import type { RecordPage } from '../../export/analysis/record-page.ts';
import type { PageLine, ViewState } from '../../base/page-line.ts';
import { COUNT, NOTHING, NUMBER, text } from '../../base/page-values.ts';
import { SELECTION_PART, type SelectionWords } from '../selection/protocol.ts';

export type { CallMeasure, CallTree } from '../../analysis/call-tree/call-tree.ts';
export type { TableQuery } from '../../export/analysis/table-query.ts';
export type { RecordPage } from '../../export/analysis/record-page.ts';

/** A line of a source file. */
export interface ViewPlace {
  /** What the user sees: `badio.c:42`. */
  readonly label: string;
  /** Number by which the view asks for it: the view never names a file. */
  readonly place: number;
}

export interface ViewSite {
  readonly place: ViewPlace;
  readonly function: string;
  /** `ranks 0-3, 7`; '' where the recording knows no ranks. */
  readonly ranks: string;
  readonly message: string;
  /** Text of the line; '' when the file is not here, or is none of the user's sources. */
  readonly source: string;
  /** Why the line may not be the recorded one, or why it cannot be opened; '' when neither is so. */
  readonly note: string;
  /** The source file is on this machine. */
  readonly isHere: boolean;
}

export interface ViewAdvice {
  /** Who can follow it: whoever writes the program, or whoever starts the job. */
  readonly audience: 'code' | 'job';
  readonly text: string;
  /** The same in one or more languages. */
  readonly snippets: readonly ViewSnippet[];
}

export interface ViewSnippet {
  readonly title: string;
  /** As people name it: `C`, `Fortran`, `shell`. */
  readonly language: string;
  readonly code: string;
  /** Number by which the view asks to have it copied or inserted. */
  readonly number: number;
}

export interface ViewFinding {
  readonly code: string;
  readonly trigger: string;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  /** Says what kind of I/O the run does, and names neither lines nor files. */
  readonly isSummary: boolean;
  /** What following the advice would save; '' where nobody can know. */
  readonly gain: string;
  readonly evidence: readonly (readonly [name: string, value: number])[];
  readonly files: readonly { readonly path: string; readonly amount: string }[];
  readonly sites: readonly ViewSite[];
  /** Files and places that are not listed. */
  readonly filesLeftOut: number;
  readonly sitesLeftOut: number;
  readonly advice: readonly ViewAdvice[];
  /** What a pattern across layers looks like. */
  readonly picture?: PatternPicture;
}

/** Lines for the script that starts the job. */
interface ViewPatch {
  /** Findings that they are for. */
  readonly codes: readonly string[];
  readonly snippet: ViewSnippet;
}

/** What a report has of any recording. */
interface ViewFindings {
  /** Name of the recording, for the heading. */
  readonly name: string;
  /** Files or folders that it was opened from: a panel that survives a reload of the window opens them again. */
  readonly paths: readonly string[];
  /** What the run goes into, in the sentences that stand at the head of every report. */
  readonly head: readonly string[];
  readonly findings: readonly ViewFinding[];
  /** What stands in the place of findings where there are none. */
  readonly nothingFound: string;
  /** What costs much and has no finding, a line each. */
  readonly unmarked: readonly string[];
  /** All changes of the job together, each once. */
  readonly patches: readonly ViewPatch[];
  /** What could not be read, and what was lost by it. */
  readonly damage: readonly { readonly where: string; readonly what: string; readonly lost: string }[];
  /** What the recording does not tell, and how to get it. */
  readonly lacks: readonly { readonly what: string; readonly consequence: string; readonly remedy: string }[];
  readonly notes: readonly string[];
  /** Calls that were recorded one by one (in a Darshan log by DXT); without them there is no graph. */
  readonly events: number;
}

/** The report of a Darshan log. */
export interface ViewReport extends ViewFindings {
  /** What the log says of the job; its files are asked for page by page. */
  readonly job: Omit<JobDocument, 'files'>;
  readonly files: {
    readonly rows: number;
    readonly leftOut: { readonly rows: number; readonly bytes: number };
  };
}

/** The report of any other recording. */
export interface ViewSummary extends ViewFindings {
  readonly run: ViewRun;
}

export interface ViewRun {
  /** The numbers that are seen at a glance. */
  readonly headlines: readonly (readonly [label: string, value: string, note: string])[];
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** Seconds since 1970; null when it is not known. */
  readonly startTime: number | null;
  /** A tracer's part is in the recorded times: they stand beside what the calls cost. */
  readonly isTraced: boolean;
  /** Source lines by what they cost, the dearest first. */
  readonly lines: readonly ViewLine[];
  readonly linesLeftOut: number;
  /** The same of files. */
  readonly files: readonly ViewUsedFile[];
  readonly filesLeftOut: number;
}

/** Numbers as they are read. */
interface ViewAmount {
  readonly calls: string;
  readonly cost: string;
  /** As it was recorded; '' where no tracer was. */
  readonly recorded: string;
  /** Of the run; '' where it is not known. */
  readonly share: string;
}

export interface ViewLine extends ViewAmount {
  /** Without a number where the source is not here, or the calls lead to no line. */
  readonly place: { readonly label: string; readonly place?: number };
  readonly function: string;
  /** `write 4,096, open 1` */
  readonly what: string;
  readonly bytes: string;
}

export interface ViewUsedFile extends ViewAmount {
  readonly path: string;
  readonly read: string;
  readonly written: string;
  /** The costliest source lines that access it. */
  readonly places: readonly ViewPlace[];
}

export type ViewFile = JobFile & {
  /** The costliest source lines that access it. */
  readonly places: readonly ViewPlace[];
};

export type ViewFilePage = Omit<FilePage, 'rows'> & { readonly rows: readonly ViewFile[] };

/** What is selected, and what of the report takes part. */
export interface ReportMarks extends SelectionWords {
  /** False when nothing is selected, or nothing of this recording. */
  readonly isMarked: boolean;
  /** Codes of findings. */
  readonly findings: readonly string[];
  readonly files: readonly string[];
  /** More files take part than are listed. */
  readonly filesAreCut: boolean;
  readonly ranks: readonly number[];
}

interface ReportToPage {
  readonly says: {
    readonly report: ViewReport | ViewSummary;
    /** @property share of the work that is done, 0 to 1; null when it cannot be known. */
    readonly working: { readonly share: number | null };
    /** There is nothing to show, and why; the user may ask again. */
    readonly failed: string;
    readonly selection: ReportMarks;
    /** What became of something that the user asked for, for the status line. */
    readonly said: string;
  };
  readonly answers: {
    readonly files: ViewFilePage;
    readonly records: RecordPage;
    readonly callTree: CallTree;
  };
}

const QUERY = v.object({ sort: v.string(), descending: v.boolean(), filter: text(1_000), from: COUNT, count: COUNT });
const SNIPPET_TARGET = v.picklist(['clipboard', 'editor', 'newFile']);
export type SnippetTarget = v.InferOutput<typeof SNIPPET_TARGET>;
const REPORT_EXPORT = v.picklist(['html', 'markdown']);
export type ReportExport = v.InferOutput<typeof REPORT_EXPORT>;

/** How call stacks are looked at. */
export const CALL_VIEWS = ['flame', 'down', 'inverted', 'function'] as const;

export const FIRST_STACKS = { view: 'flame', measure: 'timeNs' } as const;

export const REPORT = {
  version: 4,
  state: v.object({
    paths: v.array(v.string()),
    tab: v.string(),
    module: v.string(),
    scroll: NUMBER,
    files: QUERY,
    records: QUERY,
    // A state that was kept before there were call stacks is one all the same.
    stacks: v.optional(
      v.object({ view: v.picklist(CALL_VIEWS), measure: v.picklist(['timeNs', 'bytes', 'calls']) }),
      FIRST_STACKS,
    ),
  }),
};

export const FROM_REPORT = {
  /** Tables are asked for page by page. */
  asks: {
    files: QUERY,
    records: v.object({ module: v.string(), query: QUERY }),
    callTree: v.object({ onlySelected: v.boolean() }),
  },
  says: {
    cancel: NOTHING,
    openAgain: NOTHING,
    /** The report that was sent last is on the screen. */
    drawn: NOTHING,
    openPlace: v.object({ place: COUNT }),
    /** A line of a function, by the function's place in the call tree that was answered last. */
    openFrame: v.object({ place: COUNT, line: COUNT }),
    /** Selects in all views: a finding, a file, a rank, a function or a call. */
    select: SELECTION_PART,
    snippet: v.object({ number: COUNT, into: SNIPPET_TARGET }),
    export: v.object({ format: REPORT_EXPORT }),
    showGraph: NOTHING,
    showLog: NOTHING,
  },
};

export type ReportLine = PageLine<typeof REPORT, typeof FROM_REPORT, ReportToPage>;
export type ReportViewState = ViewState<ReportLine>;
