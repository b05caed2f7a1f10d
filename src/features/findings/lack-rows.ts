import * as vscode from 'vscode';
import type { InfoDocument } from '../../export/analysis/documents.ts';
import { lackText } from '../../export/report/report-notes.ts';
import type { OpenRecording } from '../recordings/recordings.ts';

type Lack = InfoDocument['lacks'][number];

/** Rows below a recording: what it does not tell, each with the way to get it. */
export type LackRow =
  | { readonly kind: 'lacks'; readonly recording: OpenRecording }
  | { readonly kind: 'lack'; readonly recording: OpenRecording; readonly lack: Lack };

export function lacksOf({ recording }: Extract<LackRow, { kind: 'lacks' }>): LackRow[] {
  return recording.info.lacks.map((lack) => ({ kind: 'lack', recording, lack }));
}

export function lackItem(row: LackRow): vscode.TreeItem {
  if (row.kind === 'lacks') {
    const count = row.recording.info.lacks.length;
    const name = vscode.l10n.t('What it lacks');
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = String(count);
    item.iconPath = new vscode.ThemeIcon('question');
    item.contextValue = 'lacks';
    item.accessibilityInformation = { label: `${name}, ${count}` };
    return item;
  }
  const { lack, recording } = row;
  const item = new vscode.TreeItem(lack.what);
  item.description = lack.consequence;
  item.tooltip = lackText(lack);
  item.iconPath = new vscode.ThemeIcon('dash');
  item.contextValue = `lack.${lack.name}`;
  item.accessibilityInformation = { label: lackText(lack) };
  if (lack.name === 'sources') {
    const title = vscode.l10n.t('Locate Source File…');
    item.command = { command: 'iolens.locateSource', title, arguments: [{ recording }] };
  }
  return item;
}
