import * as vscode from 'vscode';
import { EVENT_ENDINGS, type FileFormat } from '../export/events/event-formats.ts';
import { formatBytes } from '../export/quantities.ts';
import { messageOf } from '../session/error-message.ts';
import { uriOf } from './locations.ts';
import type { OpenRecording, Recordings } from './recordings.ts';

/** Writes the events of a recording for other programs, where the user says. */
export async function exportEvents(recordings: Recordings, recording: OpenRecording): Promise<void> {
  const format = await askForFormat();
  if (format === undefined) return;
  const ending = EVENT_ENDINGS[format];
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export the Events of {0}', recording.name),
    defaultUri: uriOf(`${recording.paths[0]!.replace(/\/+$/, '')}.events.${ending}`),
    filters: { [format]: [ending] },
  });
  if (target !== undefined) await writeEvents(recordings, recording, format, target);
}

/** @returns whether the file was written; the user was told. */
export async function writeEvents(
  recordings: Recordings,
  recording: OpenRecording,
  format: FileFormat,
  target: vscode.Uri,
): Promise<boolean> {
  const title = vscode.l10n.t('I/O Lens: exporting the events of {0}', recording.name);
  try {
    const bytes = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      recordings.session.exportEvents(recording.id, format, target.fsPath),
    );
    // What is said about it waits for nobody.
    void announce(target, bytes);
    return true;
  } catch (error) {
    const reason = messageOf(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the events were not exported: {0}', reason));
    return false;
  }
}

async function announce(target: vscode.Uri, bytes: number): Promise<void> {
  const show = vscode.l10n.t('Show in Explorer');
  const text = vscode.l10n.t('I/O Lens: {0} of events stand in {1}.', formatBytes(bytes), target.fsPath);
  if ((await vscode.window.showInformationMessage(text, show)) === show)
    await vscode.commands.executeCommand('revealFileInOS', target);
}

async function askForFormat(): Promise<FileFormat | undefined> {
  const choices: (vscode.QuickPickItem & { readonly format: FileFormat })[] = [
    { label: 'Parquet', description: vscode.l10n.t('for pandas, DuckDB, Spark'), format: 'parquet' },
    { label: 'CSV', description: vscode.l10n.t('for spreadsheets and scripts'), format: 'csv' },
    { label: 'Chrome Trace', description: vscode.l10n.t('for Perfetto'), format: 'chrome-trace' },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Export Events'),
    placeHolder: vscode.l10n.t('Choose the form of the events'),
  });
  return picked?.format;
}
