import * as vscode from 'vscode';
import { darshanFolds } from './darshan-text-lines.ts';

const OUTPUTS: vscode.DocumentSelector = [{ language: 'darshan-parser' }, { language: 'darshan-dxt-parser' }];

/** What an open output of darshan-parser or darshan-dxt-parser offers: modules, records and files fold. */
export function activateDarshanTextDocuments(): vscode.Disposable {
  return vscode.languages.registerFoldingRangeProvider(OUTPUTS, {
    async provideFoldingRanges(document, _context, token) {
      // More than this the editor does not show.
      const most = vscode.workspace.getConfiguration('editor', document).get<number>('foldingMaximumRegions', 5000);
      const pause = (): Promise<boolean> =>
        new Promise((resolve) => {
          setImmediate(() => resolve(!token.isCancellationRequested));
        });
      return (await darshanFolds(document, { most, pause })).map(
        ({ call, last }) => new vscode.FoldingRange(call, last),
      );
    },
  });
}
