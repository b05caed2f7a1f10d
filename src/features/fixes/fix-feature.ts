import * as vscode from 'vscode';
import type { Fix } from '../../analysis/fixes/fix.ts';
import type { WorkerSession } from '../../session/worker/worker-session.ts';
import type { Session } from '../answers/all-answers.ts';
import type { Contributions } from '../editor/contributions.ts';
import { uriOf } from '../editor/locations.ts';
import type { Services } from '../editor/services.ts';
import type { LineFinding } from '../findings/finding-lines.ts';
import { TRY_FIX } from './fix-actions.ts';
import { activateFixPreview } from './fix-preview.ts';
import { activatePythonFixes } from './python-fixes.ts';
import { activateQuickFixes, changesFor, placeOf } from './quick-fixes.ts';
import { TrialPanel } from './trial-panel.ts';
import { mayTry, tryFix, type FixPlace } from './try-fix.ts';

/** Changes of the code: of findings, of Python's lines while they are written, how they would look, and what they do. */
export class FixFeature implements vscode.Disposable {
  /** A menu of fixes cannot wait until a recording is read or analysed. */
  private readonly session: WorkerSession<Session>;

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    const { recordings, findingLines, startSession, state } = services;
    const session = startSession();
    this.session = session;
    contributions.own(
      activateQuickFixes(findingLines, session.topics.fixes, recordings.lines, state),
      activatePythonFixes(recordings, session.topics.fixes, state),
      this,
    );
    activateFixPreview(contributions);
    contributions.ownCommand(TRY_FIX, (fix: Fix, place: FixPlace) => tryFix(services, fix, place));
    contributions.command('tryFix', (row?: unknown) => this.try(row));
  }

  /** The trial that is shown; for tests. */
  get trial(): (typeof TrialPanel)['shown'] {
    return TrialPanel.shown;
  }

  /** @param row of a finding or a place; without it the cursor's line is meant. */
  private async try(row?: unknown): Promise<void> {
    if (!mayTry()) return;
    const { recordings, state } = this.services;
    const choices: FixChoice[] = [];
    for (const finding of this.findingsFor(row)) {
      const document = await vscode.workspace.openTextDocument(uriOf(finding.site.file));
      const fixes = await changesFor(finding, document, this.session.topics.fixes, recordings.lines, state);
      for (const fix of fixes) {
        const description = `${vscode.workspace.asRelativePath(document.uri)}:${finding.line + 1}`;
        choices.push({ label: fix.title, description, detail: fix.note, fix, place: placeOf(finding) });
      }
    }
    const chosen = choices.length > 1 ? await askFix(choices) : choices[0];
    if (chosen !== undefined) await tryFix(this.services, chosen.fix, chosen.place);
    else if (choices.length === 0)
      void vscode.window.showInformationMessage(
        vscode.l10n.t('I/O Lens: there is no fix here that changes the code: only an example, or none.'),
      );
  }

  private findingsFor(row: unknown): readonly LineFinding[] {
    const { findingLines } = this.services;
    const editor = vscode.window.activeTextEditor;
    if (!isFindingRow(row)) {
      return editor === undefined ? [] : findingLines.at(editor.document, editor.selection.active.line);
    }
    const sites = row.site === undefined ? row.insight.sites : [row.site];
    const files = [...new Set(sites.map(({ file }) => file))];
    return files.flatMap((file) => findingLines.in(file)).filter(({ site }) => sites.includes(site));
  }

  dispose(): void {
    void this.session.dispose();
  }
}

interface FixChoice extends vscode.QuickPickItem {
  readonly fix: Fix;
  readonly place: FixPlace;
}

function askFix(choices: readonly FixChoice[]): Thenable<FixChoice | undefined> {
  return vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('Try This Fix'),
    placeHolder: vscode.l10n.t('Which fix is built, run and compared?'),
  });
}

/** A row of a finding, or of one of its places. */
function isFindingRow(value: unknown): value is Pick<FixPlace, 'insight'> & { readonly site?: LineFinding['site'] } {
  return typeof value === 'object' && value !== null && 'insight' in value && typeof value.insight === 'object';
}
