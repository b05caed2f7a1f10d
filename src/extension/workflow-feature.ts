import * as vscode from 'vscode';
import { pathOf } from './locations.ts';
import type { Recordings } from './recordings.ts';
import { WorkflowPanel, type WorkflowContext } from './workflow-panel.ts';

/** What shows workflows: the command, the explorer's folders, and a window that was loaded again. */
export class WorkflowFeature {
  private readonly context: WorkflowContext;

  constructor(extension: vscode.Uri, recordings: Recordings) {
    this.context = { extension, recordings };
  }

  /** @param clicked a folder of the explorer; without one the user is asked. */
  async open(clicked?: unknown): Promise<void> {
    const folder = clicked instanceof vscode.Uri ? clicked : await askForFolder();
    if (folder !== undefined) WorkflowPanel.show(this.context, pathOf(folder));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): void {
    WorkflowPanel.restore(panel, this.context, state);
  }

  /** What is on the screen now; for tests. */
  shown(folder: string): ReturnType<(typeof WorkflowPanel)['shown']> {
    return WorkflowPanel.shown(folder);
  }
}

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open the Folder of a Workflow'),
    openLabel: vscode.l10n.t('Open Workflow'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
  });
  return chosen?.[0];
}
