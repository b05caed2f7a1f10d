import type { HistoryView } from '../../export/fleet/history-view.ts';
import type { HistoryRequest } from '../../fleet/history/history.ts';
import type { Completion } from '../../fleet/query/complete.ts';
import type { Answer, JobDetail, JobPage, JobRows, StoreSummary } from '../../fleet/query/fleet-answers.ts';
import type { CausesRequest, JobCauses } from '../../fleet/query/job-causes.ts';
import type { JobFilter } from '../../fleet/query/job-filter.ts';
import type { QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
import type { Question } from '../../fleet/query/questions/question.ts';

export type {
  Answer,
  CausesRequest,
  Completion,
  HistoryRequest,
  HistoryView,
  JobCauses,
  JobDetail,
  JobFilter,
  JobPage,
  JobRows,
  Question,
  StoreSummary,
};
export type { QuestionParameter } from '../../fleet/query/questions/question.ts';

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
  /** How kinds of jobs fared over time; no kind where the wanted job belongs to none. */
  kinds(id: number, request: HistoryRequest, filter: JobFilter): Promise<HistoryView>;
  complete(id: number, sql: string, position: number): Promise<readonly Completion[]>;
  close(id: number): Promise<void>;
}

/** @param engineFolders where the SQL engine may lie besides the modules of the program. */
export type OpenStores = (engineFolders: readonly string[]) => FleetMethods;
