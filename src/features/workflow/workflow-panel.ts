import * as vscode from 'vscode';
import { WORKFLOW_BODY } from './page-body.ts';
import {
  isFromWorkflowView,
  isWorkflowViewState,
  WORKFLOW_PROTOCOL,
  type FromWorkflowView,
  type ToWorkflowView,
  type WorkflowDocument,
} from './protocol.ts';
import { messageOf } from '../../base/error-message.ts';
import type { Recordings } from '../recordings/recordings.ts';
import { savePictureBeside } from '../editor/save-picture.ts';
import { workflowOptions } from '../editor/settings.ts';
import { openStepRecording } from './step-recording.ts';
import { panelColumn, webviewOptions, webviewPage, type WebviewPage } from '../editor/webview-page.ts';

const WORKFLOW_VIEW_TYPE = 'iolens.workflow';
const PAGE: WebviewPage = {
  title: 'Workflow',
  name: 'workflow',
  hasCharts: true,
  body: WORKFLOW_BODY,
  // The drawing as a picture, on its way to a PNG file.
  policy: () => ['img-src blob:'],
};

/** What a panel needs of the window. */
export interface WorkflowContext {
  readonly extension: vscode.Uri;
  readonly recordings: Recordings;
}

/** A panel that shows the workflow of a folder: one for each folder. */
export class WorkflowPanel implements vscode.Disposable {
  private static readonly open = new Map<string, WorkflowPanel>();
  private document: WorkflowDocument | undefined;
  private drawn: Extract<FromWorkflowView, { kind: 'drawn' }> | undefined;
  private failure: string | undefined;
  private ready = false;
  /** Only the latest reading is shown. */
  private generation = 0;
  private readonly subscriptions: vscode.Disposable[] = [];

  private constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly context: WorkflowContext,
    private readonly folder: string,
  ) {
    const { extension } = context;
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(extension, 'media', `workflow-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    panel.title = vscode.l10n.t('Workflow {0}', folder.replace(/\/+$/, '').split('/').at(-1) ?? folder);
    panel.webview.html = webviewPage(panel.webview, extension, PAGE);
    WorkflowPanel.open.set(folder, this);
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromWorkflowView(message)) void this.receive(message);
      }),
      panel.onDidDispose(() => this.dispose()),
    );
    void this.read();
  }

  /** Shows the workflow of a folder; one that is shown already is read anew. */
  static show(context: WorkflowContext, folder: string): void {
    const known = WorkflowPanel.open.get(folder);
    if (known !== undefined) {
      known.panel.reveal();
      void known.read();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      WORKFLOW_VIEW_TYPE,
      vscode.l10n.t('Workflow'),
      { viewColumn: panelColumn() },
      webviewOptions(context.extension),
    );
    new WorkflowPanel(panel, context, folder);
  }

  /** Fills a panel that survived a reload of the window; its folder is read again. */
  static restore(panel: vscode.WebviewPanel, context: WorkflowContext, state: unknown): void {
    if (!isWorkflowViewState(state) || WorkflowPanel.open.has(state.folder)) {
      panel.dispose();
      return;
    }
    panel.webview.options = webviewOptions(context.extension);
    new WorkflowPanel(panel, context, state.folder);
  }

  /** What the panel of a folder shows now; for tests. */
  static shown(folder: string): {
    readonly document: WorkflowDocument | undefined;
    readonly drawn: Extract<FromWorkflowView, { kind: 'drawn' }> | undefined;
    readonly failure: string | undefined;
  } {
    const panel = WorkflowPanel.open.get(folder);
    return { document: panel?.document, drawn: panel?.drawn, failure: panel?.failure };
  }

  private async read(): Promise<void> {
    const generation = ++this.generation;
    this.document = undefined;
    this.drawn = undefined;
    this.failure = undefined;
    this.tell();
    try {
      const document = await this.context.recordings.session.workflow.read(this.folder, workflowOptions(this.folder));
      if (generation === this.generation) this.document = document;
    } catch (error) {
      if (generation === this.generation) this.failure = messageOf(error);
    }
    if (generation === this.generation) this.tell();
  }

  private tell(): void {
    if (!this.ready) return;
    const { document, failure, folder } = this;
    if (document !== undefined) this.post({ kind: 'workflow', protocol: WORKFLOW_PROTOCOL, document });
    else if (failure !== undefined) this.post({ kind: 'error', message: failure });
    else this.post({ kind: 'working', folder });
  }

  private async receive(message: FromWorkflowView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.ready = true;
        this.tell();
        break;
      case 'drawn':
        this.drawn = message;
        break;
      case 'openRecording':
        await openStepRecording(this.context.recordings, this.recordingOf(message), message.as);
        break;
      case 'readAgain':
        await this.read();
        break;
      case 'picture': {
        const { format, content } = message;
        const picture = format === 'svg' ? content : Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0));
        await savePictureBeside(this.folder, 'workflow', { format, content: picture });
        break;
      }
    }
  }

  private recordingOf({ job, step }: { readonly job: number; readonly step: number }): readonly string[] {
    return this.document?.jobs[job]?.steps[step]?.recording ?? [];
  }

  private post(message: ToWorkflowView): void {
    void this.panel.webview.postMessage(message);
  }

  dispose(): void {
    if (WorkflowPanel.open.get(this.folder) === this) WorkflowPanel.open.delete(this.folder);
    this.generation++;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }
}
