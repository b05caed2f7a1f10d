import * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';
import type { Features } from './features.ts';

/** Commands of the timeline, and its panels from before the window was loaded. */
export function timelineCommands(command: RegisterCommand, features: () => Promise<Features>): vscode.Disposable[] {
  return [
    command('showTimeline', (all, row?: unknown) => {
      all.timeline.show(row);
    }),
    command('showInTimeline', (all, place?: unknown) => {
      all.timeline.showLine(place);
    }),
    vscode.window.registerWebviewPanelSerializer('iolens.timeline', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await features()).timeline.restore(panel, state),
    }),
  ];
}
