import * as vscode from 'vscode';
import { machineText } from '../../export/analysis/machine-document.ts';
import { checkMachine } from '../../session/machine/machine-check.ts';
import { openRequest } from '../editor/settings.ts';
import { isTrustedFor } from '../editor/trust.ts';

const SCHEME = 'iolens-doctor';
const PLACE = vscode.Uri.from({ scheme: SCHEME, path: '/This Machine' });

/** The text of the last check, in a document that cannot be edited. */
class MachineTextProvider implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private text = '';

  provideTextDocumentContent(): string {
    return this.text;
  }

  show(text: string): void {
    this.text = text;
    this.changed.fire(PLACE);
  }
}

let provider: MachineTextProvider | undefined;

/**
 * "Check This Machine": what `iolens doctor` says, for the binaries of the settings. It starts programs, so it does nothing
 * in an untrusted workspace.
 */
export async function checkThisMachine(context: vscode.ExtensionContext): Promise<void> {
  const why = vscode.l10n.t('I/O Lens: the machine is checked in trusted workspaces only: this starts programs.');
  if (!isTrustedFor(why)) return;
  if (provider === undefined) {
    provider = new MachineTextProvider();
    context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider));
  }
  const { binaries, debugFolders } = openRequest([], []);
  const { version } = context.extension.packageJSON as { version: string };
  const resources = { folder: vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath };
  const progress = { location: vscode.ProgressLocation.Notification, title: 'I/O Lens: checking this machine' };
  const checked = await vscode.window.withProgress(progress, () =>
    checkMachine({ version, resources, binaries, debugFolders }),
  );
  provider.show(machineText(checked));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(PLACE), { preview: true });
}
