import type { Completion } from '../../fleet/query/complete.ts';
import type { Answer, JobDetail, JobPage, JobRows, StoreSummary } from '../../fleet/query/fleet-answers.ts';
import type { CausesRequest, JobCauses } from '../../fleet/query/job-causes.ts';
import type { JobFilter } from '../../fleet/query/job-filter.ts';
import type { QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
import type { Question } from '../../fleet/query/questions/question.ts';
import { isCount, isNumber, isRecord, isText } from '../../base/guards.ts';

export type { Completion } from '../../fleet/query/complete.ts';
export type { Answer, JobDetail, JobRows, StoreSummary } from '../../fleet/query/fleet-answers.ts';
export type { VerdictKind } from '../../fleet/causes/causes.ts';
export type { CausesRequest, JobCauses } from '../../fleet/query/job-causes.ts';
export type { JobFilter } from '../../fleet/query/job-filter.ts';
export type { QueryColumn, QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
export type { AnswerChart, Question, QuestionParameter } from '../../fleet/query/questions/question.ts';

/** Raised when a message changes its meaning: a view that was restored from an older version says so. */
export const FLEET_PROTOCOL = 1;

/** Rows of the jobs table that are asked for at once. */
export const MOST_PAGE_ROWS = 1_000;
/** Jobs that causes are looked for in at once: as many lines as a plot can show. */
export const MOST_CAUSE_JOBS = 20_000;

/** What the view asks the store, through the extension; an answer bears the question's number. */
export type FleetQuestion =
  | { readonly ask: 'questions' }
  | {
      readonly ask: 'answer';
      readonly question: string;
      readonly parameters: readonly QueryValue[];
      readonly filter: JobFilter;
    }
  | { readonly ask: 'jobs'; readonly page: JobPage }
  | { readonly ask: 'job'; readonly log: string }
  | { readonly ask: 'causes'; readonly request: CausesRequest }
  | { readonly ask: 'query'; readonly sql: string }
  | { readonly ask: 'complete'; readonly sql: string; readonly position: number };

/** What each question is answered with. */
export interface FleetAnswers {
  readonly questions: readonly Question[];
  readonly answer: Answer;
  readonly jobs: JobRows;
  readonly job: JobDetail;
  readonly causes: readonly JobCauses[];
  readonly query: QueryResult;
  readonly complete: readonly Completion[];
}

/** From the extension to the view. */
export type ToFleetView =
  /** Which store is opened. */
  | { readonly kind: 'opening'; readonly folder: string }
  /** The store is there, or was read again: everything is to be asked for anew. */
  | { readonly kind: 'store'; readonly protocol: number; readonly summary: StoreSummary }
  /** There is nothing to show, and why; `canInstall`: the SQL engine is missing and can be got. */
  | { readonly kind: 'failed'; readonly message: string; readonly canInstall: boolean }
  | { readonly kind: 'answer'; readonly request: number; readonly value: FleetAnswers[keyof FleetAnswers] }
  | { readonly kind: 'problem'; readonly request: number; readonly message: string }
  /** What became of something that the user asked for, for the status line. */
  | { readonly kind: 'said'; readonly message: string };

/** Where a row stands that leads to a source line: the view never names a file. */
export type LineOrigin =
  | { readonly of: 'insight' | 'site'; readonly log: string; readonly row: number }
  /** A row of the answer to the question with this number. */
  | { readonly of: 'answer'; readonly request: number; readonly row: number };

/** From the view to the extension. */
export type FromFleetView =
  | { readonly kind: 'ready'; readonly protocol: number }
  /** After a failure. */
  | { readonly kind: 'openAgain' }
  | { readonly kind: 'installEngine' }
  /** To read the manifests again. */
  | { readonly kind: 'refresh' }
  /** To take a folder with recordings into the store. */
  | { readonly kind: 'ingest' }
  | { readonly kind: 'question'; readonly request: number; readonly question: FleetQuestion }
  /** A tab is on the screen with what it shows. */
  | { readonly kind: 'drawn'; readonly tab: string; readonly rows: number }
  | { readonly kind: 'openRecording'; readonly log: string }
  | { readonly kind: 'showCauses'; readonly log: string }
  | { readonly kind: 'openLine'; readonly origin: LineOrigin }
  /** The result of the SQL, whole, to a file. */
  | { readonly kind: 'exportCsv'; readonly sql: string };

/** What the view keeps over a reload of the window, and over being hidden. */
export interface FleetViewState {
  /** The store that is opened again; '' before any was. */
  readonly folder: string;
  readonly tab: string;
  readonly filter: JobFilter;
  readonly orderBy: string;
  readonly descending: boolean;
  /** Columns of the jobs table. */
  readonly columns: readonly string[];
  readonly sql: string;
  /** SQL that was run, the latest first. */
  readonly history: readonly string[];
  /** Key of the job that is shown; '' for none. */
  readonly job: string;
}

/** An SQL text is not longer. */
export const MOST_SQL = 100_000;
const MOST_LIST = 200;
const MOST_PARAMETERS = 32;

/** Whether something that came from the view is a message: webview content is not trusted blindly. */
export function isFromFleetView(value: unknown): value is FromFleetView {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'ready':
      return isNumber(value['protocol']);
    case 'openAgain':
    case 'installEngine':
    case 'refresh':
    case 'ingest':
      return true;
    case 'question':
      return isCount(value['request']) && isQuestion(value['question']);
    case 'drawn':
      return isText(value['tab']) && isCount(value['rows']);
    case 'openRecording':
    case 'showCauses':
      return isText(value['log']);
    case 'openLine':
      return isOrigin(value['origin']);
    case 'exportCsv':
      return isSql(value['sql']);
    default:
      return false;
  }
}

export function isFleetViewState(value: unknown): value is FleetViewState {
  if (!isRecord(value)) return false;
  return (
    ['folder', 'tab', 'orderBy', 'job'].every((name) => isText(value[name])) &&
    typeof value['descending'] === 'boolean' &&
    isFilter(value['filter']) &&
    isListOf(value['columns'], isText) &&
    isSql(value['sql']) &&
    isListOf(value['history'], isSql)
  );
}

function isQuestion(value: unknown): value is FleetQuestion {
  if (!isRecord(value)) return false;
  switch (value['ask']) {
    case 'questions':
      return true;
    case 'answer':
      return isText(value['question']) && areParameters(value['parameters']) && isFilter(value['filter']);
    case 'jobs':
      return isPage(value['page']);
    case 'job':
      return isText(value['log']);
    case 'causes':
      return isCausesRequest(value['request']);
    case 'query':
      return isSql(value['sql']);
    case 'complete':
      return isSql(value['sql']) && isCount(value['position']);
    default:
      return false;
  }
}

function isPage(value: unknown): value is JobPage {
  return (
    isRecord(value) &&
    isFilter(value['filter']) &&
    isText(value['orderBy']) &&
    typeof value['descending'] === 'boolean' &&
    isCount(value['first']) &&
    isCount(value['count']) &&
    value['count'] <= MOST_PAGE_ROWS &&
    (value['columns'] === undefined || isListOf(value['columns'], isText))
  );
}

function isCausesRequest(value: unknown): value is CausesRequest {
  return (
    isRecord(value) &&
    isFilter(value['filter']) &&
    (value['direction'] === 'read' || value['direction'] === 'write') &&
    isNumber(value['leastBandwidth']) &&
    isNumber(value['mostBandwidth']) &&
    isCount(value['mostJobs']) &&
    value['mostJobs'] <= MOST_CAUSE_JOBS
  );
}

const FILTER_TEXTS: readonly (keyof JobFilter)[] = ['text', 'application', 'user', 'insight'];
const FILTER_NUMBERS: readonly (keyof JobFilter)[] = ['from', 'to', 'leastProcesses', 'leastBytes', 'mostBandwidth'];

/** Nothing but known conditions: another one would be ignored without a word. */
function isFilter(value: unknown): value is JobFilter {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(([name, condition]) =>
    FILTER_TEXTS.includes(name as keyof JobFilter)
      ? isText(condition)
      : FILTER_NUMBERS.includes(name as keyof JobFilter) && isNumber(condition),
  );
}

function areParameters(value: unknown): value is readonly QueryValue[] {
  return (
    Array.isArray(value) &&
    value.length <= MOST_PARAMETERS &&
    value.every((each) => each === null || typeof each === 'boolean' || isText(each) || isNumber(each))
  );
}

function isOrigin(value: unknown): value is LineOrigin {
  if (!isRecord(value) || !isCount(value['row'])) return false;
  if (value['of'] === 'answer') return isCount(value['request']);
  return (value['of'] === 'insight' || value['of'] === 'site') && isText(value['log']);
}

function isListOf(value: unknown, isRight: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= MOST_LIST && value.every(isRight);
}

function isSql(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_SQL;
}
