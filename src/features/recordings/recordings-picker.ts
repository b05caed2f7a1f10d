import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import type { RecentRecording, RecentRecordings } from './recent-recordings.ts';

interface Button extends vscode.QuickInputButton {
  readonly go: () => Promise<unknown>;
  /** The list is shown again afterwards. */
  readonly isOfList: boolean;
}

interface Row extends vscode.QuickPickItem {
  readonly buttons: readonly Button[];
  readonly go: () => unknown;
}

/** Lists the workspace's last recordings: what is done with one stands at its row. */
export async function pickRecording(recent: RecentRecordings): Promise<void> {
  const all = await recent.list();
  const rows = recent.newest(all).map((each) => rowOf(recent, each, all));
  const another: Row = {
    label: vscode.l10n.t('$(folder-opened) Open a Recording'),
    buttons: [],
    alwaysShow: true,
    go: () => vscode.commands.executeCommand('iolens.openRecording'),
  };
  const chosen = await ask([...rows, another]);
  await chosen?.go();
  if (chosen !== undefined && 'isOfList' in chosen && chosen.isOfList) await pickRecording(recent);
}

/** @returns the row or the button that was chosen. */
function ask(rows: readonly Row[]): Promise<Row | Button | undefined> {
  const picker = vscode.window.createQuickPick<Row>();
  picker.title = vscode.l10n.t('Recordings of This Workspace');
  picker.placeholder =
    rows.length > 1
      ? vscode.l10n.t('Open one of the last recordings')
      : vscode.l10n.t('No program was recorded here yet');
  picker.matchOnDescription = true;
  picker.items = rows;
  return new Promise<Row | Button | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedItems[0]));
    picker.onDidTriggerItemButton(({ button }) => resolve(button as Button));
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  }).finally(() => picker.dispose());
}

function rowOf(recent: RecentRecordings, each: RecentRecording, all: readonly RecentRecording[]): Row {
  const open = recent.openOf(each);
  const before = recent.before(each, all);
  const time = new Date(each.written).toLocaleString(vscode.env.language);
  const button = (icon: string, tooltip: string, isOfList: boolean, go: () => Promise<unknown>): Button => ({
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
    isOfList,
    go,
  });
  return {
    label: each.name,
    description: open === undefined ? time : vscode.l10n.t('{0}, open', time),
    buttons: [
      ...(before === undefined
        ? []
        : [button('diff', vscode.l10n.t('Compare with the Run Before'), false, () => recent.compare(before, each))]),
      ...(open?.live === true
        ? []
        : [
            button('edit', vscode.l10n.t('Rename'), true, () => rename(recent, each, all)),
            button('trash', vscode.l10n.t('Delete'), true, () => remove(recent, each)),
          ]),
    ],
    go: () => recent.open(each),
  };
}

async function rename(recent: RecentRecordings, each: RecentRecording, all: readonly RecentRecording[]): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename {0}', each.name),
    value: each.name,
    validateInput: (text) => whyNoName(text, each, all),
  });
  if (name !== undefined && name !== each.name) await trying(() => recent.rename(each, name));
}

function whyNoName(text: string, each: RecentRecording, all: readonly RecentRecording[]): string | undefined {
  if (text.trim() === '' || /^\.+$|[/\\\0]/.test(text)) return vscode.l10n.t('A file name, without folders');
  if (each.ending.startsWith('.strace') && text.endsWith('.stacks'))
    return vscode.l10n.t('A name that ends in .stacks is that of the call stacks of another recording');
  const isTaken = all.some(({ uri, name }) => name === text && uri !== each.uri);
  return isTaken ? vscode.l10n.t('There is a recording of that name') : undefined;
}

async function remove(recent: RecentRecordings, each: RecentRecording): Promise<void> {
  const yes = vscode.l10n.t('Delete');
  const question = vscode.l10n.t('I/O Lens: delete {0}?', each.name);
  const chosen = await vscode.window.showWarningMessage(question, { modal: true }, yes);
  if (chosen === yes && recent.openOf(each)?.live !== true) await trying(() => recent.remove(each));
}

async function trying(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    void vscode.window.showErrorMessage(`I/O Lens: ${messageOf(error)}`);
  }
}
