import * as vscode from 'vscode';
import type { AnalysisDocument, InfoDocument, SitesDocument } from '../../export/analysis/documents.ts';
import { shownInsights } from '../../export/analysis/findings.ts';
import { messageOf } from '../../base/error-message.ts';
import type { AddedRecording, OpenRequest } from '../../session/reading/open-request.ts';
import type { OpenHooks } from '../../session/reading/opened-recording.ts';
import type { OpenResult } from '../../session/reading/open-recordings.ts';
import type { Session } from '../answers/all-answers.ts';
import type { PathRule } from '../../session/sources/source-prefixes.ts';
import { CurrentLines } from './current-lines.ts';
import { absentOf, keyOf, nameOf } from './recording-paths.ts';
import { openRequest } from '../editor/settings.ts';

/** A recording that is open in the editor. */
export interface OpenRecording {
  readonly id: number;
  /** Files or folders, as they were opened. */
  readonly paths: readonly string[];
  readonly name: string;
  readonly info: InfoDocument;
  /** With each place under the finding that names its cause. */
  readonly analysis: AnalysisDocument;
  /** All call sites, by time. */
  readonly sites: SitesDocument['sites'];
  /** It is still written, and followed. */
  readonly live?: boolean;
  /** Its report opened it, and nobody else: it goes with it. */
  readonly isLookedAt?: boolean;
}

/** The user cancelled; the session's errors of that name mean the same. */
class Cancelled extends Error {
  override name = 'CancelledError';
}

/** The recordings that are open. Everything in the editor that shows findings listens to it. */
export class Recordings implements vscode.Disposable {
  private readonly open: OpenRecording[] = [];
  /** What is being opened, by its paths. */
  private readonly loading = new Map<string, Promise<OpenRecording | undefined>>();
  private chosen: OpenRecording | undefined;
  /** Nobody chose the current one: it was the first that came back after a reload of the window. */
  private isMakeshift = false;
  /** Settles when what was open before a reload of the window is open again. */
  restoring: Promise<void> = Promise.resolve();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  /** Where the lines of recordings stand now. */
  readonly lines = new CurrentLines();

  /**
   * @param learned prefixes of source paths that were learned in this workspace.
   * @param added what was added to a recording in this workspace.
   */
  constructor(
    readonly session: Session,
    private readonly log: vscode.LogOutputChannel,
    private readonly learned: () => readonly PathRule[],
    private readonly added: (paths: readonly string[]) => readonly AddedRecording[],
  ) {}

  all(): readonly OpenRecording[] {
    return this.open;
  }

  /**
   * The recording that the source shows and that commands without an argument mean: the one that was opened or chosen
   * last (docs/decisions/0028).
   */
  get current(): OpenRecording | undefined {
    return this.chosen;
  }

  /** Makes an open recording the current one. */
  async choose(recording: OpenRecording): Promise<void> {
    // A row of a tree may hold the recording as it was a moment ago.
    const open = this.open.find(({ id }) => id === recording.id);
    if (open === undefined) return;
    this.isMakeshift = false;
    if (open === this.chosen) return;
    this.chosen = open;
    await this.update();
  }

  /** After a reload of the window: what was current is so again, unless somebody has chosen another meanwhile. */
  async chooseAgain(paths: readonly string[]): Promise<void> {
    const open = this.withPaths(paths);
    if (open !== undefined && this.isMakeshift) await this.choose(open);
    this.isMakeshift = false;
  }

  withPaths(paths: readonly string[]): OpenRecording | undefined {
    const key = keyOf(paths);
    return this.open.find((recording) => keyOf(recording.paths) === key);
  }

  /**
   * Opens a recording, with progress that can be cancelled. One that is open already is read anew, and stays as it is
   * when that fails.
   * @returns undefined when it was cancelled or could not be read; the user was told.
   */
  async add(paths: readonly string[]): Promise<OpenRecording | undefined> {
    const isUnderWay = this.loading.has(keyOf(paths));
    const recording = await this.once(paths, async () => {
      const read = await this.keep(await this.loadWithProgress(paths, this.nameOf(paths)));
      this.announce(read);
      return read;
    });
    // It may be one that was only brought back.
    if (isUnderWay && recording !== undefined) await this.choose(recording);
    return recording;
  }

  /**
   * Opens what was open before the window was loaded again, unless it is open already. The current recording stays what it
   * is, and nobody is told again what is wrong with it.
   * @returns undefined also where it is no longer there, which nobody is told here.
   */
  async bringBack(paths: readonly string[], isLookedAt = false): Promise<OpenRecording | undefined> {
    const known = this.withPaths(paths);
    if (known !== undefined) return known;
    if ((await absentOf(paths)).length > 0) return undefined;
    return this.once(paths, async () => {
      const read = await this.loadWithProgress(paths, this.nameOf(paths));
      return this.keep(isLookedAt ? { ...read, isLookedAt } : read, false);
    });
  }

