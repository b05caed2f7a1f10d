import type { PatternPicture } from '../../analysis/layers/patterns/picture.ts';
import type { Severity } from '../../analysis/triggers/insight.ts';
import type { FilePage } from '../../export/analysis/file-page.ts';
import type { JobDocument, JobFile } from '../../export/report/job-document.ts';
import type { RecordPage } from '../../export/analysis/record-page.ts';
import type { SelectionPart } from '../../analysis/selection/selection.ts';
import type { TableQuery } from '../../export/analysis/table-query.ts';
import { isCount, isRecord } from '../../base/guards.ts';
import { isSelectionPart, type SelectionMessage } from '../selection/protocol.ts';

export type { TableQuery } from '../../export/analysis/table-query.ts';
export type { RecordPage } from '../../export/analysis/record-page.ts';

/** Raised when a message changes its meaning: a view that was restored from an older version says so. */
export const REPORT_PROTOCOL = 1;

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
export interface ViewPatch {
  /** Findings that they are for. */
  readonly codes: readonly string[];
  readonly snippet: ViewSnippet;
}

export interface ViewReport {
  /** Name of the recording, for the heading. */
  readonly name: string;
  /** What the log says of the job; its files are asked for page by page. */
  readonly job: Omit<JobDocument, 'files'>;
  readonly files: {
    readonly rows: number;
    readonly leftOut: { readonly rows: number; readonly bytes: number };
  };
  readonly findings: readonly ViewFinding[];
  /** What stands in the place of findings where there are none. */
  readonly nothingFound: string;
  /** All changes of the job together, each once. */
  readonly patches: readonly ViewPatch[];
  /** What could not be read, and what was lost by it. */
  readonly damage: readonly { readonly where: string; readonly what: string; readonly lost: string }[];
  /** What the log does not tell, and how to get it. */
  readonly lacks: readonly { readonly what: string; readonly consequence: string; readonly remedy: string }[];
  readonly notes: readonly string[];
  /** Calls that were recorded one by one (DXT); without them there is no graph. */
  readonly events: number;
}

export type ViewFile = JobFile & {
  /** The costliest source lines that access it. */
  readonly places: readonly ViewPlace[];
};

type ViewFilePage = Omit<FilePage, 'rows'> & { readonly rows: readonly ViewFile[] };

/** Tables that are asked for page by page. */
export type PageRequest =
  | { readonly table: 'files'; readonly query: TableQuery }
  | { readonly table: 'records'; readonly module: string; readonly query: TableQuery };

export type PageAnswer =
  | { readonly table: 'files'; readonly page: ViewFilePage }
  | { readonly table: 'records'; readonly page: RecordPage }
  | { readonly table: 'none'; readonly problem: string };

/** What is selected, and what of the report takes part. */
export interface ReportSelectionMessage extends SelectionMessage {
  /** False when nothing is selected, or nothing of this recording. */
  readonly isMarked: boolean;
  /** Codes of findings. */
  readonly findings: readonly string[];
  readonly files: readonly string[];
  /** More files take part than are listed. */
  readonly filesAreCut: boolean;
  readonly ranks: readonly number[];
}

/** From the extension to the view. */
export type ToReportView =
  | { readonly kind: 'report'; readonly protocol: number; readonly report: ViewReport }
  /** @property share of the work that is done, 0 to 1; null when it cannot be known. */
  | { readonly kind: 'working'; readonly share: number | null }
  /** There is nothing to show, and why; the user may ask again. */
  | { readonly kind: 'failed'; readonly reason: 'cancelled' | 'closed' | 'error'; readonly message: string }
  | { readonly kind: 'page'; readonly request: number; readonly answer: PageAnswer }
  | ReportSelectionMessage
  /** What became of something that the user asked for, for the status line. */
  | { readonly kind: 'said'; readonly message: string };

/** From the view to the extension. */
export type FromReportView =
  | { readonly kind: 'ready'; readonly protocol: number }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'openAgain' }
  /** The report that was sent last is on the screen. */
  | { readonly kind: 'drawn' }
  | { readonly kind: 'page'; readonly request: number; readonly wanted: PageRequest }
  | { readonly kind: 'openPlace'; readonly place: number }
  /** Selects in all views: a finding, a file or a rank. */
  | { readonly kind: 'select'; readonly part: SelectionPart }
  | { readonly kind: 'snippet'; readonly number: number; readonly into: SnippetTarget }
  | { readonly kind: 'export'; readonly format: ReportExport }
  | { readonly kind: 'showGraph' }
  | { readonly kind: 'showLog' };

const SNIPPET_TARGETS = ['clipboard', 'editor', 'newFile'] as const;
export type SnippetTarget = (typeof SNIPPET_TARGETS)[number];
const REPORT_EXPORTS = ['html', 'markdown'] as const;
export type ReportExport = (typeof REPORT_EXPORTS)[number];

/** What the view keeps over a reload of the window. */
export interface ReportViewState {
  readonly tab: string;
  readonly module: string;
  readonly scroll: number;
  readonly files: TableQuery;
  readonly records: TableQuery;
}

export function isReportViewState(value: unknown): value is ReportViewState {
  if (!isRecord(value)) return false;
  const { tab, module, scroll, files, records } = value;
  const isText = typeof tab === 'string' && typeof module === 'string';
  return isText && typeof scroll === 'number' && isQuery(files) && isQuery(records);
}

/** Whether something that came from the view is a message: webview content is not trusted blindly. */
export function isFromReportView(value: unknown): value is FromReportView {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'ready':
      return typeof value['protocol'] === 'number';
    case 'cancel':
    case 'openAgain':
    case 'drawn':
    case 'showGraph':
    case 'showLog':
      return true;
    case 'page':
      return isCount(value['request']) && isPageRequest(value['wanted']);
    case 'select':
      return isSelectionPart(value['part']);
    case 'openPlace':
      return isCount(value['place']);
    case 'snippet':
      return isCount(value['number']) && (SNIPPET_TARGETS as readonly unknown[]).includes(value['into']);
    case 'export':
      return (REPORT_EXPORTS as readonly unknown[]).includes(value['format']);
    default:
      return false;
  }
}

function isPageRequest(value: unknown): value is PageRequest {
  if (!isRecord(value) || !isQuery(value['query'])) return false;
  return value['table'] === 'files' || (value['table'] === 'records' && typeof value['module'] === 'string');
}

/** A filter longer than this is no filter. */
const LONGEST_FILTER = 1_000;

function isQuery(value: unknown): value is TableQuery {
  if (!isRecord(value)) return false;
  const { sort, descending, filter, from, count } = value;
  return (
    typeof sort === 'string' &&
    typeof descending === 'boolean' &&
    typeof filter === 'string' &&
    filter.length <= LONGEST_FILTER &&
    isCount(from) &&
    isCount(count)
  );
}
