import path from 'node:path';
import { completions, type Completion } from '../../fleet/query/complete.ts';
import type { Answer, JobDetail, JobPage, JobRows, StoreSummary } from '../../fleet/query/fleet-answers.ts';
import { findHistory } from '../../fleet/history/find-history.ts';
import type { FleetHistory, HistoryRequest } from '../../fleet/history/history.ts';
import { causesOfJobs, type CausesRequest, type JobCauses } from '../../fleet/query/job-causes.ts';
import type { JobFilter } from '../../fleet/query/job-filter.ts';
import { JobsTable } from '../../fleet/query/jobs-table.ts';
import { filteredQuery, withValues } from '../../fleet/query/filtered-query.ts';
import type { QueryEngine, QueryOptions, QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
import { questionNamed, questionValues } from '../../fleet/query/questions/questions.ts';
import { tableViews } from '../../fleet/query/table-views.ts';
import { STORE_FILE, type StoreDescription } from '../../fleet/store/manifest.ts';
import { readManifests, type StoreContents } from '../../fleet/store/read-manifests.ts';
import { uncounted, wrongParts } from './check-parts.ts';
import { DuckDbEngine } from './duckdb-engine.ts';
import { jobDetail } from './job-detail.ts';
import { LocalStore } from './local-store.ts';
import { existingStore } from './store-folder.ts';
import { storeSummary } from './store-summary.ts';

/** A store that is open for questions. */
export class OpenedStore {
  private readonly jobsTable: JobsTable;

  private constructor(
    private readonly store: LocalStore,
    private readonly duckdb: DuckDbEngine,
    private contents: StoreContents,
  ) {
    this.jobsTable = new JobsTable(duckdb);
  }

  /** @throws Error in words for the user: no store; EngineMissingError: no SQL engine. */
  static async open(folder: string, engineFolders: readonly string[] = []): Promise<OpenedStore> {
    const store = new LocalStore(path.resolve(folder));
    await checkStore(store, folder);
    const contents = await readManifests(store);
    const engine = await DuckDbEngine.open(store.folder, viewsOf(store, contents), engineFolders).catch(
      async (error: unknown) => {
        const wrong = await wrongParts(store, contents);
        throw wrong === undefined ? error : new Error(wrong, { cause: error });
      },
    );
    return new OpenedStore(store, engine, contents);
  }

  /** For questions that are made of operators or SQL. */
  get engine(): QueryEngine {
    return this.duckdb;
  }

  /** Reads the manifests again: what was taken in since counts from now on. */
  async refresh(): Promise<void> {
    this.contents = await readManifests(this.store);
    await this.duckdb.setUp(viewsOf(this.store, this.contents));
    this.jobsTable.forget();
  }

  /** Why a question may have failed although nothing is wrong with it: files that are missing or cut off, in words. */
  wrongParts(): Promise<string | undefined> {
    return wrongParts(this.store, this.contents);
  }

  /** What lies in the store and does not count, in words. */
  uncounted(): Promise<string | undefined> {
    return uncounted(this.store);
  }

  summary(id: number): StoreSummary {
    return storeSummary(id, this.store.folder, this.contents);
  }

  /** @throws QueryError in words for the user. */
  query(sql: string, options?: QueryOptions): Promise<QueryResult> {
    return this.duckdb.query(sql, options);
  }

  /**
   * Answers a ready-made question about the jobs that a filter leaves.
   * @throws RangeError in words for the user: no such question or parameter.
   */
  async answer(id: string, given: readonly QueryValue[], filter: JobFilter = {}): Promise<Answer> {
    const question = questionNamed(id);
    const bound = filteredQuery(question.sql, questionValues(question, given), filter);
    const result = await this.duckdb.query(bound.sql, { parameters: bound.parameters });
    return { question, sql: withValues(bound), result };
  }

  jobs(page: JobPage): Promise<JobRows> {
    return this.jobsTable.page(page);
  }

  job(log: string): Promise<JobDetail> {
    return jobDetail(this.duckdb, log);
  }

  causes(request: CausesRequest, signal?: AbortSignal): Promise<readonly JobCauses[]> {
    return causesOfJobs(this.duckdb, request, signal);
  }

  /** How kinds of jobs fared over time. @throws RangeError in words for the user: no such job. */
  history(request: HistoryRequest, filter: JobFilter = {}, signal?: AbortSignal): Promise<FleetHistory> {
    return findHistory(this.duckdb, request, filter, signal);
  }

  complete(sql: string, position: number): readonly Completion[] {
    return completions(sql, position);
  }

  close(): void {
    this.duckdb.close();
  }
}

function viewsOf(store: LocalStore, contents: StoreContents): string[] {
  return tableViews(contents, (part) => store.location(part));
}

/** @throws Error in words for the user when the folder is no store. */
async function checkStore(store: LocalStore, folder: string): Promise<void> {
  await existingStore(folder);
  const text = await store.read(STORE_FILE);
  const expected: StoreDescription['schema'] = 'iolens/store@1';
  if (!new TextDecoder().decode(text).includes(`"${expected}"`))
    throw new Error(`${store.folder}: ${STORE_FILE} is none of a store that this version reads (schema ${expected})`);
}
