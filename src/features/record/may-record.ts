import * as vscode from 'vscode';
import { isTrustedFor } from '../editor/trust.ts';

/** Whether programs may be recorded here; if not, the user was told. */
export function mayRecord(): boolean {
  return isTrustedFor(vscode.l10n.t('I/O Lens: programs are recorded in trusted workspaces only: this runs them.'));
}
