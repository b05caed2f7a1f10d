import type { Causes, Direction } from '../causes/causes.ts';
import type { TableName } from '../schema/tables.ts';
import type { QueryResult, QueryValue } from './query-engine.ts';

/** What a store holds. */
export interface StoreSummary {
  /** To be named in the other questions. */
  readonly id: number;
  readonly folder: string;
  readonly tables: readonly {
    readonly table: TableName;
    readonly rows: number;
    readonly bytes: number;
    readonly columns: readonly { readonly name: string; readonly type: string; readonly about: string }[];
  }[];
  /** Logs by what became of them. */
  readonly logs: {
    readonly stored: number;
    readonly damaged: number;
    readonly unreadable: number;
    readonly known: number;
  };
  /** `2018-01`, ascending. */
  readonly months: readonly string[];
}

/** How an answer is best drawn. */
export type AnswerChart =
  | { readonly kind: 'table' }
  /** A bar for each row. */
  | { readonly kind: 'bars'; readonly label: string; readonly values: readonly string[] }
  /** Cumulative distribution, histogram, or a series over time: x and one line for each y. */
  | { readonly kind: 'lines'; readonly x: string; readonly y: readonly string[] }
  /** A bar for each row, made of parts that are stacked. */
  | { readonly kind: 'stacked'; readonly label: string; readonly values: readonly string[] };

/** A parameter of a ready-made question. */
export interface QuestionParameter {
  readonly name: string;
  readonly about: string;
  readonly kind: 'integer' | 'number' | 'text' | 'instant';
  readonly initial: QueryValue;
}

/** A ready-made question (IOMiner, section III). */
export interface Question {
  readonly id: string;
  readonly title: string;
  /** What is asked, with the definition and where it comes from. */
  readonly about: string;
  readonly parameters: readonly QuestionParameter[];
  /** With `$1`, … for the parameters in their order: shown to the user, who may go on from there. */
  readonly sql: string;
  readonly chart: AnswerChart;
  /** Column whose value leads on: to a job by `log`, to a source line. */
  readonly leadsTo?: 'job' | 'line' | 'application';
}

export interface Answer {
  readonly question: Question;
  readonly result: QueryResult;
}

/** Conditions on jobs; all hold. */
export interface JobFilter {
  /** In application, path, job id or user. */
  readonly text?: string;
  readonly application?: string;
  readonly user?: string;
  /** Seconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  readonly leastProcesses?: number;
  readonly leastBytes?: number;
  /** Bytes a second in either direction. */
  readonly mostBandwidth?: number;
  /** Only jobs with a finding of this code. */
  readonly insight?: string;
}

/** A stretch of the jobs table; a million rows are never handed out at once. */
export interface JobPage {
  readonly filter: JobFilter;
  /** Name of a column of the answer. */
  readonly orderBy: string;
  readonly descending: boolean;
  readonly first: number;
  readonly count: number;
}

export interface JobRows {
  /** That the filter leaves. */
  readonly total: number;
  readonly result: QueryResult;
}

/** One job with everything that the store knows. */
export interface JobDetail {
  readonly job: Readonly<Record<string, QueryValue>>;
  readonly files: QueryResult;
  readonly insights: QueryResult;
  readonly sites: QueryResult;
  readonly schedulerJobs: QueryResult;
  /** The recording, if it still lies where it was taken in. */
  readonly recording: string | null;
}

/** Which jobs causes are looked for in (`extract_perf_factors` of IOMiner). */
export interface CausesRequest {
  readonly filter: JobFilter;
  readonly direction: Direction;
  /** Bytes a second over the active time. */
  readonly leastBandwidth: number;
  readonly mostBandwidth: number;
  readonly mostJobs: number;
}

/** A job and its causes: a line of the parallel-coordinates plot (figures 11 and 12). */
export interface JobCauses {
  readonly log: string;
  readonly jobId: string | null;
  readonly application: string | null;
  readonly path: string | null;
  readonly processes: number | null;
  readonly nodes: number | null;
  /** Without stretches. */
  readonly causes: Omit<Causes, 'stretches'>;
}

export interface Completion {
  readonly text: string;
  readonly kind: 'table' | 'column' | 'keyword' | 'function';
  readonly about: string;
}
