import * as vscode from 'vscode';
import type { ComparisonDocument } from '../../export/comparison/comparison-document.ts';
import { messageOf } from '../../base/error-message.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

/** Two sides of open recordings and what their comparison says; several of a side are repetitions. */
export interface CurrentComparison {
  readonly base: readonly OpenRecording[];
  readonly new: readonly OpenRecording[];
  readonly document: ComparisonDocument;
}

/** What is compared, by the paths that recordings are opened from: a recording that is read anew is another object. */
interface Wanted {
  readonly base: readonly (readonly string[])[];
  readonly new: readonly (readonly string[])[];
}

/**
 * The comparison of this window. All views that show two sides read it and listen to it. It follows when one of its
 * recordings is read anew, and ends when one is closed.
 */
export class ComparisonModel implements vscode.Disposable {
  private wanted: Wanted | undefined;
  private shown: CurrentComparison | undefined;
  /** The recordings of the last question, whether or not it is answered. */
  private sides: Pick<CurrentComparison, 'base' | 'new'> | undefined;
  /** Number of the last question: answers to earlier ones come too late. */
  private asked = 0;
  private readonly changed = new vscode.EventEmitter<void>();
  /** Another comparison, the same with newer recordings, or none from now on. */
  readonly onDidChange = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly recordings: Recordings) {
    this.subscription = recordings.onDidChange(() => this.follow());
  }

  /** Undefined while nothing is compared. */
  get current(): CurrentComparison | undefined {
    return this.shown;
  }

  /** @returns whether it is shown now; the user was told what is wrong. */
  async compare(base: readonly OpenRecording[], changed: readonly OpenRecording[]): Promise<boolean> {
    this.wanted = { base: base.map(({ paths }) => paths), new: changed.map(({ paths }) => paths) };
    return this.ask(base, changed);
  }

  async swap(): Promise<void> {
    if (this.shown !== undefined) await this.compare(this.shown.new, this.shown.base);
  }

  stop(): void {
    this.asked++;
    this.wanted = undefined;
    this.sides = undefined;
    this.show(undefined);
  }

  private async ask(base: readonly OpenRecording[], changed: readonly OpenRecording[]): Promise<boolean> {
    const number = ++this.asked;
    this.sides = { base, new: changed };
    const ids = (side: readonly OpenRecording[]): number[] => side.map(({ id }) => id);
    try {
      const location = { location: { viewId: 'iolens.comparison' } };
      const document = await vscode.window.withProgress(location, () =>
        this.recordings.session.comparison.compare(ids(base), ids(changed)),
      );
      if (number !== this.asked) return false;
      this.show({ base, new: changed, document });
      return true;
    } catch (error) {
      // A recording that was replaced meanwhile is asked for again by `follow`.
      if (number !== this.asked) return false;
      this.stop();
      const message = messageOf(error);
      void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the recordings cannot be compared: {0}', message));
      return false;
    }
  }

  private follow(): void {
    const { wanted, sides } = this;
    if (wanted === undefined) return;
    const open = (paths: readonly string[]): OpenRecording | undefined => this.recordings.withPaths(paths);
    const [base, changed] = [wanted.base.map(open), wanted.new.map(open)];
    if (!base.every(isOpen) || !changed.every(isOpen)) {
      this.stop();
      return;
    }
    const same = (before: readonly OpenRecording[] | undefined, now: readonly OpenRecording[]): boolean =>
      now.every((recording, i) => recording === before?.[i]);
    if (!same(sides?.base, base) || !same(sides?.new, changed)) void this.ask(base, changed);
  }

  private show(comparison: CurrentComparison | undefined): void {
    if (this.shown === undefined && comparison === undefined) return;
    this.shown = comparison;
    void vscode.commands.executeCommand('setContext', 'iolens.comparing', comparison !== undefined);
    this.changed.fire();
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

function isOpen(recording: OpenRecording | undefined): recording is OpenRecording {
  return recording !== undefined;
}
