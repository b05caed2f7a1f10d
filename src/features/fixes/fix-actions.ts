import { host } from '#host';
import * as vscode from 'vscode';
import type { Fix } from '../../analysis/fixes/fix.ts';
import { uriOf } from '../editor/locations.ts';
import type { FixPlace } from './try-fix.ts';

/** The command that shows a fix before it is made; see fix-preview.ts. */
export const PREVIEW_FIX = 'previewFix';
/** The command that tries a fix; see try-fix.ts. */
export const TRY_FIX = 'tryThisFix';

/**
 * The code actions of fixes: each change, a look at it before it is made, and a trial where programs may be run; examples
 * come last. One at most is preferred: the first that repairs the call.
 * @param placeOf what a fix is for.
 */
export async function codeActions(
  fixes: readonly Fix[],
  placeOf: (fix: Fix) => FixPlace | undefined,
  diagnostics: vscode.Diagnostic[] = [],
): Promise<vscode.CodeAction[]> {
  const changes: vscode.CodeAction[] = [];
  const previews: vscode.CodeAction[] = [];
  const trials: vscode.CodeAction[] = [];
  const examples: vscode.CodeAction[] = [];
  for (const fix of fixes) {
    const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = diagnostics;
    action.edit = await workspaceEdit(fix);
    action.isPreferred = fix.kind === 'repair' && !changes.some(({ isPreferred }) => isPreferred === true);
    if (fix.kind === 'example') {
      examples.push(action);
      continue;
    }
    changes.push(action);
    previews.push(commandAction(vscode.l10n.t('Preview: {0}', fix.title), PREVIEW_FIX, [fix], diagnostics));
    const place = vscode.workspace.isTrusted && host.hasMachine ? placeOf(fix) : undefined;
    if (place === undefined) continue;
    trials.push(commandAction(vscode.l10n.t('Try: {0}', fix.title), TRY_FIX, [fix, place], diagnostics));
  }
  return [...changes, ...previews, ...trials, ...examples];
}

function commandAction(
  title: string,
  command: string,
  values: readonly unknown[],
  diagnostics: vscode.Diagnostic[],
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = diagnostics;
  action.command = { command: `iolens.${command}`, title, arguments: [...values] };
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
