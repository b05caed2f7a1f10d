import * as vscode from 'vscode';
import type { ReportExport } from '../messages/report-messages.ts';
import type { ViewReport } from '../messages/report-messages.ts';
import { pathOf, uriOf } from './locations.ts';
import type { OpenRecording, Recordings } from './recordings.ts';
import { REPORT_VIEW_TYPE } from './report-editor.ts';
import { exportReport, writeReport } from './report-export.ts';
import { ReportPanel } from './report-panel.ts';
import type { SelectionModel } from './selection.ts';

/** The editors that show reports of Darshan logs. */
export class Reports implements vscode.Disposable {
  private readonly panels = new Set<ReportPanel>();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly recordings: Recordings,
    private readonly selection: SelectionModel,
  ) {}

  /** Fills an editor that was opened on a file. */
  show(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    const shown = new ReportPanel(uri, panel, this.extension, this.recordings, this.selection);
    this.panels.add(shown);
    panel.onDidDispose(() => {
      this.panels.delete(shown);
      shown.dispose();
      void this.closeOwn(shown);
    });
  }

  /** What an editor shows of a file; for tests. */
  shownOf(uri: vscode.Uri): ViewReport | undefined {
    return this.panelOf(uri)?.shown;
  }

  failureOf(uri: vscode.Uri): string | undefined {
    return this.panelOf(uri)?.failure;
  }

  private panelOf(uri: vscode.Uri): ReportPanel | undefined {
    return [...this.panels].find((panel) => panel.uri.toString() === uri.toString());
  }

  /** Opens the report of a Darshan log. */
  async open(recording: OpenRecording): Promise<void> {
    if (recording.info.format !== 'darshan' || recording.paths.length !== 1) {
      const message = vscode.l10n.t('I/O Lens: only a Darshan log has a report in the editor; others can be exported.');
      void vscode.window.showInformationMessage(message);
      return;
    }
    const uri = uriOf(recording.paths[0]!);
    await vscode.commands.executeCommand('vscode.openWith', uri, REPORT_VIEW_TYPE);
  }

  /** Exports the report that has the focus, else that of the current recording. */
  async export(given?: OpenRecording, format?: ReportExport, target?: vscode.Uri): Promise<vscode.Uri | undefined> {
    const active = [...this.panels].find(({ isActive }) => isActive)?.recording;
    const recording = given ?? active ?? this.recordings.current;
    if (recording === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: open a recording first.'));
      return undefined;
    }
    return format !== undefined && target !== undefined
      ? writeReport(this.recordings, recording, format, target)
      : exportReport(this.recordings, recording, format);
  }

  /**
   * A log that was only looked at is closed with its report; one whose findings stand in a source that is still open stays
   * (docs/decisions/0050).
   */
  private async closeOwn({ ownRecording: recording }: ReportPanel): Promise<void> {
    if (recording === undefined || isInSight(recording)) return;
    await this.recordings.remove(recording);
  }

  dispose(): void {
    for (const panel of this.panels) panel.dispose();
    this.panels.clear();
  }
}

/** Whether a source with findings of the recording is open in a tab. */
function isInSight({ analysis }: OpenRecording): boolean {
  const sources = new Set(
    analysis.insights.flatMap(({ sites }) => sites.filter(({ isHere }) => isHere).map(({ file }) => file)),
  );
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(({ input }) => input instanceof vscode.TabInputText && sources.has(pathOf(input.uri)));
}
