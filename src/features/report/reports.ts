import * as vscode from 'vscode';
import { describesJob } from '../../export/analysis/info-traits.ts';
import { keptState } from '../../base/page-line.ts';
import { REPORT, type ReportExport } from './protocol.ts';
import type { Contributions, ShowFile } from '../editor/contributions.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import { PanelPlace } from '../editor/page-panel.ts';
import { recordingFor, recordingOf } from '../editor/places.ts';
import { openAgain } from '../editor/recording-panel.ts';
import type { Services } from '../editor/services.ts';
import { keyOf } from '../recordings/recording-paths.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import { exportReport, writeReport } from './report-export.ts';
import { ReportPanel } from './report-panel.ts';

/** The editor of files that only a report shows. */
const REPORT_VIEW_TYPE = 'iolens.report';
/** That of texts, which open as texts unless the user says otherwise. */
const TEXT_VIEW_TYPE = 'iolens.reportOfText';
/** The panel, for whatever no editor of a file can show: folders, and several files. */
const PANEL_VIEW_TYPE = 'iolens.summary';

/** Reports in editors of files and in a panel, and as files. */
export class Reports implements vscode.Disposable {
  private readonly panels = new Set<ReportPanel>();
  private readonly place = new PanelPlace<ReportPanel>(PANEL_VIEW_TYPE);

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.own(this);
    const show: ShowFile = (uri, panel, isRestored) => this.show(recordedPaths(uri), panel, isRestored);
    contributions.editor(REPORT_VIEW_TYPE, show);
    contributions.editor(TEXT_VIEW_TYPE, show);
    contributions.panel(PANEL_VIEW_TYPE, (panel, state) => this.restore(panel, state));
    contributions.command('showReport', async (row?: unknown) => {
      const recording = recordingFor(row, services.recordings);
      if (recording !== undefined) await this.open(recording);
    });
    // The row of a recording; the title bar of an editor hands its file over, which is not asked for.
    contributions.command('exportReport', async (argument?: unknown) => {
      await this.export(recordingOf(argument));
    });
  }

  /** Fills a panel, or an editor that was opened on a file. */
  private show(paths: readonly string[], panel: vscode.WebviewPanel, isRestored: boolean): ReportPanel {
    const shown = new ReportPanel(paths, panel, this.services, isRestored);
    this.panels.add(shown);
    panel.onDidDispose(() => {
      this.panels.delete(shown);
      shown.dispose();
      void this.closeOwn(shown);
    });
    return shown;
  }

  /** Fills the panel that survived a reload of the window; its recording is opened again. */
  private async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const paths = keptState(REPORT, state)?.paths ?? [];
    await this.services.recordings.restoring;
    if ((await openAgain(this.services.recordings, paths)) === undefined) panel.dispose();
    else this.place.take(panel, () => this.show(paths, panel, true));
  }

  /** What is shown of a file or of a recording; for tests. */
  shownOf(uri: vscode.Uri): ReportPanel['shown'] {
    return this.panelWith(recordedPaths(uri))?.shown;
  }

  failureOf(uri: vscode.Uri): string | undefined {
    return this.panelWith(recordedPaths(uri))?.failure;
  }

  private panelWith(paths: readonly string[]): ReportPanel | undefined {
    return [...this.panels].find((panel) => keyOf(panel.paths) === keyOf(paths));
  }

  /** Opens the report of a recording: the one that is there already, the editor of a Darshan log, or the panel. */
  private async open({ paths, name, info }: OpenRecording): Promise<void> {
    const there = this.panelWith(paths);
    if (there !== undefined) there.reveal();
    else if (describesJob(info) && paths.length === 1)
      await vscode.commands.executeCommand('vscode.openWith', uriOf(paths[0]!), REPORT_VIEW_TYPE);
    else {
      const title = vscode.l10n.t('Summary: {0}', name);
      this.place.open(title, (panel) => this.show(paths, panel, false));
    }
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
   * (docs/decisions/0050), and so does one that was opened anew before its first report was gone.
   */
  private async closeOwn({ ownRecording: recording, paths }: ReportPanel): Promise<void> {
    if (recording === undefined || isInSight(recording) || this.panelWith(paths) !== undefined) return;
    await this.services.recordings.remove(recording);
  }

  dispose(): void {
    for (const panel of this.panels) panel.dispose();
    this.panels.clear();
  }
}

/** What is opened for a file: one of the recorder library's processes stands for the recording, which is its folder. */
function recordedPaths(uri: vscode.Uri): string[] {
  return [pathOf(uri.path.endsWith('.iorec') ? vscode.Uri.joinPath(uri, '..') : uri)];
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
