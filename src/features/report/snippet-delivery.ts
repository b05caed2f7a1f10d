import * as vscode from 'vscode';
import type { SnippetTarget } from './protocol.ts';
import { isFile } from '../editor/locations.ts';
import type { ReportSnippet } from './report-content.ts';

/** The editor's names of languages; which of them it knows depends on other extensions. */
const EDITOR_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  c: ['c'],
  cpp: ['cpp'],
  fortran: ['FortranFreeForm', 'fortran-modern', 'fortran'],
  python: ['python'],
  shell: ['shellscript'],
};

/**
 * Hands the code of a recommendation to the user.
 * @param column where a new file is opened.
 * @returns what became of it, for the user.
 */
export async function deliverSnippet(
  { code, language }: ReportSnippet,
  into: SnippetTarget,
  column: vscode.ViewColumn,
): Promise<string> {
  if (into === 'clipboard') {
    await vscode.env.clipboard.writeText(code);
    return vscode.l10n.t('Copied.');
  }
  const editor = into === 'editor' ? textEditor() : undefined;
  if (editor !== undefined) {
    // As a plain text: what looks like a placeholder in it is code. The editor indents it as its place is indented.
    await editor.insertSnippet(new vscode.SnippetString().appendText(code));
    await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? column });
    return vscode.l10n.t('Inserted at the cursor of {0}.', vscode.workspace.asRelativePath(editor.document.uri, false));
  }
  const document = await vscode.workspace.openTextDocument({ content: code, ...(await editorLanguage(language)) });
  await vscode.window.showTextDocument(document, { viewColumn: column, preview: false });
  return into === 'editor'
    ? vscode.l10n.t('No source is visible to insert it into: it is in a new file.')
    : vscode.l10n.t('It is in a new file.');
}

/** The text beside the report; the report itself is the active editor, and no text. */
function textEditor(): vscode.TextEditor | undefined {
  const texts = vscode.window.visibleTextEditors.filter(
    ({ document, viewColumn }) =>
      viewColumn !== undefined && (isFile(document.uri) || document.uri.scheme === 'untitled'),
  );
  return vscode.window.activeTextEditor ?? texts[0];
}

async function editorLanguage(language: string): Promise<{ language?: string }> {
  const known = await vscode.languages.getLanguages();
  const name = EDITOR_LANGUAGES[language]?.find((each) => known.includes(each));
  return name === undefined ? {} : { language: name };
}
