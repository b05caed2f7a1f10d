import * as vscode from 'vscode';
import type { Fix, SourceEdit } from '../analysis/fixes/fix.ts';
import { PREVIEW_FIX, workspaceEdit } from './fix-actions.ts';

const SCHEME = 'iolens-fix';

/** Shows what a fix would make of the code beside what is there, and makes it when the user says so. */
export function activateFixPreview(): vscode.Disposable {
  const previews = new FixPreviews();
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, previews),
    vscode.workspace.onDidCloseTextDocument((document) => {
      previews.forget(document.uri);
    }),
    vscode.commands.registerCommand(PREVIEW_FIX, (fix: Fix) => previews.show(fix)),
  );
}

class FixPreviews implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private next = 1;

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.texts.get(uri.toString());
  }

  forget(uri: vscode.Uri): void {
    this.texts.delete(uri.toString());
  }

  async show(fix: Fix): Promise<void> {
    const files = [...new Set(fix.edits.map(({ file }) => file))];
    const documents = await Promise.all(files.map((file) => vscode.workspace.openTextDocument(vscode.Uri.file(file))));
    const versions = documents.map(({ version }) => version);
    const pairs = documents.map((document): [vscode.Uri, vscode.Uri] => [document.uri, this.preview(document, fix)]);
    const [only] = pairs;
    if (pairs.length === 1) await vscode.commands.executeCommand('vscode.diff', ...only!, fix.title);
    else {
      const resources = pairs.map(([here, there]) => [here, here, there]);
      await vscode.commands.executeCommand('vscode.changes', fix.title, resources);
    }
    const apply = vscode.l10n.t('Apply');
    if ((await vscode.window.showInformationMessage(fix.note, apply)) !== apply) return;
    if (documents.some(({ version }, at) => version !== versions[at])) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('I/O Lens: the code was changed meanwhile. Ask for the fix again.'),
      );
      return;
    }
    await vscode.workspace.applyEdit(await workspaceEdit(fix));
  }

  /** A document with the text after the fix; its name tells the editor the language. */
  private preview(document: vscode.TextDocument, fix: Fix): vscode.Uri {
    const uri = document.uri.with({ scheme: SCHEME, query: String(this.next++) });
    const edits = fix.edits.filter(({ file }) => file === document.uri.fsPath);
    this.texts.set(uri.toString(), edited(document.getText(), edits));
    return uri;
  }
}

function edited(text: string, edits: readonly SourceEdit[]): string {
  const fromTheEnd = [...edits].sort((a, b) => b.start - a.start || b.end - a.end);
  return fromTheEnd.reduce((all, { start, end, text: put }) => all.slice(0, start) + put + all.slice(end), text);
}
