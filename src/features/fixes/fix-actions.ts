import * as vscode from 'vscode';
import type { Fix } from '../../analysis/fixes/fix.ts';
import { uriOf } from '../editor/locations.ts';

/** The command that shows a fix before it is made; see fix-preview.ts. */
export const PREVIEW_FIX = 'previewFix';

/**
 * The code actions of fixes: each change, and a look at it before it is made. One at most is preferred: the first that
 * repairs the call.
 */
export async function codeActions(
  fixes: readonly Fix[],
  diagnostics: vscode.Diagnostic[] = [],
): Promise<vscode.CodeAction[]> {
  const changes: vscode.CodeAction[] = [];
  const previews: vscode.CodeAction[] = [];
  for (const fix of fixes) {
    const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = diagnostics;
    action.edit = await workspaceEdit(fix);
    action.isPreferred = fix.kind === 'repair' && !changes.some(({ isPreferred }) => isPreferred === true);
    changes.push(action);
    if (fix.kind !== 'example') previews.push(previewAction(fix, diagnostics));
  }
  return [...changes, ...previews];
}

function previewAction(fix: Fix, diagnostics: vscode.Diagnostic[]): vscode.CodeAction {
  const title = vscode.l10n.t('Preview: {0}', fix.title);
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = diagnostics;
  action.command = { command: `iolens.${PREVIEW_FIX}`, title, arguments: [fix] };
  return action;
}

export async function workspaceEdit(fix: Fix): Promise<vscode.WorkspaceEdit> {
  const edit = new vscode.WorkspaceEdit();
  // A change of several files is shown before it is made.
  const several = new Set(fix.edits.map(({ file }) => file)).size > 1;
  const metadata = { label: fix.title, description: fix.note, needsConfirmation: several };
  for (const { file, start, end, text } of fix.edits) {
    const uri = uriOf(file);
    const document = await vscode.workspace.openTextDocument(uri);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(uri, range, text, metadata);
  }
  return edit;
}
