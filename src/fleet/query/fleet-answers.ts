import type { TableName } from '../schema/tables.ts';
import type { LogStatus } from '../store/store-logs.ts';
import type { JobFilter } from './job-filter.ts';
import type { QueryResult, QueryValue } from './query-engine.ts';
import type { Question } from './questions/question.ts';

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
  /** Sources by what became of them; `other`: files that are no logs. */
  readonly logs: Readonly<Record<LogStatus, number>>;
  /** `2018-01`, ascending. */
  readonly months: readonly string[];
}

export interface Answer {
  readonly question: Question;
  /** What was asked, values and filter in it: to be changed and asked again. */
  readonly sql: string;
  readonly result: QueryResult;
}

/** A stretch of the jobs table; a million rows are never handed out at once. */
export interface JobPage {
  readonly filter: JobFilter;
  /** Name of a column of the answer: those of `job`, and `read_bandwidth`, `write_bandwidth` (equation 1). */
  readonly orderBy: string;
  readonly descending: boolean;
  readonly first: number;
  readonly count: number;
  /** What is wanted of each job; all columns unless said. */
  readonly columns?: readonly string[];
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
