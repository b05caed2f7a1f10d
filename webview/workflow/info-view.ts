import { Charts } from '../kit/charts.ts';
import { make } from '../kit/dom.ts';
import { Tabs } from '../kit/tabs.ts';
import type { WorkflowViewState } from '../../src/features/workflow/protocol.ts';
import { FilesTab } from './files-tab.ts';
import type { InfoActions, Subject } from './info.ts';
import { fillJobTab } from './job-tab.ts';
import { fillStepTab } from './step-tab.ts';
import { fillWorkflowTab } from './workflow-tab.ts';

export type TabName = WorkflowViewState['tab'];

interface Panel {
  readonly charts: Charts;
  /** Undefined until the tab is first shown. */
  room: HTMLElement | undefined;
  readonly fill: (room: HTMLElement, subject: Subject, charts: Charts) => void;
}

/** The four tabs below the graph; each says what is selected there. */
export class InfoView {
  private readonly panels: Readonly<Record<TabName, Panel>>;
  private readonly tabs: Tabs;
  private subject: Subject | undefined;

  constructor(room: HTMLElement, actions: InfoActions, chosen: (tab: TabName) => void) {
    const files = new FilesTab();
    const panel = (fill: Panel['fill']): Panel => ({ charts: new Charts(), room: undefined, fill });
    this.panels = {
      workflow: panel((room, { document }, charts) => fillWorkflowTab(room, document, charts, actions)),
      job: panel((room, { document, selected }, charts) => fillJobTab(room, document, selected?.job, charts, actions)),
      step: panel((room, { document, selected }, charts) => fillStepTab(room, document, selected, charts, actions)),
      files: panel((room, { document, file }) => files.fill(room, document, file, actions)),
    };
    const titles: readonly (readonly [TabName, string])[] = [
      ['workflow', 'Workflow'],
      ['job', 'Job'],
      ['step', 'Step'],
      ['files', 'Files'],
    ];
    const tabs = titles.map(([id, title]) => ({
      id,
      title,
      badge: '',
      fill: (room: HTMLElement) => {
        this.panels[id].room = room;
        this.refresh(id);
      },
    }));
    this.tabs = new Tabs(tabs, 'Information', (id) => chosen(id as TabName));
    room.replaceChildren(make('div', {}, this.tabs.element));
  }

  show(tab: TabName): void {
    this.tabs.show(tab);
  }

  /** Another document, or something else is selected: `only` that tab says something else. */
  tell(subject: Subject, only: readonly TabName[]): void {
    this.subject = subject;
    for (const tab of only) this.refresh(tab);
  }

  recolour(): void {
    for (const { charts } of Object.values(this.panels)) charts.redraw();
  }

  private refresh(tab: TabName): void {
    const { room, charts, fill } = this.panels[tab];
    if (room === undefined || this.subject === undefined) return;
    charts.clear();
    fill(room, this.subject, charts);
  }
}
