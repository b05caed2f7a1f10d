import * as vscode from 'vscode';
import type { Features, PlaceArgument } from './features.ts';
import { InsightTree, type TreeRow } from './insight-tree.ts';
import { activateStraceDocuments } from './strace-documents.ts';

/** What other extensions and the tests of this one may use. */
export interface IoLensApi {
  /** Loads the rest of the extension, as the first command does. */
  features(): Promise<Features>;
}

export function activate(context: vscode.ExtensionContext): IoLensApi {
  const tree = new InsightTree();
  let loading: Promise<Features> | undefined;
  const features = (): Promise<Features> => {
    loading ??= import('./features.ts').then(({ Features }) => new Features(context, tree));
    return loading;
  };
  const command = (name: string, run: (features: Features, ...values: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`iolens.${name}`, async (...values: never[]) => run(await features(), ...values));
  context.subscriptions.push(
    activateStraceDocuments(async (document, lines) => (await features()).stackLines(document, lines)),
    vscode.window.registerTreeDataProvider('iolens.insights', tree),
    command('openRecording', (all, clicked?: vscode.Uri, selected?: vscode.Uri[]) => all.open(clicked, selected)),
    command('openSample', (all) => all.openSample()),
    command('recordProgram', (all) => all.record()),
    command('closeRecording', (all, row?: TreeRow) => all.close(row)),
    command('showGraph', (all, row?: TreeRow) => {
      all.showGraph(row);
    }),
    command('showInGraph', (all, place: PlaceArgument) => {
      all.showInGraph(place);
    }),
    command('showRecordedCalls', (all, place: PlaceArgument) => all.showRecordedCalls(place)),
    vscode.window.registerWebviewPanelSerializer('iolens.graph', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await features()).restoreGraph(panel, state),
    }),
  );
  return { features };
}
