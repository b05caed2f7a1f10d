import * as vscode from 'vscode';
import { EVENT_ENDINGS, type FileFormat } from '../../export/events/event-formats.ts';
import { formatBytes } from '../../base/quantities.ts';
import { messageOf } from '../../base/error-message.ts';
import { uriOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import type { OpenRecording } from './recordings.ts';

type Needed = Pick<Services, 'recordings' | 'programs' | 'dist'>;

/** A file, or an OTF2 archive, which is a folder. */
type ExportFormat = FileFormat | 'otf2';

/** Writes the events of a recording for other programs, where the user says. */
export async function exportEvents(services: Needed, recording: OpenRecording): Promise<void> {
  const format = await askForFormat();
  if (format === undefined) return;
  const problem = format === 'otf2' ? await services.programs.archiveProblem() : '';
  if (problem !== '') {
    sayFailed(problem);
    return;
  }
  const ending = format === 'otf2' ? 'otf2' : EVENT_ENDINGS[format];
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export the Events of {0}', recording.name),
    defaultUri: uriOf(`${recording.paths[0]!.replace(/\/+$/, '')}.events.${ending}`),
    ...(format !== 'otf2' && { filters: { [format]: [ending] } }),
  });
  if (target !== undefined) await writeEvents(services, recording, format, target);
}

/** @returns whether the file was written; the user was told. */
async function writeEvents(
  { recordings, programs, dist }: Needed,
  recording: OpenRecording,
  format: ExportFormat,
  target: vscode.Uri,
): Promise<boolean> {
  const title = vscode.l10n.t('I/O Lens: exporting the events of {0}', recording.name);
  try {
    const bytes = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      format === 'otf2'
        ? programs.writeArchive(recordings.session, recording.id, target.fsPath, dist)
        : recordings.session.export.events(recording.id, format, target.fsPath),
    );
    // What is said about it waits for nobody.
    void announce(target, bytes);
    return true;
  } catch (error) {
    sayFailed(messageOf(error));
    return false;
  }
}

function sayFailed(reason: string): void {
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the events were not exported: {0}', reason));
}

async function announce(target: vscode.Uri, bytes: number): Promise<void> {
  const show = vscode.l10n.t('Show in Explorer');
  const text = vscode.l10n.t('I/O Lens: {0} of events are in {1}.', formatBytes(bytes), target.fsPath);
  if ((await vscode.window.showInformationMessage(text, show)) === show)
    await vscode.commands.executeCommand('revealFileInOS', target);
}

async function askForFormat(): Promise<ExportFormat | undefined> {
  const choices: (vscode.QuickPickItem & { readonly format: ExportFormat })[] = [
    { label: 'Parquet', description: vscode.l10n.t('for pandas, DuckDB, Spark'), format: 'parquet' },
    { label: 'CSV', description: vscode.l10n.t('for spreadsheets and scripts'), format: 'csv' },
    { label: 'Chrome Trace', description: vscode.l10n.t('for Perfetto'), format: 'chrome-trace' },
    { label: 'OTF2', description: vscode.l10n.t('an archive, for Vampir and other tools'), format: 'otf2' },
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Export Events'),
    placeHolder: vscode.l10n.t('Choose the form of the events'),
  });
  return picked?.format;
}
