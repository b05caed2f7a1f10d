/**
 * Everything that works on open recordings. It is loaded with the first command, not at activation: an editor that only
 * starts pays nothing.
 */
import { host } from '#host';
import * as vscode from 'vscode';
import { CausesFeature } from './causes-feature.ts';
import type { FixMethods } from '../session/session.ts';
import type { StackLineFrame } from '../session/stack-lines.ts';
import { WorkerSession } from '../session/worker-session.ts';
import { activateBudget } from './budget.ts';
import { CallSiteTree } from './call-site-tree.ts';
import { walkToCaller } from './caller-walk.ts';
import { activateCodeLens } from './code-lens.ts';
import { askForPlaces } from './ask-for-places.ts';
import { activateDiagnostics } from './diagnostics.ts';
import type { DismissalScope } from './dismissal-rules.ts';
import { activateDismissActions, Dismissals, showDismissed, type Finding } from './dismissals.ts';
import { editorFileSystem } from './editor-file-system.ts';
import { exportEvents } from './event-export.ts';
import type { Views } from './extension.ts';
import { FileTree, type FileRow } from './file-tree.ts';
import { FindingLines } from './finding-lines.ts';
import { activateFixPreview } from './fix-preview.ts';
import { FleetFeature } from './fleet-feature.ts';
import { GraphPanel, type GraphContext } from './graph-panel.ts';
import { Heat } from './heat.ts';
import type { Recorder } from './host.ts';
import { activateHover } from './hover.ts';
import { InsightTree } from './insight-tree.ts';
import { ComparisonFeature } from './comparison-feature.ts';
import { copyJobPatch } from './job-patch.ts';
import { LineCosts } from './line-costs.ts';
import { OffsetPanel, type OffsetContext } from './offset-panel.ts';
import { openLine, placeOf, recordingFor, recordingOf } from './places.ts';
import { pathOf, uriOf } from './locations.ts';
import { AddedRecordings, JoinedRecordings } from './joined-recordings.ts';
import { LoopFeature } from './loop-feature.ts';
import { LiveRecordings } from './live.ts';
import { PatternPictures } from './pattern-picture.ts';
import { activatePythonFixes } from './python-fixes.ts';
import { activateQuickFixes } from './quick-fixes.ts';
import { showRecordedCalls } from './recorded-calls.ts';
import { learnedRules, SourceLocating } from './source-locating.ts';
import { Recordings, type OpenRecording } from './recordings.ts';
import { Reports } from './reports.ts';
import { SelectedCalls } from './selected-calls.ts';
import { SelectionFeature } from './selection-feature.ts';
import { SelectionModel } from './selection.ts';
import { changesReading, openRequest, sampleFolder } from './settings.ts';
import { chooseRecording, StatusBar } from './status-bar.ts';
import { TimelineFeature } from './timeline-feature.ts';
import { ViewOrder } from './tree-order.ts';
import { WorkflowFeature } from './workflow-feature.ts';

function workerSession(context: vscode.ExtensionContext): WorkerSession {
  const { script, folder, engineFolders } = host.sessionFiles(context);
  return new WorkerSession(script, { folder, engineFolders }, editorFileSystem(context.extensionUri));
}

