import * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';
import type { Features } from './features.ts';

/** The command of the view, and its panels from before the window was loaded. */
export function causesCommands(command: RegisterCommand, features: () => Promise<Features>): vscode.Disposable[] {
  return [
    command('showCauses', (all, row?: unknown) => {
      all.causes.show(row);
    }),
    vscode.window.registerWebviewPanelSerializer('iolens.causes', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await features()).causes.restore(panel, state),
    }),
  ];
}
