import { historyView } from '../../export/fleet/history-view.ts';
import type { QueryResult, QueryValue } from '../../fleet/query/query-engine.ts';
import { QUESTIONS } from '../../fleet/query/questions/questions.ts';
import type {
  Answer,
  CausesRequest,
  Completion,
  FleetMethods,
  HistoryRequest,
  HistoryView,
  JobCauses,
  JobDetail,
  JobFilter,
  JobPage,
  JobRows,
  OpenStores,
  Question,
  StoreSummary,
} from './methods.ts';
import { OpenedStore } from '../../session/fleet/opened-store.ts';

const NO_KIND = historyView({ kinds: 0, jobs: 0, tested: 0, told: [], standings: [] });

/** The stores that are open, and their answers. */
class StoreAnswers implements FleetMethods {
  private readonly stores = new Map<number, OpenedStore>();
  private next = 1;

  /** @param engineFolders where the SQL engine may lie besides the modules of the program. */
  constructor(private readonly engineFolders: readonly string[]) {}

  async open(folder: string): Promise<StoreSummary> {
    const store = await OpenedStore.open(folder, this.engineFolders);
    const id = this.next++;
    this.stores.set(id, store);
    return store.summary(id);
  }

  async refresh(id: number): Promise<StoreSummary> {
    const store = this.store(id);
    await store.refresh();
    return store.summary(id);
  }

  async query(id: number, sql: string, mostRows: number): Promise<QueryResult> {
    return this.store(id).query(sql, { mostRows });
  }

  questions(): Promise<readonly Question[]> {
    return Promise.resolve(QUESTIONS);
  }

  async answer(id: number, question: string, parameters: readonly QueryValue[], filter: JobFilter): Promise<Answer> {
    return this.store(id).answer(question, parameters, filter);
  }

  async jobs(id: number, page: JobPage): Promise<JobRows> {
    return this.store(id).jobs(page);
  }

  async job(id: number, log: string): Promise<JobDetail> {
    return this.store(id).job(log);
  }

  async causes(id: number, request: CausesRequest): Promise<readonly JobCauses[]> {
    return this.store(id).causes(request);
  }

  async kinds(id: number, request: HistoryRequest, filter: JobFilter): Promise<HistoryView> {
    const store = this.store(id);
    try {
      return historyView(await store.history(request, filter));
    } catch (error) {
      // A job without a start or an application is of no kind.
      if (error instanceof RangeError && request.job !== undefined) return NO_KIND;
      throw error;
    }
  }

  async complete(id: number, sql: string, position: number): Promise<readonly Completion[]> {
    return Promise.resolve(this.store(id).complete(sql, position));
  }

  close(id: number): Promise<void> {
    this.stores.get(id)?.close();
    this.stores.delete(id);
    return Promise.resolve();
  }

  private store(id: number): OpenedStore {
    const store = this.stores.get(id);
    if (store === undefined) throw new RangeError(`There is no open store ${id}.`);
    return store;
  }
}

/** Its code and its engine are large: they are loaded with the first question (`#stores`, package.json). */
export const openStores: OpenStores = (engineFolders) => new StoreAnswers(engineFolders);
