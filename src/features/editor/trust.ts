import * as vscode from 'vscode';

/**
 * Whether something may be done that takes a trusted workspace. It is asked before anything else is: who has answered three
 * questions does not want to hear it.
 * @param why said to the user where it may not, beside the way to the editor's own page of trust.
 */
export function isTrustedFor(why: string): boolean {
  if (vscode.workspace.isTrusted) return true;
  const manage = vscode.l10n.t('Manage Workspace Trust');
  void vscode.window.showErrorMessage(why, manage).then((chosen) => {
    if (chosen === manage) void vscode.commands.executeCommand('workbench.trust.manage');
  });
  return false;
}
