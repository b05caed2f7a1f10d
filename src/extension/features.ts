/**
 * Everything that works on open recordings. It is loaded with the first command, not at activation: an editor that only
 * starts pays nothing.
 */
import * as vscode from 'vscode';
import type { StackLineFrame } from '../session/stack-lines.ts';
import { WorkerSession } from '../session/worker-session.ts';
import { activateDiagnostics } from './diagnostics.ts';
import { FindingLines } from './finding-lines.ts';
import { activateFixPreview } from './fix-preview.ts';
import { GraphPanel } from './graph-panel.ts';
import { activateHover } from './hover.ts';
import type { InsightTree, TreeRow } from './insight-tree.ts';
import { activatePythonFixes } from './python-fixes.ts';
import { activateQuickFixes } from './quick-fixes.ts';
import { recordProgram, runRecording } from './record-command.ts';
import { Recordings, type OpenRecording } from './recordings.ts';
import { openRequest, sampleFolder } from './settings.ts';

/** A line that a command is about. */
export interface PlaceArgument {
  readonly recording: number;
  readonly file: string;
  readonly line: number;
}

/** Events that "Show the recorded calls" lists. */
const MOST_EVENTS = 500;

export class Features {
  readonly recordings: Recordings;
  private readonly session: WorkerSession;

  constructor(
    private readonly context: vscode.ExtensionContext,
    tree: InsightTree,
  ) {
    const dist = vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath;
    const log = vscode.window.createOutputChannel('I/O Lens', { log: true });
    this.session = new WorkerSession(vscode.Uri.joinPath(context.extensionUri, 'dist', 'session-worker.js').fsPath, {
      folder: dist,
    });
    this.recordings = new Recordings(this.session, log);
    const findings = new FindingLines(this.recordings);
    context.subscriptions.push(
      log,
      this.recordings,
      findings,
      activateDiagnostics(findings),
      activateHover(findings),
      activateQuickFixes(findings, this.session),
      activatePythonFixes(this.recordings, this.session),
      activateFixPreview(),
      { dispose: () => void this.session.dispose() },
      this.recordings.onDidChange(() => {
        tree.show(this.recordings.all());
      }),
    );
  }

  /** From the palette (asks), or from the explorer with what was clicked. */
  async open(clicked?: vscode.Uri, selected?: readonly vscode.Uri[]): Promise<void> {
    const uris = clicked === undefined ? await askForRecording() : (selected ?? [clicked]);
    if (uris === undefined || uris.length === 0) return;
    if (uris.some(({ scheme }) => scheme !== 'file')) {
      void vscode.window.showErrorMessage(
        vscode.l10n.t(
          'I/O Lens: recordings are read from the machine that the extension runs on; this one is elsewhere.',
        ),
      );
      return;
    }
    const recording = await this.recordings.add(uris.map((uri) => uri.fsPath));
    if (recording !== undefined) await this.reveal(recording);
  }

  /** Brings the costliest line into the editor. */
  private async reveal(recording: OpenRecording): Promise<void> {
    await vscode.commands.executeCommand('iolens.insights.focus');
    const site = recording.analysis.insights
      .flatMap((insight) => insight.sites)
      .find(({ isHere, line }) => isHere && line > 0);
    if (site === undefined) return;
    const selection = new vscode.Range(site.line - 1, 0, site.line - 1, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(site.file), { selection, preview: true });
  }

  /** The recording that comes with the extension. */
  async openSample(): Promise<void> {
    await this.open(vscode.Uri.file(`${sampleFolder()}/heat.strace.gz`));
  }

  async close(row?: TreeRow): Promise<void> {
    const recording = row?.kind === 'recording' ? row.recording : this.recordings.current;
    if (recording !== undefined) await this.recordings.remove(recording);
  }

  async record(): Promise<void> {
    await recordProgram(this.recordings, this.context.workspaceState);
  }

  /** For other extensions and tests: records without asking. */
  async recordCommand(command: readonly string[], folder: vscode.WorkspaceFolder): Promise<string | undefined> {
    return runRecording(command, folder);
  }

  showGraph(row?: TreeRow): void {
    const recording = row?.kind === 'recording' ? row.recording : this.recordings.current;
    if (recording === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: open a recording first.'));
      return;
    }
    GraphPanel.show(this.context.extensionUri, this.recordings, recording);
  }

  showInGraph(place: PlaceArgument): void {
    const recording = this.recordings.all().find(({ id }) => id === place.recording);
    if (recording !== undefined) GraphPanel.show(this.context.extensionUri, this.recordings, recording, place);
  }

  /** Lets the user follow a number back to the lines of the recording. */
  async showRecordedCalls(place: PlaceArgument): Promise<void> {
    const events = await this.session.eventsAt(place.recording, place.file, place.line, MOST_EVENTS);
    const picked = await vscode.window.showQuickPick(
      events.map((event) => ({
        label: `${event.call} ${event.path}`,
        description: vscode.l10n.t('{0} B, process {1}', event.bytes, event.pid),
        detail: `${event.recording}:${event.line}`,
        event,
      })),
      {
        title: vscode.l10n.t('Calls of {0} as recorded', `${place.file.split('/').at(-1)!}:${place.line}`),
        matchOnDetail: true,
      },
    );
    if (picked === undefined) return;
    const selection = new vscode.Range(picked.event.line - 1, 0, picked.event.line - 1, 0);
    await vscode.window.showTextDocument(vscode.Uri.file(picked.event.recording), { selection });
  }

  /** The source frames behind the lines of a stack in an open text. */
  stackLines(document: vscode.TextDocument, lines: readonly string[]): Promise<StackLineFrame[][]> {
    const file = document.uri.fsPath;
    const open = this.recordings
      .all()
      .find(({ paths }) => paths.some((at) => file === at || file.startsWith(`${at}/`)));
    return this.session.stackLines({
      lines,
      request: openRequest([file]),
      ...(open !== undefined && { recording: open.id }),
    });
  }

  async restoreGraph(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await GraphPanel.restore(panel, this.context.extensionUri, this.recordings, state);
  }

  /** What the graph panel shows; for tests. */
  get shownGraph(): (typeof GraphPanel)['shown'] {
    return GraphPanel.shown;
  }
}

async function askForRecording(): Promise<vscode.Uri[] | undefined> {
  return vscode.window.showOpenDialog({
    title: vscode.l10n.t('Open a Recording'),
    openLabel: vscode.l10n.t('Open Recording'),
    canSelectFiles: true,
    canSelectFolders: true,
    canSelectMany: true,
  });
}
