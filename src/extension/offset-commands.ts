import * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';
import type { Features } from './features.ts';

/** The view of offsets over time: its commands, and what fills it after a reload of the window. */
export function offsetCommands(command: RegisterCommand, features: () => Promise<Features>): vscode.Disposable[] {
  return [
    command('showOffsets', (all, row?: unknown) => {
      all.showOffsets(row);
    }),
    command('showOperations', (all, row?: unknown) => {
      all.showOffsets(row)?.showOperations();
    }),
    vscode.window.registerWebviewPanelSerializer('iolens.offsets', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await features()).restoreOffsets(panel, state),
    }),
  ];
}
