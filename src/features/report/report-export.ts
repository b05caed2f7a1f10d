import * as vscode from 'vscode';
import type { ReportExport } from './protocol.ts';
import { messageOf } from '../../base/error-message.ts';
import { uriOf, workspacePaths } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

const ENDINGS: Readonly<Record<ReportExport, { readonly ending: string; readonly name: string }>> = {
  html: { ending: 'html', name: 'HTML' },
  markdown: { ending: 'md', name: 'Markdown' },
};

/** Writes the report of a recording where the user says, and shows it: an HTML page prints well from the browser. */
export async function exportReport(
  recordings: Recordings,
  recording: OpenRecording,
  wanted?: ReportExport,
): Promise<vscode.Uri | undefined> {
  const format = wanted ?? (await askForFormat());
  if (format === undefined) return undefined;
  const { ending, name } = ENDINGS[format];
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export the Report of {0}', recording.name),
    defaultUri: uriOf(`${recording.paths[0]!.replace(/\/+$/, '')}.report.${ending}`),
    filters: { [name]: [ending] },
  });
  return target === undefined ? undefined : writeReport(recordings, recording, format, target);
}

/** @returns the file, or undefined when it could not be written; the user was told. */
export async function writeReport(
  recordings: Recordings,
  recording: OpenRecording,
  format: ReportExport,
  target: vscode.Uri,
): Promise<vscode.Uri | undefined> {
  try {
    const folders = workspacePaths();
    const text = await recordings.session.report.text([recording.id], { format, origin: origin(), folders });
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const reason = messageOf(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the report was not written: {0}', reason));
    return undefined;
  }
  // What is said about it waits for nobody.
  void showReport(format, target);
  return target;
}

/** As the command line writes it. */
function origin(): string {
  const { version } = vscode.extensions.getExtension('iolens.iolens')!.packageJSON as { version: string };
  return `Made by I/O Lens ${version} on ${new Date().toISOString().slice(0, 10)}.`;
}

async function showReport(format: ReportExport, target: vscode.Uri): Promise<void> {
  if (format === 'markdown') await vscode.commands.executeCommand('markdown.showPreview', target);
  // A browser here cannot open files of a machine that is elsewhere.
  else if (vscode.env.remoteName === undefined) await vscode.env.openExternal(target);
  else {
    const open = vscode.l10n.t('Show in Explorer');
    const said = vscode.l10n.t('I/O Lens: the report is in {0}.', target.path.split('/').at(-1)!);
    const choice = await vscode.window.showInformationMessage(said, open);
    if (choice === open) await vscode.commands.executeCommand('revealInExplorer', target);
  }
}

async function askForFormat(): Promise<ReportExport | undefined> {
  const choices: (vscode.QuickPickItem & { readonly format: ReportExport })[] = [
    {
      label: 'HTML',
      description: vscode.l10n.t('one page without scripts; print it from the browser'),
      format: 'html',
    },
    { label: 'Markdown', description: vscode.l10n.t('for issues and notes'), format: 'markdown' },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Print or Export the Report'),
    placeHolder: vscode.l10n.t('Choose the form of the report'),
  });
  return picked?.format;
}
