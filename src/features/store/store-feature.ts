import * as vscode from 'vscode';
import type { Contributions } from '../editor/contributions.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import { isTrustedFor } from '../editor/trust.ts';
import { FleetPanel, type ShownStore } from './store-panel.ts';

const STORE_VIEW_TYPE = 'iolens.fleet';
/** In the folder of every store; its editor is the view of the store. */
const STORE_FILE = 'iolens-store.json';
/** Where the last store was, to begin with the next time. */
const LAST_STORE = 'iolens.lastStore';

/** Stores of many logs: their editors, and taking recordings in. */
export class StoreFeature implements vscode.Disposable {
  private readonly panels = new Set<FleetPanel>();

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    const { programs, context } = services;
    contributions.own(this);
    contributions.editor(STORE_VIEW_TYPE, (uri, panel) => this.show(uri, panel));
    contributions.command('openStore', (clicked?: unknown) => this.open(clicked));
    contributions.command('ingestFolder', (clicked?: unknown, selected?: unknown) => this.ingest(clicked, selected));
    contributions.command('installSqlEngine', () => programs.installSqlEngine(context));
  }

  /** Fills an editor that was opened on the file of a store. */
  private show(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    const { extension, recordings, state } = this.services;
    const shown = new FleetPanel(vscode.Uri.joinPath(uri, '..'), panel, {
      extension,
      recordings,
      ingest: (store) => void this.ingest(undefined, undefined, store),
    });
    this.panels.add(shown);
    void state.update(LAST_STORE, pathOf(shown.folder));
    panel.onDidDispose(() => {
      this.panels.delete(shown);
      shown.dispose();
    });
  }

  /** @param clicked the folder of a store, or its file; without it the user is asked. */
  async open(clicked?: unknown): Promise<void> {
    const chosen = clicked instanceof vscode.Uri ? clicked : await this.askForStore(vscode.l10n.t('Open Store'));
    if (chosen === undefined) return;
    const file = chosen.path.endsWith(`/${STORE_FILE}`) ? chosen : vscode.Uri.joinPath(chosen, STORE_FILE);
    if (await isThere(file)) {
      await vscode.commands.executeCommand('vscode.openWith', file, STORE_VIEW_TYPE);
      return;
    }
    const ingest = vscode.l10n.t('Ingest Folder…');
    const text = vscode.l10n.t(
      'I/O Lens: {0} is not a store ({1} is missing). A store is made by taking recordings in.',
      pathOf(chosen),
      STORE_FILE,
    );
    if ((await vscode.window.showErrorMessage(text, ingest)) === ingest) await this.ingest(chosen, undefined);
  }

  /**
   * Takes folders with recordings into a store, as a task.
   * @param clicked in the explorer, with all that is `selected` there; without it the user is asked.
   */
  async ingest(clicked?: unknown, selected?: unknown, into?: vscode.Uri): Promise<void> {
    const why = vscode.l10n.t(
      'I/O Lens: recordings are taken into stores in trusted workspaces only: this writes a store.',
    );
    if (!isTrustedFor(why)) return;
    const isUri = (value: unknown): value is vscode.Uri => value instanceof vscode.Uri;
    const list = Array.isArray(selected) ? selected.filter(isUri) : [];
    const folders = list.length > 0 ? list : isUri(clicked) ? [clicked] : await this.askForFolders();
    if (folders === undefined || folders.length === 0) return;
    const store = into ?? (await this.askForStore(vscode.l10n.t('Ingest into This Store')));
    if (store === undefined) return;
    const { programs, dist } = this.services;
    await programs.ingest(
      folders.map(({ fsPath }) => fsPath),
      store.fsPath,
      dist,
    );
    await this.look(store);
  }

  /** A store has more in it now: its editor reads it again, or opens. */
  private async look(store: vscode.Uri): Promise<void> {
    const open = [...this.panels].find(({ folder }) => folder.toString() === store.toString());
    if (open !== undefined) await open.refresh();
    else if (await isThere(vscode.Uri.joinPath(store, STORE_FILE))) await this.open(store);
  }

  private askForFolders(): Thenable<vscode.Uri[] | undefined> {
    return vscode.window.showOpenDialog({
      title: vscode.l10n.t('Ingest into a Store: Folders with Recordings'),
      openLabel: vscode.l10n.t('Ingest'),
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: true,
    });
  }

  private async askForStore(button: string): Promise<vscode.Uri | undefined> {
    const last = this.services.state.get<string>(LAST_STORE);
    const [chosen] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('The Folder of the Store'),
        openLabel: button,
        canSelectFiles: false,
        canSelectFolders: true,
        ...(last !== undefined && { defaultUri: uriOf(last) }),
      })) ?? [];
    return chosen;
  }

  /** What the editor of a store shows; for tests. */
  shownOf(folder: vscode.Uri): ShownStore | undefined {
    return [...this.panels].find((panel) => panel.folder.toString() === folder.toString())?.shown;
  }

  /** Why the editor of a store shows none; for tests. */
  failureOf(folder: vscode.Uri): string | undefined {
    return [...this.panels].find((panel) => panel.folder.toString() === folder.toString())?.failureMessage;
  }

  dispose(): void {
    for (const panel of this.panels) panel.dispose();
    this.panels.clear();
  }
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
