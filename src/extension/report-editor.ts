import * as vscode from 'vscode';
import type { Features } from './features.ts';

export const REPORT_VIEW_TYPE = 'iolens.report';

/** Opens `.darshan` files as a report. What draws it is loaded with the first one. */
export function activateReportEditor(features: () => Promise<Features>): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider(
    REPORT_VIEW_TYPE,
    {
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: async ({ uri }, panel) => {
        (await features()).reports.show(uri, panel);
      },
    },
    { supportsMultipleEditorsPerDocument: false },
  );
}
