import type { Completion } from '../../fleet/query/complete.ts';
import type { CausesRequest, JobCauses } from '../../fleet/query/job-causes.ts';
import type { JobFilter } from '../../fleet/query/job-filter.ts';
import type { QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
import type { Question } from '../../fleet/query/questions/question.ts';
import type { TableName } from '../../fleet/schema/tables.ts';

export type { CausesRequest, Completion, JobCauses, JobFilter, Question };
export type { AnswerChart, QuestionParameter } from '../../fleet/query/questions/question.ts';

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

/** Questions about an opened store. */
export interface FleetMethods {
  /** @throws Error in words for the user: no store, no SQL engine (and how to get it). */
  open(folder: string): Promise<StoreSummary>;
  /** Reads the manifests again. */
  refresh(id: number): Promise<StoreSummary>;
  query(id: number, sql: string, mostRows: number): Promise<QueryResult>;
  questions(): Promise<readonly Question[]>;
  answer(id: number, question: string, parameters: readonly QueryValue[], filter: JobFilter): Promise<Answer>;
  jobs(id: number, page: JobPage): Promise<JobRows>;
  job(id: number, log: string): Promise<JobDetail>;
  causes(id: number, request: CausesRequest): Promise<readonly JobCauses[]>;
  complete(id: number, sql: string, position: number): Promise<readonly Completion[]>;
  close(id: number): Promise<void>;
}

/** As `remoteTopic` wants them. */
export const FLEET_METHODS = [
  'open',
  'refresh',
  'query',
  'questions',
  'answer',
  'jobs',
  'job',
  'causes',
  'complete',
  'close',
] as const;
