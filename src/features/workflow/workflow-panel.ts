import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import { keptState, type Said } from '../../base/page-line.ts';
import { newPanel, PagePanel, type PanelKind } from '../editor/page-panel.ts';
import type { PanelHears } from '../editor/panel-end.ts';
import { savePictureBeside } from '../editor/save-picture.ts';
import { workflowOptions } from '../editor/settings.ts';
import type { Recordings } from '../recordings/recordings.ts';
import { WORKFLOW_BODY } from './page-body.ts';
import { FROM_WORKFLOW, WORKFLOW, type WorkflowDocument, type WorkflowLine } from './protocol.ts';
import { openStepRecording } from './step-recording.ts';

const KIND: PanelKind<WorkflowLine> = {
  ends: WORKFLOW,
  from: FROM_WORKFLOW,
  page: {
    name: 'workflow',
    title: 'Workflow',
    hasCharts: true,
    body: WORKFLOW_BODY,
    // The drawing as a picture, on its way to a PNG file.
    policy: ['img-src blob:'],
  },
  icon: 'workflow',
};

type Drawn = Said<WorkflowLine>['drawn'];

/** What a panel needs of the window. */
export interface WorkflowContext {
  readonly extension: vscode.Uri;
  readonly recordings: Recordings;
}

/** A panel that shows the workflow of a folder: one for each folder. */
export class WorkflowPanel extends PagePanel<WorkflowLine> {
  private static readonly open = new Map<string, WorkflowPanel>();
  private document: WorkflowDocument | undefined;
  private drawn: Drawn | undefined;
  private failure: string | undefined;

  override readonly answers = {};
  override readonly hears: PanelHears<WorkflowLine> = {
    drawn: (drawn) => {
      this.drawn = drawn;
    },
    openRecording: ({ job, step, as }) => {
      const recording = this.document?.jobs[job]?.steps[step]?.recording ?? [];
      return openStepRecording(this.context.recordings, recording, as);
    },
    readAgain: () => this.read(),
    picture: (picture) => savePictureBeside(this.folder, 'workflow', picture),
  };

  private constructor(
    panel: vscode.WebviewPanel,
    private readonly context: WorkflowContext,
    private readonly folder: string,
  ) {
    super(panel, context.extension, KIND);
    panel.title = vscode.l10n.t('Workflow {0}', folder.replace(/\/+$/, '').split('/').at(-1) ?? folder);
    WorkflowPanel.open.set(folder, this);
    void this.read();
  }

  /** Shows the workflow of a folder; one that is shown already is read anew. */
  static show(context: WorkflowContext, folder: string): void {
    const known = WorkflowPanel.open.get(folder);
    if (known === undefined) {
      const panel = newPanel('iolens.workflow', vscode.l10n.t('Workflow'), false);
      new WorkflowPanel(panel, context, folder);
    } else {
      known.panel.reveal();
      void known.read();
    }
  }

  /** Fills a panel that survived a reload of the window; its folder is read again. */
  static restore(panel: vscode.WebviewPanel, context: WorkflowContext, state: unknown): void {
    const folder = keptState(WORKFLOW, state)?.folder;
    if (folder === undefined || WorkflowPanel.open.has(folder)) panel.dispose();
    else new WorkflowPanel(panel, context, folder);
  }

  /** What the panel of a folder shows now; for tests. */
  static shown(folder: string): {
    readonly document: WorkflowDocument | undefined;
    readonly drawn: Drawn | undefined;
    readonly failure: string | undefined;
  } {
    const panel = WorkflowPanel.open.get(folder);
    return { document: panel?.document, drawn: panel?.drawn, failure: panel?.failure };
  }

  private async read(): Promise<void> {
    const signal = this.newest.begin();
    this.document = undefined;
    this.drawn = undefined;
    this.failure = undefined;
    this.update();
    try {
      const document = await this.context.recordings.session.workflow.read(this.folder, workflowOptions(this.folder));
      if (signal.aborted) return;
      this.document = document;
    } catch (error) {
      if (signal.aborted) return;
      this.failure = messageOf(error);
    }
    this.update();
  }

  override present(): void {
    const { document, failure, folder } = this;
    if (document !== undefined) this.say('workflow', document);
    else if (failure !== undefined) this.say('failed', failure);
    else this.say('working', { folder });
  }

  override dispose(): void {
    if (WorkflowPanel.open.get(this.folder) === this) WorkflowPanel.open.delete(this.folder);
    super.dispose();
  }
}
