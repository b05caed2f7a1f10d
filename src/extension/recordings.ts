import * as vscode from 'vscode';
import type { AnalysisDocument, InfoDocument } from '../export/documents.ts';
import type { OpenHooks } from '../session/opened-recording.ts';
import type { SessionMethods } from '../session/session.ts';
import { openRequest } from './settings.ts';

/** A recording that is open in the editor. */
export interface OpenRecording {
  readonly id: number;
  /** Files or folders, as they were opened. */
  readonly paths: readonly string[];
  readonly name: string;
  readonly info: InfoDocument;
  readonly analysis: AnalysisDocument;
}

/** The recordings that are open. Everything in the editor that shows findings listens to it. */
export class Recordings implements vscode.Disposable {
  private readonly open: OpenRecording[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    readonly session: SessionMethods,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  all(): readonly OpenRecording[] {
    return this.open;
  }

  /** The recording that was opened last; commands without an argument mean it. */
  get current(): OpenRecording | undefined {
    return this.open.at(-1);
  }

  withPaths(paths: readonly string[]): OpenRecording | undefined {
    const key = paths.join('\0');
    return this.open.find((recording) => recording.paths.join('\0') === key);
  }

  /**
   * Opens a recording, with progress that can be cancelled.
   * @returns undefined when it was cancelled or could not be read; the user was told.
   */
  async add(paths: readonly string[]): Promise<OpenRecording | undefined> {
    const known = this.withPaths(paths);
    if (known !== undefined) await this.remove(known);
    const name = vscode.workspace.asRelativePath(paths[0]!, false);
    try {
      const recording = await this.loadWithProgress(paths, name);
      this.open.push(recording);
      this.announce(recording);
      await this.update();
      return recording;
    } catch (error) {
      this.fail(name, error);
      return undefined;
    }
  }

  /** What takes longer than a moment shows how far it is, and can be cancelled. */
  private async loadWithProgress(paths: readonly string[], name: string): Promise<OpenRecording> {
    const controller = new AbortController();
    let report: ((share: number | undefined) => void) | undefined;
    const loading = this.load(paths, name, { signal: controller.signal, progress: (share) => report?.(share) });
    const isShort = await Promise.race([
      loading.then(
        () => true,
        () => true,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, 700, false)),
    ]);
    if (isShort) return loading;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('I/O Lens: reading {0}', name),
      cancellable: true,
    };
    return vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => {
        controller.abort();
      });
      let last = 0;
      report = (share) => {
        const percent = Math.floor((share ?? 0) * 100);
        progress.report({ increment: percent - last, message: share === undefined ? '' : `${percent} %` });
        last = percent;
      };
      return loading;
    });
  }

  private async load(paths: readonly string[], name: string, hooks: OpenHooks): Promise<OpenRecording> {
    const started = performance.now();
    const { id, info } = await this.session.open(openRequest(paths), hooks);
    const read = performance.now();
    const analysis = await this.session.analysis([id]);
    const analysed = performance.now();
    this.log.info(
      `${name}: ${info.events} calls read in ${(read - started).toFixed(0)} ms, analysed in ${(analysed - read).toFixed(0)} ms`,
    );
    for (const { where, what, lost } of info.damage) this.log.warn(`${where}: ${what}; lost: ${lost}`);
    for (const { module, status, note } of analysis.symbols.modules)
      if (note !== '') this.log.info(`${module} (${status}): ${note}`);
    return { id, paths, name, info, analysis };
  }

  private announce({ name, info, analysis }: OpenRecording): void {
    const damage = info.damage.length > 0 ? ` ${damageText(info.damage.length)}` : '';
    const lacks = info.capabilities.stacks
      ? ''
      : ` ${vscode.l10n.t('It has no call stacks, so no source lines: record with strace -k.')}`;
    const places = analysis.insights.flatMap((insight) => insight.sites).filter((site) => site.isHere).length;
    const text = `${name}: ${foundText(analysis.insights.length, places)}${lacks}${damage}`;
    if (damage === '' && lacks === '') {
      vscode.window.setStatusBarMessage(`$(pulse) ${text}`, 8000);
      return;
    }
    void vscode.window.showWarningMessage(text, vscode.l10n.t('Show Log')).then((choice) => {
      if (choice !== undefined) this.log.show();
    });
  }

  private fail(name: string, error: unknown): void {
    if (error instanceof Error && error.name === 'CancelledError') return;
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(`${name}: ${message}`);
    void vscode.window.showErrorMessage(`I/O Lens: ${message}`, vscode.l10n.t('Show Log')).then((choice) => {
      if (choice !== undefined) this.log.show();
    });
  }

  async remove(recording: OpenRecording): Promise<void> {
    const index = this.open.indexOf(recording);
    if (index < 0) return;
    this.open.splice(index, 1);
    await this.session.close(recording.id);
    await this.update();
  }

  private async update(): Promise<void> {
    await vscode.commands.executeCommand('setContext', 'iolens.recordingOpen', this.open.length > 0);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function damageText(reports: number): string {
  return reports === 1
    ? vscode.l10n.t('It was read in part: 1 report of damage.')
    : vscode.l10n.t('It was read in part: {0} reports of damage.', reports);
}

/** Whole sentences: other languages put numbers and nouns together in other ways. */
function foundText(findings: number, places: number): string {
  if (findings === 0) return vscode.l10n.t('no finding.');
  if (findings === 1)
    return places === 1
      ? vscode.l10n.t('1 finding on 1 source line.')
      : vscode.l10n.t('1 finding on {0} source lines.', places);
  return places === 1
    ? vscode.l10n.t('{0} findings on 1 source line.', findings)
    : vscode.l10n.t('{0} findings on {1} source lines.', findings, places);
}
