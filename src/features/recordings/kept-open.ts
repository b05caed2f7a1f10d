import * as vscode from 'vscode';
import { uriOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import { keptOpen, OPEN_STATE, openState, type OpenState } from './open-state.ts';
import { absentOf, keyOf } from './recording-paths.ts';
import type { OpenRecording } from './recordings.ts';

/**
 * What is open comes back after a reload of the window: all recordings, which of them is current, and what is compared.
 * Restoring starts no program and asks nothing, so it is the same in a workspace that is not trusted, where the editor
 * brings reports back as well.
 */
export class KeptOpen implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[] = [];
  private kept: string | undefined;
  /** All is open again that can be; until then nothing is kept anew. */
  readonly restored: Promise<void>;

  constructor(private readonly services: Pick<Services, 'recordings' | 'comparison' | 'state' | 'log'>) {
    const { recordings, comparison, state, log } = services;
    this.kept = JSON.stringify(state.get<unknown>(OPEN_STATE));
    this.restored = this.restore()
      .catch((error: unknown) => log.error(`what was open cannot be opened again: ${String(error)}`))
      .then(() => {
        const keep = (): void => this.keep();
        this.subscriptions.push(recordings.onDidChange(keep), comparison.onDidChange(keep));
        keep();
      });
    recordings.restoring = this.restored;
  }

  private keep(): void {
    const { recordings, comparison, state } = this.services;
    const open = openState(recordings.all(), recordings.current, comparison.current);
    // A recording that is followed is renewed again and again, and what is open stays the same.
    const text = JSON.stringify(open) as string | undefined;
    if (text === this.kept) return;
    this.kept = text;
    void state.update(OPEN_STATE, open);
  }

  private async restore(): Promise<void> {
    const { recordings, state } = this.services;
    const wanted = keptOpen(state.get<unknown>(OPEN_STATE));
    if (wanted === undefined) return;
    const missing: string[] = [];
    for (const { paths, isLookedAt } of wanted.recordings) {
      missing.push(...(await absentOf(paths)));
      await recordings.bringBack(paths, isLookedAt);
      if (wanted.current !== undefined && keyOf(paths) === keyOf(wanted.current)) await recordings.chooseAgain(paths);
    }
    if (missing.length > 0) tellMissing(missing);
    await this.compareAgain(wanted);
  }

  private async compareAgain({ comparison: wanted }: OpenState): Promise<void> {
    const { recordings, comparison } = this.services;
    if (wanted === undefined || comparison.current !== undefined) return;
    const open = (side: readonly (readonly string[])[]): OpenRecording[] =>
      side.map((paths) => recordings.withPaths(paths)).filter((each) => each !== undefined);
    const [base, changed] = [open(wanted.base), open(wanted.new)];
    const isWhole = base.length === wanted.base.length && changed.length === wanted.new.length;
    if (isWhole && base.length > 0 && changed.length > 0) await comparison.compare(base, changed);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** Said once: what is missing is not kept again. */
function tellMissing(paths: readonly string[]): void {
  const names = paths.map((path) => vscode.workspace.asRelativePath(uriOf(path), false)).join(', ');
  void vscode.window.showWarningMessage(
    vscode.l10n.t('I/O Lens: what was open here is no longer there and was not opened again: {0}', names),
  );
}
