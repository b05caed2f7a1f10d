import * as vscode from 'vscode';
import type { Contributions } from '../editor/contributions.ts';
import { pathOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import { WorkflowPanel, type WorkflowContext } from './workflow-panel.ts';

/** What shows workflows: the command, the explorer's folders, and a window that was loaded again. */
export class WorkflowFeature {
  constructor({ extension, recordings }: Services, contributions: Contributions) {
    const context: WorkflowContext = { extension, recordings };
    // In the explorer the folder that was clicked; without one the user is asked.
    contributions.command('openWorkflow', async (clicked?: unknown) => {
      const folder = clicked instanceof vscode.Uri ? clicked : await askForFolder();
      if (folder !== undefined) WorkflowPanel.show(context, pathOf(folder));
    });
    contributions.panel('iolens.workflow', (panel, state) => WorkflowPanel.restore(panel, context, state));
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
