import * as vscode from 'vscode';
import type { Contributions } from '../editor/contributions.ts';
import { recordingFor } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import { CausesPanel, type CausesContext } from './causes-panel.ts';

/** What shows the root causes: commands, rows of recordings, and a window that was loaded again. */
export class CausesFeature {
  constructor({ extension, recordings, selection }: Services, contributions: Contributions) {
    const context: CausesContext = {
      extension,
      recordings,
      selection,
      showReport: async (recording) => {
        await vscode.commands.executeCommand('iolens.showReport', { kind: 'recording', recording });
      },
    };
    contributions.command('showCauses', (row?: unknown) => {
      const recording = recordingFor(row, recordings);
      if (recording !== undefined) CausesPanel.show(context, recording);
    });
    contributions.panel('iolens.causes', (panel, state) => CausesPanel.restore(panel, context, state));
  }

  /** How many files the view shows; for tests. */
  get shown(): (typeof CausesPanel)['shown'] {
    return CausesPanel.shown;
  }
}
