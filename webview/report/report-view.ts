import type {
  PageAnswer,
  PageRequest,
  ReportExport,
  ReportViewState,
  ViewReport,
} from '../../src/features/report/protocol.ts';
import { Charts } from '../kit/charts.ts';
import { button, make } from '../kit/dom.ts';
import { FIRST_FILES, fillFiles, type FileEvents } from './files.ts';
import { fillFindings, type FindingEvents } from './findings.ts';
import type { HeatmapView } from './heatmap.ts';
import { fillLogFacts } from './log-facts.ts';
import { fillModules, FIRST_RECORDS, type ModuleEvents } from './modules.ts';
import { fillOverview, tiles } from './overview.ts';
import type { PagedTable } from '../kit/paged-table.ts';
import { fillRanks } from './ranks.ts';
import { Tabs, type Tab } from '../kit/tabs.ts';
import { headlines } from './view-model.ts';

export interface ReportEvents extends Omit<FindingEvents, 'showFile'> {
  page(wanted: PageRequest): Promise<PageAnswer>;
  export(format: ReportExport): void;
  showGraph(): void;
  /** The user went somewhere: it is to be kept over a reload. */
  keep(state: ReportViewState): void;
}

export const FIRST_STATE: ReportViewState = {
  tab: 'overview',
  module: '',
  scroll: 0,
  files: FIRST_FILES,
  records: FIRST_RECORDS,
};

/** The whole report: what stands above, and the tabs. */
export class ReportView {
  private readonly charts = new Charts();
  private heatmaps: HeatmapView[] = [];
  private tabs: Tabs | undefined;
  private files: PagedTable | undefined;

  constructor(
    private readonly parent: HTMLElement,
    private readonly events: ReportEvents,
    private state: ReportViewState,
  ) {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    window.addEventListener('scroll', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.keep({ scroll: window.scrollY }), 150);
    });
    window.addEventListener('beforeprint', () => this.tabs?.fillAll());
  }

  show(report: ViewReport): void {
    this.charts.clear();
    this.heatmaps = [];
    this.files = undefined;
    const { scroll } = this.state;
    this.tabs = new Tabs(this.tabsOf(report), 'Parts of the report', (tab) => this.keep({ tab }));
    this.parent.replaceChildren(this.header(report), ...warnings(report), this.tabs.element);
    this.tabs.show(this.state.tab);
    window.scrollTo(0, scroll);
  }

  clear(): void {
    this.charts.clear();
    this.heatmaps = [];
    this.parent.replaceChildren();
  }

  /** The user took another theme. */
  redraw(): void {
    this.charts.redraw();
    for (const heatmap of this.heatmaps) heatmap.draw();
  }

  private keep(change: Partial<ReportViewState>): void {
    this.state = { ...this.state, ...change };
    this.events.keep(this.state);
  }

  private header({ name, job: { job }, events }: ViewReport): HTMLElement {
    const actions = make('div', { class: 'actions' });
    const add = (text: string, title: string, click: () => void): void =>
      actions.append(button(text, { title }, click));
    if (events > 0)
      add('Graph', 'Show the Directly-Follows-Graph of the recorded accesses', () => this.events.showGraph());
    add('Export HTML', 'Write the report as one HTML page, to keep or to print', () => this.events.export('html'));
    add('Export Markdown', 'Write the findings as Markdown', () => this.events.export('markdown'));
    const title = job.executable === '' ? name : job.executable;
    return make(
      'header',
      {},
      make('div', { class: 'title' }, make('h1', {}, title), actions),
      make(
        'code',
        { class: 'command', title: job.command },
        job.command === '' ? 'The log does not hold the command.' : job.command,
      ),
    );
  }

  private tabsOf(report: ViewReport): Tab[] {
    const tab = (id: string, title: string, fill: Tab['fill'], badge = ''): Tab => ({ id, title, badge, fill });
    const findings = report.findings.filter(({ isSummary }) => !isSummary).length;
    return [
      tab('overview', 'Overview', (panel) => {
        panel.append(tiles(headlines(report)));
        fillOverview(panel, report, this.charts, this.heatmaps, {
          showFindings: (finding) => this.showFinding(finding),
          openPlace: (place) => this.events.openPlace(place),
        });
      }),
      tab(
        'findings',
        'Findings',
        (panel) => fillFindings(panel, report, this.findingEvents()),
        findings === 0 ? '' : String(findings),
      ),
      tab('modules', 'Modules', (panel) => fillModules(panel, report, this.charts, this.state, this.moduleEvents())),
      tab('ranks', 'Ranks', (panel) => fillRanks(panel, report, this.charts)),
      tab('files', 'Files', (panel) => {
        this.files = fillFiles(panel, report, this.state.files, this.fileEvents());
      }),
      tab('log', 'Log', (panel) => fillLogFacts(panel, report), report.damage.length > 0 ? '!' : ''),
    ];
  }

  private findingEvents(): FindingEvents {
    return {
      openPlace: (place) => this.events.openPlace(place),
      snippet: (number, into) => this.events.snippet(number, into),
      showFile: (path) => this.showFile(path),
    };
  }

  private moduleEvents(): ModuleEvents {
    return {
      page: (wanted) => this.events.page(wanted),
      choose: (module) => this.keep({ module }),
      sorted: (records) => this.keep({ records }),
    };
  }

  private fileEvents(): FileEvents {
    return {
      page: (wanted) => this.events.page(wanted),
      openPlace: (place) => this.events.openPlace(place),
      sorted: (files) => this.keep({ files }),
    };
  }

  private showTab(tab: string): void {
    this.tabs?.show(tab);
    this.keep({ tab });
  }

  private showFinding(finding: number | undefined): void {
    this.showTab('findings');
    const target = finding === undefined ? null : document.getElementById(`finding-${finding}`);
    if (target === null) window.scrollTo(0, 0);
    else {
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
      target.scrollIntoView({ block: 'start' });
    }
  }

  private showFile(path: string): void {
    this.showTab('files');
    this.files?.filterBy(path);
    window.scrollTo(0, 0);
  }
}

/** What makes the numbers below it less than the whole truth. */
function warnings({ damage, job }: ViewReport): HTMLElement[] {
  const said: string[] = [];
  const [first] = damage;
  if (first !== undefined) {
    const others = damage.length - 1;
    const more =
      others === 0
        ? ''
        : ` ${others === 1 ? '1 more report of damage stands' : `${others} more reports of damage stand`} under “Log”.`;
    said.push(`The log was read in part: ${first.where}: ${first.what}. Lost: ${first.lost}.${more}`);
  }
  const incomplete = job.regions.filter((region) => region.incomplete).map(({ name }) => name);
  if (incomplete.length > 0)
    said.push(
      `Darshan ran out of memory: records are missing from ${incomplete.join(', ')}. Numbers are lower bounds.`,
    );
  return said.map((text) => make('p', { class: 'warning', role: 'note' }, text));
}
