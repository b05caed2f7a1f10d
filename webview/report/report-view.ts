import {
  FIRST_STACKS,
  type ReportLine,
  type ReportViewState,
  type ViewReport,
  type ViewSummary,
} from '../../src/features/report/protocol.ts';
import type { Markup } from '../../src/drawing/markup/tree.ts';
import { leftOutNote } from '../../src/drawing/report/file-table.ts';
import { ranks, warning } from '../../src/drawing/report/job-parts.ts';
import type { ReportAct } from '../../src/drawing/report/medium.ts';
import { button, made, make } from '../kit/dom.ts';
import type { PageEnd } from '../kit/page-end.ts';
import type { PagedTable } from '../kit/paged-table.ts';
import { Tabs, type Tab } from '../kit/tabs.ts';
import { FIRST_FILES, fileTable } from './files.ts';
import { FIRST_RECORDS, moduleTab } from './modules.ts';
import { onPress, Screen } from './screen.ts';
import { StacksTab } from './stacks-tab.ts';
import { findingTab, linesTab, logTab, overviewTab, runTab, tabTitle, usedFilesTab, warnings } from './tabs.ts';

const FIRST_STATE: ReportViewState = {
  paths: [],
  tab: 'overview',
  module: '',
  scroll: 0,
  files: FIRST_FILES,
  records: FIRST_RECORDS,
  stacks: FIRST_STACKS,
};

/** The whole report: what stands above, and the tabs. */
export class ReportView {
  private readonly screen: Screen;
  private state: ReportViewState;
  private tabs: Tabs | undefined;
  private files: PagedTable | undefined;
  private stacks: StacksTab | undefined;
  private isMarked = false;

  constructor(
    private readonly parent: HTMLElement,
    private readonly page: PageEnd<ReportLine>,
  ) {
    this.state = page.kept ?? FIRST_STATE;
    this.screen = new Screen((number, into) => page.say('snippet', { number, into }));
    onPress(parent, (act) => this.act(act));
    let waiting: ReturnType<typeof setTimeout> | undefined;
    window.addEventListener('scroll', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.keep({ scroll: window.scrollY }), 150);
    });
    window.addEventListener('beforeprint', () => this.tabs?.fillAll());
  }

  show(report: ViewReport | ViewSummary): void {
    this.screen.clear();
    this.files = undefined;
    this.stacks = undefined;
    const { scroll } = this.state;
    this.tabs = new Tabs(this.tabsOf(report), 'Parts of the report', (tab) => this.keep({ tab }));
    this.parent.replaceChildren(
      this.header(report),
      ...warnings(report).map((text) => made(warning(text))),
      this.tabs.element,
    );
    this.tabs.show(this.state.tab);
    this.keep({ paths: [...report.paths] });
    window.scrollTo(0, scroll);
  }

  clear(): void {
    this.screen.clear();
    this.parent.replaceChildren();
  }

  /** @param isMarked whether anything of the recording is selected. */
  selectionChanged(isMarked: boolean): void {
    this.isMarked = isMarked;
    this.stacks?.selectionChanged(isMarked);
  }

  /** The user took another theme. */
  redraw(): void {
    this.screen.redraw();
  }

  private keep(change: Partial<ReportViewState>): void {
    this.state = { ...this.state, ...change };
    this.page.keep(this.state);
  }

  private header(report: ViewReport | ViewSummary): HTMLElement {
    const actions = make('div', { class: 'actions' });
    const add = (text: string, title: string, click: () => void): void =>
      actions.append(button(text, { title }, click));
    if (report.events > 0)
      add('Graph', 'Show the Directly-Follows-Graph of the recorded accesses', () => this.page.say('showGraph'));
    add('Export HTML', 'Write the report as one HTML page, to keep or to print', () =>
      this.page.say('export', { format: 'html' }),
    );
    add('Export Markdown', 'Write the findings as Markdown', () => this.page.say('export', { format: 'markdown' }));
    const { executable, command } = 'job' in report ? report.job.job : { executable: '', command: undefined };
    const above = make(
      'div',
      { class: 'title' },
      make('h1', {}, executable === '' ? report.name : executable),
      actions,
    );
    if (command === undefined) return make('header', {}, above);
    const said = command === '' ? 'The log does not hold the command.' : command;
    return make('header', {}, above, make('code', { class: 'command', title: command }, said));
  }

  private tabsOf(report: ViewReport | ViewSummary): Tab[] {
    const findings = report.findings.filter(({ isSummary }) => !isSummary).length;
    const tab = (id: string, title: string, content: () => readonly Markup<Node>[], badge = ''): Tab => ({
      ...{ id, title, badge },
      fill: (panel) => panel.append(...content().map((part) => made(part))),
    });
    const all = button(`All ${findings} findings`, { class: 'link' }, () => this.showFinding(undefined));
    const overview = (): Markup<Node>[] =>
      'job' in report ? overviewTab(report, this.screen, all) : runTab(report, this.screen, all);
    return [
      tab('overview', 'Overview', overview),
      tab('findings', 'Findings', () => findingTab(report, this.screen), findings === 0 ? '' : String(findings)),
      ...('job' in report
        ? [
            tab('modules', 'Modules', () => this.modules(report)),
            tab('ranks', 'Ranks', () => ranks(report.job, this.screen)),
            tab('files', 'Files', () => this.fileTab(report)),
          ]
        : [
            tab('lines', 'Lines', () => linesTab(report, this.screen)),
            tab('files', 'Files', () => usedFilesTab(report, this.screen)),
          ]),
      ...(report.events > 0 ? [tab('stacks', 'Call Stacks', () => this.stacksTab())] : []),
      tab('log', tabTitle(report), () => logTab(report), report.damage.length > 0 ? '!' : ''),
    ];
  }

  private modules({ job }: ViewReport): Markup<Node>[] {
    return moduleTab(job, this.state, this.screen, {
      page: (module, query) => this.page.ask('records', { module, query }),
      choose: (module) => this.keep({ module }),
      sorted: (records) => this.keep({ records }),
    }).map((part) => ({ part }));
  }

  private fileTab({ files }: ViewReport): Markup<Node>[] {
    this.files = fileTable(this.state.files, this.screen, {
      page: (query) => this.page.ask('files', query),
      sorted: (query) => this.keep({ files: query }),
    });
    return [{ part: this.files.element }, ...leftOutNote(files.leftOut)];
  }

  private stacksTab(): Markup<Node>[] {
    this.stacks = new StacksTab(this.state.stacks, {
      ask: (onlySelected) => this.page.ask('callTree', { onlySelected }),
      openFrame: (place, line) => this.page.say('openFrame', { place, line }),
      select: (part) => this.page.say('select', part),
      keep: (stacks) => this.keep({ stacks }),
    });
    this.stacks.selectionChanged(this.isMarked);
    return [{ part: this.stacks.element }];
  }

  private act(act: ReportAct): void {
    switch (act.kind) {
      case 'place':
        if (act.place !== undefined) this.page.say('openPlace', { place: act.place });
        break;
      case 'file':
        this.showFile(act.path);
        break;
      case 'finding':
        this.showFinding(act.finding);
        break;
      case 'select':
        // Selections are made by the marks of all that can be selected.
        break;
    }
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
