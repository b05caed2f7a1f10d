import * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';
import type { Features } from './features.ts';

export const FLEET_VIEW_TYPE = 'iolens.fleet';
/** In the folder of every store; its editor is the view of the store. */
export const STORE_FILE = 'iolens-store.json';

/** The view of a store of many logs: the editor of its file, and what opens and fills stores. */
export function fleetEditor(command: RegisterCommand, features: () => Promise<Features>): vscode.Disposable[] {
  return [
    vscode.window.registerCustomEditorProvider(
      FLEET_VIEW_TYPE,
      {
        openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
        resolveCustomEditor: async ({ uri }, panel) => {
          (await features()).fleet.show(uri, panel);
        },
      },
      // Its answers go over a whole store: they are not thrown away when another tab is looked at.
      { supportsMultipleEditorsPerDocument: false, webviewOptions: { retainContextWhenHidden: true } },
    ),
    command('openStore', (all, clicked?: unknown) => all.fleet.open(clicked)),
    command('ingestFolder', (all, clicked?: unknown, selected?: unknown) => all.fleet.ingest(clicked, selected)),
  ];
}