  /** What is read anew keeps its name. */
  private nameOf(paths: readonly string[]): string {
    const known = this.withPaths(paths);
    return known?.name ?? nameOf(paths, new Set(this.open.map(({ name }) => name)));
  }

  /** What is being opened already is not opened a second time. The user is told why one cannot be read. */
  private once(paths: readonly string[], open: () => Promise<OpenRecording>): Promise<OpenRecording | undefined> {
    const key = keyOf(paths);
    const underWay = this.loading.get(key);
    if (underWay !== undefined) return underWay;
    const failed = (error: unknown): undefined => {
      this.fail(this.nameOf(paths), error);
    };
    const opening = open()
      .catch(failed)
      .finally(() => this.loading.delete(key));
    this.loading.set(key, opening);
    return opening;
  }

  /** Reads all open recordings anew, one after the other; the current one stays the current one. */
  async reopen(): Promise<void> {
    const current = this.chosen?.paths;
    for (const { paths } of [...this.open]) await this.add(paths);
    const chosen = current && this.withPaths(current);
    if (chosen !== undefined) await this.choose(chosen);
  }

  /**
   * Opens a recording for a report, which shows progress, damage and errors itself.
   * @param isChosen it becomes the current one.
   * @throws what the session throws; an error named `CancelledError` when `hooks.signal` was used.
   */
  async addQuietly(paths: readonly string[], isChosen: boolean, hooks: OpenHooks): Promise<OpenRecording> {
    const read = await this.load(paths, this.nameOf(paths), hooks);
    return this.keep({ ...read, isLookedAt: true }, isChosen);
  }

  /**
   * Opens a recording that is still written, in the place of what was read of the same files before; nobody is told.
   * @throws what the session throws, such as that there is no call yet.
   */
  async follow(paths: readonly string[]): Promise<OpenRecording> {
    const known = this.withPaths(paths);
    if (known === undefined) {
      const request = openRequest(paths, this.learned());
      const opening = (hooks: OpenHooks): Promise<OpenResult> => this.session.live.follow(request, undefined, hooks);
      return this.keep({ ...(await this.load(paths, this.nameOf(paths), {}, opening)), live: true });
    }
    const { id } = await this.session.live.follow(openRequest(paths, this.learned()), known.id);
    const found = await this.renew(id, true);
    if (found !== undefined) return found;
    // It was closed meanwhile.
    await this.session.recordings.close(id);
    throw new Cancelled();
  }

  /**
   * Asks anew for all that the session knows of a recording: it has read more of it, or (not `live`) all.
   * @returns undefined when it was closed meanwhile.
   */
  async renew(id: number, live: boolean): Promise<OpenRecording | undefined> {
    const found = await this.askAnew(id, live);
    if (found === undefined) return undefined;
    await this.update();
    if (!live) this.announce(found);
    return found;
  }

  private async askAnew(id: number, live: boolean | undefined): Promise<OpenRecording | undefined> {
    const [analysis, { sites }] = await Promise.all([
      this.session.findings.analysis([id]),
      this.session.lines.sites(id, 'line'),
    ]);
    const index = this.open.findIndex((open) => open.id === id);
    const before = this.open[index];
    if (before === undefined) return undefined;
    const shown = { ...analysis, insights: shownInsights(analysis.insights) };
    const info = analysis.recordings[0]!;
    const found: OpenRecording = { ...before, info, analysis: shown, sites, live: live ?? before.live === true };
    this.open[index] = found;
    this.lines.begin(found);
    if (this.chosen === before) this.chosen = found;
    return found;
  }

