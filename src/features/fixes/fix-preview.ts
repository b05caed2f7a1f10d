import * as vscode from 'vscode';
import { editedText } from '../../export/report/edited-text.ts';
import type { Fix } from '../../analysis/fixes/fix.ts';
import { PREVIEW_FIX, workspaceEdit } from './fix-actions.ts';
import type { Contributions } from '../editor/contributions.ts';
import { pathOf, uriOf } from '../editor/locations.ts';

const SCHEME = 'iolens-fix';

/** Shows what a fix would make of the code beside what is there, and makes it when the user says so. */
export function activateFixPreview(contributions: Contributions): void {
  const previews = new FixPreviews();
  contributions.own(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, previews),
    vscode.workspace.onDidCloseTextDocument((document) => previews.forget(document.uri)),
  );
  contributions.ownCommand(PREVIEW_FIX, (fix: Fix) => previews.show(fix));
  contributions.command('applyFix', (uri?: vscode.Uri) => previews.apply(uri));
}

/** A fix that is being looked at. */
interface Preview {
  readonly text: string;
  readonly fix: Fix;
  /** The documents that it was made for, and what they were then. */
  readonly versions: ReadonlyMap<vscode.TextDocument, number>;
}

class FixPreviews implements vscode.TextDocumentContentProvider {
  private readonly shown = new Map<string, Preview>();
  private next = 1;

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.shown.get(uri.toString())?.text;
  }

  forget(uri: vscode.Uri): void {
    this.shown.delete(uri.toString());
  }

  async show(fix: Fix): Promise<void> {
    const files = [...new Set(fix.edits.map(({ file }) => file))];
    const documents = await Promise.all(files.map((file) => vscode.workspace.openTextDocument(uriOf(file))));
    const versions = new Map(documents.map((document) => [document, document.version]));
    const pairs = documents.map((document) => [document.uri, this.preview(document, fix, versions)] as const);
    const [[here, there]] = pairs as [(typeof pairs)[number]];
    if (pairs.length === 1) await vscode.commands.executeCommand('vscode.diff', here, there, fix.title);
    else {
      const resources = pairs.map(([left, right]) => [left, left, right]);
      await vscode.commands.executeCommand('vscode.changes', fix.title, resources);
    }
    const apply = vscode.l10n.t('Apply');
    if ((await vscode.window.showInformationMessage(fix.note, apply)) === apply) await this.apply(there);
  }

  /** Makes the fix whose preview is open; without an argument the one in the active editor. */
  async apply(uri = vscode.window.activeTextEditor?.document.uri): Promise<void> {
    const preview = uri === undefined ? undefined : this.shown.get(uri.toString());
    if (preview === undefined) return;
    if ([...preview.versions].some(([document, version]) => document.isClosed || document.version !== version)) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('I/O Lens: the code was changed meanwhile. Ask for the fix again.'),
      );
      return;
    }
    if (!(await vscode.workspace.applyEdit(await workspaceEdit(preview.fix)))) return;
    // Where the preview was; first the code, then away with it: a group without tabs would close.
    const previews = (): vscode.Tab[] =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label === preview.fix.title);
    const viewColumn = previews()[0]?.group.viewColumn ?? vscode.ViewColumn.Active;
    const [document] = preview.versions.keys();
    await vscode.window.showTextDocument(document!, { viewColumn, preview: false });
    await vscode.window.tabGroups.close(previews());
  }

  /** A document with the text after the fix; its name tells the editor the language. */
  private preview(document: vscode.TextDocument, fix: Fix, versions: Preview['versions']): vscode.Uri {
    const uri = document.uri.with({ scheme: SCHEME, query: String(this.next++) });
    const edits = fix.edits.filter(({ file }) => file === pathOf(document.uri));
    this.shown.set(uri.toString(), { text: editedText(document.getText(), edits), fix, versions });
    return uri;
  }
}
