import type * as vscode from 'vscode';
import { CausesPanel, type CausesContext } from './causes-panel.ts';
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
