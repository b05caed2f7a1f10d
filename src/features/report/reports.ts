import * as vscode from 'vscode';
import { describesJob } from '../../export/analysis/info-traits.ts';
import type { ReportExport } from './protocol.ts';
import type { ViewReport } from './protocol.ts';
import type { Contributions } from '../editor/contributions.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import { recordingFor, recordingOf } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import { exportReport, writeReport } from './report-export.ts';
import { ReportPanel } from './report-panel.ts';

const REPORT_VIEW_TYPE = 'iolens.report';

/** The editors that show reports of Darshan logs, and reports as files. */
export class Reports implements vscode.Disposable {
  private readonly panels = new Set<ReportPanel>();

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.own(this);
    contributions.editor(REPORT_VIEW_TYPE, (uri, panel, isRestored) => this.show(uri, panel, isRestored));
    contributions.command('showReport', async (row?: unknown) => {
      const recording = recordingFor(row, services.recordings);
      if (recording !== undefined) await this.open(recording);
    });
    // The row of a recording; the title bar of an editor hands its file over, which is not asked for.
    contributions.command('exportReport', async (argument?: unknown) => {
      await this.export(recordingOf(argument));
    });
  }

  /** Fills an editor that was opened on a file. */
  private show(uri: vscode.Uri, panel: vscode.WebviewPanel, isRestored: boolean): void {
    const shown = new ReportPanel(uri, panel, this.services, isRestored);
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
  private async open(recording: OpenRecording): Promise<void> {
    if (!describesJob(recording.info) || recording.paths.length !== 1) {
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
    const { recordings } = this.services;
    const recording = given ?? active ?? recordings.current;
    if (recording === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: open a recording first.'));
      return undefined;
    }
    return format !== undefined && target !== undefined
      ? writeReport(recordings, recording, format, target)
      : exportReport(recordings, recording, format);
  }

  /**
   * A log that was only looked at is closed with its report; one whose findings stand in a source that is still open stays
   * (docs/decisions/0050).
   */
  private async closeOwn({ ownRecording: recording }: ReportPanel): Promise<void> {
    if (recording === undefined || isInSight(recording)) return;
    await this.services.recordings.remove(recording);
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