  /** In place of the one that was read from the same files before. */
  private async keep(recording: OpenRecording, isChosen = true): Promise<OpenRecording> {
    const replaced = this.withPaths(recording.paths);
    if (replaced === undefined) this.open.push(recording);
    else this.open[this.open.indexOf(replaced)] = recording;
    this.lines.begin(recording);
    if (isChosen || this.chosen === undefined || this.chosen === replaced) {
      this.chosen = recording;
      this.isMakeshift = !isChosen;
    }
    await this.update();
    if (replaced !== undefined) await this.session.recordings.close(replaced.id);
    return recording;
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
      token.onCancellationRequested(() => controller.abort());
      let last = 0;
      report = (share) => {
        const percent = Math.floor((share ?? 0) * 100);
        const message = share === undefined ? '' : share < 1 ? `${percent} %` : vscode.l10n.t('analysing');
        progress.report({ increment: percent - last, message });
        last = percent;
      };
      return loading;
    });
  }

  private request(paths: readonly string[]): OpenRequest {
    const added = this.added(paths);
    return { ...openRequest(paths, this.learned()), ...(added.length > 0 && { added }) };
  }

  private async load(
    paths: readonly string[],
    name: string,
    hooks: OpenHooks,
    open = (hooks: OpenHooks): Promise<OpenResult> => this.session.recordings.open(this.request(paths), hooks),
  ): Promise<OpenRecording> {
    const started = performance.now();
    const { id, info, phases, notes } = await open(hooks);
    const opened = performance.now();
    const [analysis, { sites }] = await Promise.all([
      this.session.findings.analysis([id]),
      this.session.lines.sites(id, 'line'),
    ]).catch(async (error: unknown) => {
      // What cannot be analysed is not kept in the worker either.
      await this.session.recordings.close(id).catch(() => undefined);
      throw error;
    });
    const ended = performance.now();
    if (hooks.signal?.aborted === true) {
      // The worker does not look up while it analyses: what it made is thrown away.
      await this.session.recordings.close(id);
      throw new Cancelled();
    }
    const parts = [
      `reading ${phases.readingMs.toFixed(0)} ms`,
      `resolving call stacks ${phases.resolvingMs.toFixed(0)} ms`,
      `analysing ${(ended - opened).toFixed(0)} ms`,
      `in all ${(ended - started).toFixed(0)} ms`,
    ];
    this.log.info(`${name}: ${info.events} calls: ${parts.join(', ')}`);
    for (const note of notes) this.log.info(`${name}: ${note}`);
    for (const { where, what, lost } of info.damage) this.log.warn(`${where}: ${what}; lost: ${lost}`);
    for (const note of info.notes) this.log.info(note);
    for (const problem of analysis.triggerProblems) this.log.warn(problem);
    for (const { module, status, note } of analysis.symbols.modules)
      if (note !== '') this.log.info(`${module} (${status}): ${note}`);
    for (const { note } of analysis.symbols.sources) if (note !== '') this.log.info(note);
    const shown = { ...analysis, insights: shownInsights(analysis.insights) };
    return { id, paths, name, info, analysis: shown, sites };
  }

  /** Says what is wrong with a recording; what was found in it stands in the status bar. */
  private announce({ name, info, analysis }: OpenRecording): void {
    if (analysis.triggerProblems.length > 0) void vscode.window.showWarningMessage(analysis.triggerProblems.join('. '));
    const damage = info.damage.length > 0 ? ` ${damageText(info.damage.length)}` : '';
    const lacks = info.capabilities.stacks
      ? ''
      : ` ${vscode.l10n.t('It has no call stacks, so no source lines: see what it lacks in the findings.')}`;
    if (damage === '' && lacks === '') return;
    void vscode.window
      .showWarningMessage(`I/O Lens: ${name}.${lacks}${damage}`, vscode.l10n.t('Show Log'))
      .then((choice) => {
        if (choice !== undefined) this.log.show();
      });
  }

  private fail(name: string, error: unknown): void {
    if (error instanceof Error && error.name === 'CancelledError') {
      this.log.info(`${name}: cancelled`);
      return;
    }
    const message = messageOf(error);
    this.log.error(`${name}: ${message}`);
    void vscode.window.showErrorMessage(`I/O Lens: ${message}`, vscode.l10n.t('Show Log')).then((choice) => {
      if (choice !== undefined) this.log.show();
    });
  }

  async remove(recording: OpenRecording): Promise<void> {
    const index = this.open.findIndex(({ id }) => id === recording.id);
    if (index < 0) return;
    this.open.splice(index, 1);
    if (this.chosen?.id === recording.id) this.chosen = this.open.at(-1);
    await this.session.recordings.close(recording.id);
    await this.update();
  }

  /** Looks for the sources of all open recordings again, by what was learned since. */
  async relocate(): Promise<void> {
    for (const { id } of [...this.open]) {
      await this.session.recordings.relocate(id, this.learned());
      await this.askAnew(id, undefined);
    }
    await this.update();
  }

  private async update(): Promise<void> {
    this.changed.fire();
    await vscode.commands.executeCommand('setContext', 'iolens.recordingOpen', this.open.length > 0);
    await vscode.commands.executeCommand('setContext', 'iolens.severalOpen', this.open.length > 1);
  }

  showLog(): void {
    this.log.show();
  }

  dispose(): void {
    this.lines.dispose();
    this.changed.dispose();
  }
}

function damageText(reports: number): string {
  return reports === 1
    ? vscode.l10n.t('It was read in part: 1 report of damage.')
    : vscode.l10n.t('It was read in part: {0} reports of damage.', reports);
}
