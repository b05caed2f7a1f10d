import * as vscode from 'vscode';
import type { Fix } from '../../analysis/fixes/fix.ts';
import { uriOf } from '../editor/locations.ts';
import { workspaceEdit } from './fix-actions.ts';

/** The texts of the documents that a fix was made for. */
type FixedVersions = ReadonlyMap<string, string>;

export async function versionsOf(fix: Fix): Promise<FixedVersions> {
  const files = [...new Set(fix.edits.map(({ file }) => file))];
  const documents = await Promise.all(files.map((file) => vscode.workspace.openTextDocument(uriOf(file))));
  return new Map(files.map((file, i) => [file, documents[i]!.getText()]));
}

/** Whether the documents are what they were. */
export async function areSame(versions: FixedVersions): Promise<boolean> {
  for (const [file, text] of versions)
    if ((await vscode.workspace.openTextDocument(uriOf(file))).getText() !== text) return false;
  return true;
}

/**
 * Makes a fix in the editor, and puts the cursor on the call that it changed.
 * @returns why it was not made, in words for the user; '' when it was.
 */
export async function keepFix(
  fix: Fix,
  place: { readonly file: string; readonly line: number },
  versions: FixedVersions,
): Promise<string> {
  if (!(await areSame(versions))) return vscode.l10n.t('The code was changed meanwhile. Ask for the fix again.');
  const target = changedCall(fix, place, versions);
  if (!(await vscode.workspace.applyEdit(await workspaceEdit(fix)))) return vscode.l10n.t('The change was not made.');
  const document = await vscode.workspace.openTextDocument(uriOf(target.file));
  const at = document.positionAt(target.offset);
  const line = document.lineAt(at.line);
  const selection = new vscode.Position(at.line, Math.max(at.character, line.firstNonWhitespaceCharacterIndex));
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(selection, selection) });
  return '';
}

/** Where the edit that is nearest to the finding stands once all are made. */
function changedCall(
  fix: Fix,
  { file, line }: { readonly file: string; readonly line: number },
  versions: FixedVersions,
): { readonly file: string; readonly offset: number } {
  const text = versions.get(file);
  const here = text === undefined ? fix.edits : fix.edits.filter((edit) => edit.file === file);
  const lineOf = (offset: number): number => (text ?? '').slice(0, offset).split('\n').length;
  const nearest = here.reduce((a, b) => (Math.abs(lineOf(b.start) - line) < Math.abs(lineOf(a.start) - line) ? b : a));
  const before = fix.edits.filter((edit) => edit.file === nearest.file && edit.start < nearest.start);
  const moved = before.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0);
  // An insertion may begin with the end of the line before.
  const blank = /^\s*/.exec(nearest.text)![0].length;
  return { file: nearest.file, offset: nearest.start + moved + (blank < nearest.text.length ? blank : 0) };
}
