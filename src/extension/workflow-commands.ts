import * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';
import type { Features } from './features.ts';

/** The view of workflows: its command, and its panels from before the window was loaded. */
export function workflowCommands(command: RegisterCommand, features: () => Promise<Features>): vscode.Disposable[] {
  return [
    command('openWorkflow', (all, clicked?: unknown) => all.workflow.open(clicked)),
    vscode.window.registerWebviewPanelSerializer('iolens.workflow', {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        (await features()).workflow.restore(panel, state);
      },
    }),
  ];
}
