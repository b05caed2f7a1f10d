import { host } from '#host';
import * as vscode from 'vscode';
import { runFigures } from '../../export/analysis/run-figures.ts';
import { runText } from '../../export/analysis/run-text.ts';
import { formatDuration } from '../../base/quantities.ts';
import type { Dismissals } from '../findings/dismissals.ts';
import { findingsText, openFindings } from '../findings/insight-tree.ts';
import type { OpenRecording, Recordings } from './recordings.ts';
import type { Services } from '../editor/services.ts';
import { callsText } from '../editor/tree-items.ts';

/** One item at the left: the current recording and its findings. A click lists the recordings and what can be done. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly recordings: Recordings,
    private readonly dismissals: Dismissals,
  ) {
    this.item = vscode.window.createStatusBarItem('iolens.current', vscode.StatusBarAlignment.Left, 10);
    this.item.name = 'I/O Lens';
    this.item.command = 'iolens.chooseRecording';
    const show = (): void => this.show();
    this.subscriptions = [recordings.onDidChange(show), dismissals.onDidChange(show)];
    show();
  }

  /** What the item says; undefined when it is hidden. */
  get text(): string | undefined {
    return this.recordings.current === undefined ? undefined : this.item.text;
  }

  private show(): void {
    const { current } = this.recordings;
    if (current === undefined) {
      this.item.hide();
      return;
    }
    const findings = findingsText(openFindings(current, this.dismissals).length);
    const others = this.recordings.all().length - 1;
    const live = current.live === true ? `${vscode.l10n.t('● live')} ` : '';
    const run = current.analysis.run;
    const figures = run === null ? undefined : runFigures(run);
    const io = figures === undefined ? '' : `, ${figures.ioShare} I/O`;
    this.item.text = `$(pulse) ${live}${shortName(current.name)}: ${findings}${io}${others > 0 ? ` (+${others})` : ''}`;
    const open = others > 0 ? vscode.l10n.t('\n{0} more recordings are open.', others) : '';
    const summary = run === null ? undefined : runText(run);
    const first = vscode.l10n.t('I/O Lens: {0}, {1}.{2}', current.name, findings, open);
    this.item.tooltip = summary === undefined ? first : `${first}\n${summary}`;
    this.item.accessibilityInformation = {
      label: vscode.l10n.t('I/O Lens: recording {0}, {1}', `${live}${current.name}`, `${findings}${io}`),
      role: 'button',
    };
    this.item.show();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.item.dispose();
  }
}

function shortName(name: string): string {
  const last = name.split('/').at(-1)!;
  return last.length > 32 ? `${last.slice(0, 31)}…` : last;
}

type Choice = vscode.QuickPickItem & { readonly recording?: OpenRecording; readonly command?: string };

/** Lists the open recordings, to choose the one that the source shows, and what can be done with it. */
export async function chooseRecording({
  recordings,
  dismissals,
  live,
}: Pick<Services, 'recordings' | 'dismissals' | 'live'>): Promise<void> {
  const { current } = recordings;
  const open: Choice[] = recordings.all().map((recording) => ({
    label: `${recording === current ? '$(check)' : '$(circle-outline)'} ${recording.name}`,
    description: findingsText(openFindings(recording, dismissals).length),
    detail: `${callsText(recording.info.events)}, ${formatDuration(recording.info.durationNs)}`,
    recording,
  }));
  const action = (label: string, command: string, isPossible = true): Choice[] =>
    isPossible ? [{ label, command }] : [];
  const isOpen = current !== undefined;
  const choices: Choice[] = [
    ...open,
    { label: vscode.l10n.t('actions'), kind: vscode.QuickPickItemKind.Separator },
    ...action(vscode.l10n.t('$(type-hierarchy) Show Directly-Follows-Graph'), 'iolens.showGraph', isOpen),
    ...action(vscode.l10n.t('$(pulse) Show Timeline'), 'iolens.showTimeline', isOpen),
    ...action(vscode.l10n.t('$(stop-circle) Stop the Program'), 'iolens.stopProgram', live.isRecording),
    ...action(vscode.l10n.t('$(sync) Follow While It Is Written'), 'iolens.followRecording', isOpen && !current.live),
    ...action(vscode.l10n.t('$(debug-stop) Stop Following'), 'iolens.stopFollowing', current?.live),
    ...action(vscode.l10n.t('$(list-tree) Show Findings'), 'iolens.insights.focus', isOpen),
    ...action(vscode.l10n.t('$(eye) Show Dismissed Findings'), 'iolens.showDismissed', dismissals.all().length > 0),
    ...action(vscode.l10n.t('$(history) Recordings of This Workspace'), 'iolens.recentRecordings'),
    ...action(vscode.l10n.t('$(folder-opened) Open a Recording'), 'iolens.openRecording'),
    ...action(
      vscode.l10n.t('$(record) Record a Program'),
      'iolens.recordProgram',
      host.hasMachine && vscode.workspace.isTrusted,
    ),
    ...action(vscode.l10n.t('$(close) Close the Current Recording'), 'iolens.closeRecording', isOpen),
    ...action(vscode.l10n.t('$(output) Show Log'), 'iolens.showLog'),
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('I/O Lens Recordings'),
    placeHolder: vscode.l10n.t('Choose the recording that the source shows, or what to do'),
  });
  if (picked?.recording !== undefined) await recordings.choose(picked.recording);
  else if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
}
