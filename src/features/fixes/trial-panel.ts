import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import { PagePanel, PanelPlace, type PanelKind } from '../editor/page-panel.ts';
import type { PanelAnswers, PanelHears } from '../editor/panel-end.ts';
import { FROM_TRIAL, TRIAL, type TrialLine, type TrialSubject } from './protocol.ts';

const KIND: PanelKind<TrialLine> = { ends: TRIAL, from: FROM_TRIAL, page: { name: 'trial', title: 'Tried Fix' } };

/** A trial that is shown, and what can be done with its fix. */
interface ShownTrial {
  readonly subject: TrialSubject;
  readonly markdown: string;
  /** Makes the change. @returns why it was not made, in words for the user; '' when it was. */
  readonly keep: () => Promise<string>;
}

/** The panel that shows what a trial found: one at a time, beside the source. */
export class TrialPanel extends PagePanel<TrialLine> {
  private static readonly place = new PanelPlace<TrialPanel>('iolens.trial');
  private drawnRuns: number | undefined;

  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- the page asks nothing
  override readonly answers: PanelAnswers<TrialLine> = {};
  override readonly hears: PanelHears<TrialLine> = {
    drawn: ({ runs }) => {
      this.drawnRuns = runs;
    },
    keep: () => this.keep(),
    discard: () => this.close(),
    copy: () => this.copy(),
  };

  private constructor(
    panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    private readonly trial: ShownTrial,
  ) {
    super(panel, extension, KIND);
    this.update();
  }

  static show(extension: vscode.Uri, trial: ShownTrial): void {
    TrialPanel.place.open(vscode.l10n.t('Tried Fix'), (panel) => new TrialPanel(panel, extension, trial));
  }

  /** The trial that is shown, and how many runs are on the screen; for tests. */
  static get shown(): { readonly trial: ShownTrial; readonly runs: number | undefined } | undefined {
    const { current } = TrialPanel.place;
    return current && { trial: current.trial, runs: current.drawnRuns };
  }

  override present(): void {
    this.say('subject', this.trial.subject);
  }

  private async keep(): Promise<void> {
    try {
      const problem = await this.trial.keep();
      if (problem === '') this.close();
      else this.say('said', problem);
    } catch (error) {
      this.say('said', messageOf(error));
    }
  }

  private async copy(): Promise<void> {
    await vscode.env.clipboard.writeText(this.trial.markdown);
    this.say('said', vscode.l10n.t('Copied: paste it into the merge request.'));
  }
}
