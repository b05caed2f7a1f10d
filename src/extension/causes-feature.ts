import * as vscode from 'vscode';
import { CausesPanel, type CausesContext } from './causes-panel.ts';
import type { RegisterCommand } from './extension.ts';
import type { Features } from './features.ts';
import { recordingFor } from './places.ts';

/** What shows the root causes: commands, rows of recordings, and a window that was loaded again. */
export class CausesFeature {
  constructor(private readonly context: CausesContext) {}

  /** @param row of a recording; without it the current one is meant. */
  show(row?: unknown): void {
    const recording = recordingFor(row, this.context.recordings);
    if (recording !== undefined) CausesPanel.show(this.context, recording);
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return CausesPanel.restore(panel, this.context, state);
  }

  /** How many files the view shows; for tests. */
  get shown(): (typeof CausesPanel)['shown'] {
    return CausesPanel.shown;
  }
}

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
