import { host } from '#host';
import * as vscode from 'vscode';

/**
 * Files or folders that the user picks; undefined when none was.
 *
 * Dialogs of Windows and of Linux desktops pick either files or folders, and show folders alone when asked for both
 * (`OpenDialogOptions`): there the user says first which it is.
 *
 * @param button what the dialog's button says.
 */
export async function askForPlaces(
  title: string,
  button: string,
  canSelectMany: boolean,
): Promise<readonly vscode.Uri[] | undefined> {
  const kinds = picksBoth() ? { canSelectFiles: true, canSelectFolders: true } : await askForKind(title);
  if (kinds === undefined) return undefined;
  return vscode.window.showOpenDialog({ title, openLabel: button, ...kinds, canSelectMany });
}

type Kinds = Pick<vscode.OpenDialogOptions, 'canSelectFiles' | 'canSelectFolders'>;

/** The editor's own dialog, which remote and browser windows have, and that of macOS pick both. */
function picksBoth(): boolean {
  const isDesktop = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  return !isDesktop || host.dialogsPickBoth;
}

async function askForKind(title: string): Promise<Kinds | undefined> {
  const choices = [
    { label: vscode.l10n.t('$(file) A file'), canSelectFiles: true, canSelectFolders: false },
    {
      label: vscode.l10n.t('$(folder) A folder'),
      detail: vscode.l10n.t('recordings of several files: of each process, OTF2 archives, Recorder directories'),
      canSelectFiles: false,
      canSelectFolders: true,
    },
  ];
  return vscode.window.showQuickPick(choices, { title });
}
