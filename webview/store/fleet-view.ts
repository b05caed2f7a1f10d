import type { JobFilter, StoreLine, StoreSummary, StoreViewState } from '../../src/features/store/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { make } from '../kit/dom.ts';
import type { PageEnd } from '../kit/page-end.ts';
import { Tabs, type Tab } from '../kit/tabs.ts';
import { CausesTab } from './causes-tab.ts';
import { Dashboard } from './dashboard.ts';
import { FilterBar } from './filter-bar.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';
import { JobTab } from './job-tab.ts';
import { FIRST_JOBS, JobsTab } from './jobs-tab.ts';
import { KindsTab } from './kinds-tab.ts';
import { SqlTab } from './sql-tab.ts';

const FIRST_STATE: StoreViewState = {
  folder: '',
  tab: 'dashboard',
  filter: {},
  ...FIRST_JOBS,
  sql: '',
  history: [],
  job: '',
};

/** A store: its questions, jobs and SQL. */
export class FleetView {
  private state: StoreViewState;
  private tabs: Tabs | undefined;
  private dashboard: Dashboard | undefined;
  private jobs: JobsTab | undefined;
  private sql: SqlTab | undefined;
  private causes: CausesTab | undefined;
  private kinds: KindsTab | undefined;
  private job: JobTab | undefined;
  private filterBar: FilterBar | undefined;
  /** Tabs whose answers are for an earlier filter. */
  private readonly stale = new Set<string>();
  private readonly host: FleetHost;
  private readonly ways: FleetWays = {
    showJob: (log) => {
      this.keep({ job: log });
      this.showTab('job');
    },
    showApplication: (application) => {
      this.filterBar?.set({ ...this.filterBar.current, application });
      this.showTab('jobs');
    },
    showKinds: (application) => {
      this.filterBar?.set({ ...this.filterBar.current, application });
      this.showTab('kinds');
    },
    showSql: (sql) => {
      this.keep({ sql });
      this.showTab('sql');
      this.sql?.show(sql);
    },
  };

  constructor(
    private readonly parent: HTMLElement,
    private readonly page: PageEnd<StoreLine>,
  ) {
    this.state = page.kept ?? FIRST_STATE;
    this.host = { page, keep: (change) => this.keep(change) };
  }

  /** The store was opened, or read again. */
  show(summary: StoreSummary): void {
    const { filter, tab } = this.state;
    if (this.state.folder !== summary.folder) this.keep({ folder: summary.folder, job: '' });
    for (const part of ['dashboard', 'jobs', 'sql', 'causes', 'kinds', 'job'] as const) this[part] = undefined;
    this.stale.clear();
    this.filterBar = new FilterBar(filter, (changed) => this.filterBy(changed));
    this.tabs = new Tabs(this.tabsOf(summary), 'Parts of the store', (chosen) => this.showTab(chosen));
    this.parent.replaceChildren(this.header(summary), this.filterBar.element, this.tabs.element);
    this.showTab(tab);
  }

  clear(): void {
    this.parent.replaceChildren();
  }

  /** The user took another theme. */
  redraw(): void {
    this.dashboard?.redraw();
    this.sql?.redraw();
    this.kinds?.redraw();
  }

  private keep(change: Partial<StoreViewState>): void {
    this.state = { ...this.state, ...change };
    this.page.keep(this.state);
  }

  private header({ folder }: StoreSummary): HTMLElement {
    const refresh = actionButton('Read Again', { title: 'See what was taken in meanwhile' }, () =>
      this.host.page.say('refresh'),
    );
    const ingest = actionButton('Ingest Folder…', { title: 'Take the recordings in a folder into this store' }, () =>
      this.host.page.say('ingest'),
    );
    const name = folder.split('/').at(-1);
    return make(
      'header',
      {},
      make(
        'div',
        { class: 'title' },
        make('h1', {}, name === undefined || name === '' ? folder : name),
        make('div', { class: 'actions' }, ingest, refresh),
      ),
      make('code', { class: 'command', title: folder }, folder),
    );
  }

  private tabsOf(summary: StoreSummary): Tab[] {
    const { host, ways } = this;
    const tab = (id: string, title: string, fill: Tab['fill']): Tab => ({ id, title, badge: '', fill });
    return [
      tab('dashboard', 'Dashboard', (panel) => {
        this.dashboard = new Dashboard(panel, summary, host, ways, this.state.filter);
      }),
      tab('jobs', 'Jobs', (panel) => {
        this.jobs = new JobsTab(panel, host, ways, this.state, summary);
      }),
      tab('causes', 'Causes', (panel) => {
        this.causes = new CausesTab(panel, host, ways, this.state.filter);
      }),
      tab('kinds', 'Jobs over Time', (panel) => {
        this.kinds = new KindsTab(panel, host, ways, this.state.filter);
      }),
      tab('sql', 'SQL', (panel) => {
        this.sql = new SqlTab(panel, summary, host, ways, this.state);
      }),
      tab('job', 'Job', (panel) => {
        this.job = new JobTab(panel, host, ways);
      }),
    ];
  }

  private showTab(tab: string): void {
    this.tabs?.show(tab);
    this.keep({ tab });
    // SQL says itself which jobs it means, and a job is one.
    if (this.filterBar !== undefined) this.filterBar.element.hidden = tab === 'sql' || tab === 'job';
    if (tab === 'job' && this.state.job !== '')
      void this.job?.show(this.state.job, this.causes?.of(this.state.job) ?? []);
    if (this.stale.delete(tab)) this.partOf(tab)?.filterBy(this.state.filter);
  }

  /** The tab in sight is answered anew, others when they are looked at. */
  private filterBy(filter: JobFilter): void {
    this.keep({ filter });
    for (const tab of ['dashboard', 'jobs', 'causes', 'kinds']) this.stale.add(tab);
    const shown = this.tabs?.shown ?? '';
    if (this.stale.delete(shown)) this.partOf(shown)?.filterBy(filter);
  }

  private partOf(tab: string): { filterBy(filter: JobFilter): void } | undefined {
    return { dashboard: this.dashboard, jobs: this.jobs, causes: this.causes, kinds: this.kinds }[tab];
  }
}
