import * as v from 'valibot';
import type { HistoryView } from '../../export/fleet/history-view.ts';
import type { Completion } from '../../fleet/query/complete.ts';
import type { Answer, JobDetail, JobRows, StoreSummary } from '../../fleet/query/fleet-answers.ts';
import type { JobCauses } from '../../fleet/query/job-causes.ts';
import type { QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
import type { Question } from '../../fleet/query/questions/question.ts';
import type { PageLine, ViewState } from '../../base/page-line.ts';
import { COUNT, DIRECTION, list, NOTHING, NUMBER, TEXT, text } from '../../base/page-values.ts';

export type { HistoryView, KindView, MeasureView } from '../../export/fleet/history-view.ts';
export type { Completion } from '../../fleet/query/complete.ts';
export type { JobDetail, StoreSummary } from '../../fleet/query/fleet-answers.ts';
export type { VerdictKind } from '../../fleet/causes/causes.ts';
export type { JobCauses } from '../../fleet/query/job-causes.ts';
export type { JobFilter } from '../../fleet/query/job-filter.ts';
export type { QueryColumn, QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
export type { AnswerChart, Question, QuestionParameter } from '../../fleet/query/questions/question.ts';

/** Rows of the jobs table that are asked for at once. */
const MOST_PAGE_ROWS = 1_000;
/** Jobs that causes are looked for in at once: as many lines as a plot can show. */
export const MOST_CAUSE_JOBS = 20_000;
/** Kinds of jobs that are told besides those that changed. */
export const MOST_KINDS = 100;
/** An SQL text is not longer. */
export const MOST_SQL = 100_000;
const MOST_LIST = 200;
const MOST_PARAMETERS = 32;

/** An answer with the number by which the view names its rows. */
export interface NumberedAnswer {
  readonly number: number;
  readonly answer: Answer;
}

interface StoreToPage {
  readonly says: {
    /** Which store is opened. */
    readonly opening: { readonly folder: string };
    /** The store is there, or was read again: everything is to be asked for anew. */
    readonly store: StoreSummary;
    readonly failed: StoreFailure;
    /** What became of something that the user asked for, for the status line. */
    readonly said: string;
  };
  readonly answers: {
    readonly questions: readonly Question[];
    readonly answer: NumberedAnswer;
    readonly jobs: JobRows;
    readonly job: JobDetail;
    readonly causes: readonly JobCauses[];
    readonly kinds: HistoryView;
    readonly query: QueryResult;
    readonly complete: readonly Completion[];
  };
}

/** There is nothing to show, and why; `canInstall`: the SQL engine is missing and can be got. */
export interface StoreFailure {
  readonly message: string;
  readonly canInstall: boolean;
}

/** Nothing but known conditions: another one would be ignored without a word. */
const FILTER = v.strictObject({
  text: v.exactOptional(TEXT),
  application: v.exactOptional(TEXT),
  user: v.exactOptional(TEXT),
  insight: v.exactOptional(TEXT),
  from: v.exactOptional(NUMBER),
  to: v.exactOptional(NUMBER),
  leastProcesses: v.exactOptional(NUMBER),
  leastBytes: v.exactOptional(NUMBER),
  mostBandwidth: v.exactOptional(NUMBER),
});
const PARAMETER: v.GenericSchema<QueryValue> = v.nullable(v.union([v.boolean(), TEXT, NUMBER]));
const TEXTS = list(TEXT, MOST_LIST);
const SQL = text(MOST_SQL);
/** A job by the key of its log. */
const JOB = v.object({ log: TEXT });

/** Where a row stands that leads to a source line: the view never names a file. */
const LINE_ORIGIN = v.variant('of', [
  v.object({ of: v.picklist(['insight', 'site']), log: TEXT, row: COUNT }),
  v.object({ of: v.literal('answer'), answer: COUNT, row: COUNT }),
]);
export type LineOrigin = v.InferOutput<typeof LINE_ORIGIN>;

export const STORE = {
  version: 2,
  state: v.object({
    /** The store that is opened again; '' before any was. */
    folder: TEXT,
    tab: TEXT,
    filter: FILTER,
    orderBy: TEXT,
    descending: v.boolean(),
    /** Columns of the jobs table. */
    columns: TEXTS,
    sql: SQL,
    /** SQL that was run, the latest first. */
    history: list(SQL, MOST_LIST),
    /** Key of the job that is shown; '' for none. */
    job: TEXT,
  }),
};

export const FROM_STORE = {
  asks: {
    questions: NOTHING,
    answer: v.object({
      question: TEXT,
      parameters: list(PARAMETER, MOST_PARAMETERS),
      filter: FILTER,
    }),
    jobs: v.object({
      filter: FILTER,
      orderBy: TEXT,
      descending: v.boolean(),
      first: COUNT,
      count: v.pipe(COUNT, v.maxValue(MOST_PAGE_ROWS)),
      columns: v.exactOptional(TEXTS),
    }),
    job: JOB,
    causes: v.object({
      filter: FILTER,
      direction: DIRECTION,
      leastBandwidth: NUMBER,
      mostBandwidth: NUMBER,
      mostJobs: v.pipe(COUNT, v.maxValue(MOST_CAUSE_JOBS)),
    }),
    /** Kinds of jobs over time; of one job: its kind alone, and where it stands. */
    kinds: v.object({
      filter: FILTER,
      mostKinds: v.pipe(COUNT, v.maxValue(MOST_KINDS)),
      job: v.exactOptional(TEXT),
    }),
    query: v.object({ sql: SQL }),
    complete: v.object({ sql: SQL, position: COUNT }),
  },
  says: {
    /** After a failure. */
    openAgain: NOTHING,
    installEngine: NOTHING,
    /** To read the manifests again. */
    refresh: NOTHING,
    /** To take a folder with recordings into the store. */
    ingest: NOTHING,
    /** A tab is on the screen with what it shows. */
    drawn: v.object({ tab: TEXT, rows: COUNT }),
    openRecording: JOB,
    showCauses: JOB,
    openLine: LINE_ORIGIN,
    /** The result of the SQL, whole, to a file. */
    exportCsv: v.object({ sql: SQL }),
  },
};

export type StoreLine = PageLine<typeof STORE, typeof FROM_STORE, StoreToPage>;
export type StoreViewState = ViewState<StoreLine>;