export class Features {
  readonly recordings: Recordings;
  readonly sources: SourceLocating;
  readonly tasks: Recorder;
  readonly live: LiveRecordings;
  readonly selection: SelectionModel;
  readonly selectionFeature: SelectionFeature;
  readonly comparison: ComparisonFeature;
  readonly loops: LoopFeature;
  readonly dismissals: Dismissals;
  readonly heat: Heat;
  readonly statusBar: StatusBar;
  readonly reports: Reports;
  readonly joined: JoinedRecordings;
  readonly fleet: FleetFeature;
  readonly pictures: PatternPictures;
  readonly timeline: TimelineFeature;
  readonly orders: { readonly insights: ViewOrder; readonly sites: ViewOrder; readonly files: ViewOrder };
  readonly trees: { readonly insights: InsightTree; readonly sites: CallSiteTree; readonly files: FileTree };
  private readonly findings: FindingLines;
  readonly lineCosts: LineCosts;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly views: Views,
  ) {
    const log = vscode.window.createOutputChannel('I/O Lens', { log: true });
    const session = workerSession(context);
    // A menu of fixes cannot wait until a recording is read or analysed.
    const fixes = workerSession(context);
    const state = context.workspaceState;
    this.selection = new SelectionModel(state);
    const added = new AddedRecordings(state);
    this.recordings = new Recordings(
      session,
      log,
      () => learnedRules(state),
      (paths) => added.of(paths),
    );
    this.joined = new JoinedRecordings(this.recordings, added);
    this.fleet = new FleetFeature(context.extensionUri, this.recordings, state);
    this.sources = new SourceLocating(this.recordings, state);
    this.live = new LiveRecordings(this.recordings, log, views.insights.view);
    this.tasks = host.recorder(this.recordings, this.live, context);
    this.dismissals = new Dismissals(state);
    this.findings = new FindingLines(this.recordings, this.dismissals);
    this.lineCosts = new LineCosts(this.recordings);
    this.heat = new Heat(context.extensionUri, this.lineCosts, this.dismissals);
    this.statusBar = new StatusBar(this.recordings, this.dismissals);
    this.reports = new Reports(context.extensionUri, this.recordings, this.selection);
    this.pictures = new PatternPictures(this.recordings, context.extensionUri);
    this.timeline = new TimelineFeature(context.extensionUri, this.recordings, this.selection, this.lineCosts);
    this.orders = viewOrders(state);
    const calls = new SelectedCalls(this.recordings, this.selection);
    this.trees = this.makeTrees(calls);
    this.selectionFeature = new SelectionFeature(
      this.recordings,
      this.lineCosts,
      this.selection,
      calls,
      views,
      this.trees,
    );
    this.comparison = new ComparisonFeature(this.recordings, this.selection, views);
    this.loops = new LoopFeature(views.loops, this.recordings, this.lineCosts, this.selection, calls);
    context.subscriptions.push(
      ...[
        log,
        this.loops,
        this.selection,
        calls,
        this.selectionFeature,
        this.comparison,
        this.recordings,
        this.sources,
        this.live,
        this.tasks,
        this.dismissals,
        this.findings,
        this.lineCosts,
        this.heat,
        this.statusBar,
      ],
      ...this.inEditors(),
      ...Object.values(this.orders),
      ...Object.values(this.trees),
      ...this.inTheSource(fixes),
      { dispose: () => void Promise.all([session.dispose(), fixes.dispose()]) },
      ...this.fillViews(),
      ...this.followCursor(),
      this.followSettings(),
    );
  }

  private followSettings(): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (changesReading(event)) void this.offerReading();
    });
  }

  private makeTrees(calls: SelectedCalls): Features['trees'] {
    return {
      insights: new InsightTree(this.recordings, this.dismissals, this.lineCosts, this.orders.insights, calls),
      sites: new CallSiteTree(this.recordings, this.lineCosts, this.orders.sites, calls),
      files: new FileTree(this.recordings, this.lineCosts, this.orders.files, calls),
    };
  }

  /** What stands at the lines of the source. */
  private inTheSource(fixes: FixMethods): vscode.Disposable[] {
    const { lines } = this.recordings;
    return [
      activateDiagnostics(this.findings, lines),
      activateHover(this.findings, this.lineCosts),
      // Registered first, shown last: changes of the code stand above.
      activateDismissActions(this.findings),
      activateQuickFixes(this.findings, fixes, lines),
      activatePythonFixes(this.recordings, fixes),
      activateFixPreview(),
      activateBudget(this.recordings),
      activateCodeLens(this.recordings, this.lineCosts),
    ];
  }

  /** What has editors and panels of its own. */
  private inEditors(): { dispose(): unknown }[] {
    return [this.reports, this.fleet, this.pictures];
  }

  private fillViews(): vscode.Disposable[] {
    const { insights, sites, files } = this.views;
    const describe = (): void => {
      const name = this.recordings.current?.name;
      for (const { view } of [sites, files]) view.description = name ?? '';
    };
    return [
      insights.tree.follow(this.trees.insights),
      sites.tree.follow(this.trees.sites),
      files.tree.follow(this.trees.files),
      this.recordings.onDidChange(describe),
    ];
  }

  /** Keeps the context key `iolens.lineHasCalls`, for menus that only make sense on such a line. */
  private followCursor(): vscode.Disposable[] {
    let last: boolean | undefined;
    const look = (): void => {
      const editor = vscode.window.activeTextEditor;
      const hasCalls =
        editor !== undefined && this.lineCosts.at(editor.document, editor.selection.active.line).length > 0;
      if (hasCalls === last) return;
      last = hasCalls;
      void vscode.commands.executeCommand('setContext', 'iolens.lineHasCalls', hasCalls);
    };
    return [
      vscode.window.onDidChangeTextEditorSelection(look),
      vscode.window.onDidChangeActiveTextEditor(look),
      this.lineCosts.onDidChange(look),
    ];
  }

  /** Settings that recordings are read with have changed. */
  private async offerReading(): Promise<void> {
    if (this.recordings.all().length === 0) return;
    const again = vscode.l10n.t('Read Again');
    const text = vscode.l10n.t('I/O Lens: open recordings were read with other settings.');
    if ((await vscode.window.showInformationMessage(text, again)) === again) await this.recordings.reopen();
  }

  /** From the palette (asks), or from the explorer with what was clicked. */
  async open(clicked?: unknown, selected?: unknown): Promise<void> {
    const isUri = (value: unknown): value is vscode.Uri => value instanceof vscode.Uri;
    const list = Array.isArray(selected) ? selected.filter(isUri) : [];
    const uris =
      list.length > 0
        ? list
        : isUri(clicked)
          ? [clicked]
          : await askForPlaces(vscode.l10n.t('Open a Recording'), vscode.l10n.t('Open Recording'), true);
    if (uris === undefined || uris.length === 0) return;
    const recording = await this.recordings.add(uris.map(pathOf));
    if (recording !== undefined) await this.reveal(recording);
  }

  copyJobPatch(row: unknown): Promise<void> {
    return copyJobPatch(this.recordings, row);
  }

  /** The recording that comes with the extension. */
  async openSample(): Promise<void> {
    await this.open(uriOf(`${sampleFolder()}/heat.strace.gz`));
  }

  /** The source frames behind the lines of a stack in an open text. */
  stackLines(document: vscode.TextDocument, lines: readonly string[]): Promise<StackLineFrame[][]> {
    const file = pathOf(document.uri);
    const open = this.recordings
      .all()
      .find(({ paths }) => paths.some((at) => file === at || file.startsWith(`${at}/`)));
    return this.recordings.session.stackLines({
      lines,
      request: openRequest([file], learnedRules(this.context.workspaceState)),
      ...(open !== undefined && { recording: open.id }),
    });
  }

  /** Brings the costliest line into the editor. */
  private async reveal(recording: OpenRecording): Promise<void> {
    await vscode.commands.executeCommand('iolens.insights.focus');
    const site = recording.analysis.insights
      .flatMap((insight) => this.dismissals.split(insight).kept)
      .find(({ isHere, line }) => isHere && line > 0);
    if (site !== undefined) await openLine(site.file, this.recordings.lines.now(recording, site.file, site.line));
  }

  /** @param id of the recording that names the line; without it the current one is meant. */
  async openLine(file?: unknown, line?: unknown, id?: unknown): Promise<void> {
    if (typeof file !== 'string' || typeof line !== 'number') return;
    const recording = this.recordings.all().find((open) => open.id === id) ?? this.recordings.current;
    // The line may have moved since the recording was opened.
    await openLine(file, recording === undefined ? line : this.recordings.lines.now(recording, file, line));
  }

  async close(row?: unknown): Promise<void> {
    const recording = recordingOf(row) ?? this.recordings.current;
    if (recording !== undefined) await this.recordings.remove(recording);
  }

  /** @param wanted a recording's number (from a link) or its row; without it the user is asked. */
  async choose(wanted?: unknown): Promise<void> {
    const recording = recordingOf(wanted) ?? this.recordings.all().find(({ id }) => id === wanted);
    if (recording === undefined) await chooseRecording(this.recordings, this.dismissals);
    else await this.recordings.choose(recording);
  }

  /** @param row of a recording; without it the current one is meant. */
  follow(row?: unknown): void {
    this.live.follow(recordingOf(row));
  }

  async stopFollowing(row?: unknown): Promise<void> {
    await this.live.stop(recordingOf(row));
  }

  async record(): Promise<void> {
    await host.recordProgram(this.tasks, this.context.workspaceState);
  }

  async recordLaunch(name?: unknown): Promise<OpenRecording | undefined> {
    return host.recordLaunch(this.tasks, this.context.workspaceState, name);
  }

  showGraph(row?: unknown): void {
    const recording = recordingFor(row, this.recordings);
    if (recording !== undefined) GraphPanel.show(this.graphContext, recording);
  }

  /** @param row of a file; without one the user chooses in the view. */
  showOffsets(row?: unknown): OffsetPanel | undefined {
    const recording = isFileRow(row) ? row.recording : recordingFor(row, this.recordings);
    if (recording === undefined) return undefined;
    const file = isFileRow(row) ? { host: '', path: row.file.path } : undefined;
    return OffsetPanel.show(this.offsetContext, recording, file);
  }

  async restoreOffsets(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await OffsetPanel.restore(panel, this.offsetContext, state);
  }

  get causes(): CausesFeature {
    return new CausesFeature({ ...this.offsetContext, showReport: (recording) => this.reports.open(recording) });
  }

  private get offsetContext(): OffsetContext {
    return { extension: this.context.extensionUri, recordings: this.recordings, selection: this.selection };
  }

  private get graphContext(): GraphContext {
    return { ...this.offsetContext, comparison: this.comparison.model };
  }

  /** What the view of offsets shows; for tests. */
  get shownOffsets(): (typeof OffsetPanel)['shown'] {
    return OffsetPanel.shown;
  }

  /** Workflows of folders. */
  get workflow(): WorkflowFeature {
    return new WorkflowFeature(this.context.extensionUri, this.recordings);
  }

  async showReport(row?: unknown): Promise<void> {
    const recording = recordingFor(row, this.recordings);
    if (recording !== undefined) await this.reports.open(recording);
  }

  /** @param argument the row of a recording; the title bar of an editor hands its file over, which is not asked for. */
  async exportReport(argument?: unknown): Promise<void> {
    await this.reports.export(recordingOf(argument));
  }

  async exportEvents(row?: unknown): Promise<void> {
    const recording = recordingFor(row, this.recordings);
    if (recording !== undefined) await exportEvents(this.recordings, recording, this.dist);
  }

  async replay(row?: unknown): Promise<void> {
    const recording = recordingFor(row, this.recordings);
    if (recording !== undefined) await host.replayRecording(recording, this.dist);
  }

  private get dist(): string {
    return vscode.Uri.joinPath(this.context.extensionUri, 'dist').fsPath;
  }

  showInGraph(argument?: unknown): void {
    const place = placeOf(argument, this.recordings, this.lineCosts);
    if (place === undefined) return;
    const { recording, file } = place;
    const line = this.recordings.lines.now(recording, file, place.line);
    GraphPanel.show(this.graphContext, recording, { file, line });
  }

  async showRecordedCalls(argument?: unknown): Promise<void> {
    const place = placeOf(argument, this.recordings, this.lineCosts);
    if (place !== undefined) await showRecordedCalls(place, this.recordings);
  }

  async walkToCaller(argument?: unknown): Promise<void> {
    const place = placeOf(argument, this.recordings, this.lineCosts);
    if (place !== undefined) await walkToCaller(place, this.recordings);
  }

  /**
   * @param argument from a quick fix or a tree's row; `'tree'` (the key) means the rows that are selected there. Without
   * it the findings on the cursor's line are meant, else the rows.
   */
  async dismiss(scope: DismissalScope, argument?: unknown): Promise<void> {
    const fromTree = argument === 'tree';
    const findings = isFinding(argument) ? [argument] : fromTree ? this.selectedFindings() : this.findingsInFocus();
    if (findings.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('I/O Lens: put the cursor on a line with a finding, or select one in the tree.'),
      );
      return;
    }
    for (const finding of findings) await this.dismissals.dismiss(finding, scope);
  }

  private findingsInFocus(): readonly Finding[] {
    const editor = vscode.window.activeTextEditor;
    const here = editor === undefined ? [] : this.findings.at(editor.document, editor.selection.active.line);
    return here.length > 0 ? here : this.selectedFindings();
  }

  async restore(row?: unknown): Promise<void> {
    const rows = isFinding(row) ? [row] : this.selectedFindings();
    if (rows.length === 0) await this.showDismissed();
    for (const finding of rows) await this.dismissals.restore(finding);
  }

  private selectedFindings(): Finding[] {
    const rows: readonly unknown[] = this.views.insights.view.selection;
    return rows.filter(isFinding);
  }

  async showDismissed(): Promise<void> {
    await showDismissed(this.dismissals);
  }

  async toggle(setting: 'heat' | 'codeLens'): Promise<void> {
    const settings = vscode.workspace.getConfiguration('iolens');
    await settings.update(setting, settings.get(setting) !== true, vscode.ConfigurationTarget.Global);
  }

  async restoreGraph(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await GraphPanel.restore(panel, this.graphContext, state);
  }

  /** What the graph panel shows; for tests. */
  get shownGraph(): (typeof GraphPanel)['shown'] {
    return GraphPanel.shown;
  }

  get shownGraphSelection(): (typeof GraphPanel)['shownSelection'] {
    return GraphPanel.shownSelection;
  }
}

function viewOrders(state: vscode.Memento): Features['orders'] {
  return {
    insights: new ViewOrder(state, 'insights', ['severity', 'time', 'calls', 'bytes', 'name']),
    sites: new ViewOrder(state, 'sites', ['time', 'calls', 'bytes', 'name']),
    files: new ViewOrder(state, 'files', ['time', 'calls', 'bytes', 'name']),
  };
}

function isFileRow(row: unknown): row is Extract<FileRow, { kind: 'file' }> {
  return typeof row === 'object' && row !== null && 'kind' in row && row.kind === 'file';
}

/** Rows of findings and of their places; a row of a finding has no place of its own. */
function isFinding(value: unknown): value is Finding {
  return typeof value === 'object' && value !== null && 'insight' in value && typeof value.insight === 'object';
}
