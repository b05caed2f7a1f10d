import * as vscode from 'vscode';
import type { Contributions } from '../editor/contributions.ts';
import type { View } from '../editor/deferred-tree.ts';
import { recordingOf } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import { ComparisonPanel } from './comparison-panel.ts';
import { selectedParts } from './comparison-selection.ts';
import { ComparisonSource } from './comparison-source.ts';
import { ComparisonTree, type ComparisonRow } from './comparison-tree.ts';
import type { ComparisonModel } from './comparison.ts';

/** Comparing recordings: the choice of two sides, the view, and what the source shows of them. */
export class ComparisonFeature {
  readonly model: ComparisonModel;
  readonly tree: ComparisonTree;
  private readonly view: View<ComparisonRow>;

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    const { recordings, comparison: model } = services;
    this.model = model;
    this.tree = new ComparisonTree(model, recordings);
    this.view = contributions.view<ComparisonRow>('comparison');
    const { tree, view } = this.view;
    contributions.own(
      this.tree,
      new ComparisonSource(model, recordings),
      tree.follow(this.tree),
      view.onDidChangeSelection(({ selection: rows }) => this.select(rows[0])),
      model.onDidChange(() => this.describe()),
    );
    contributions.command('compareRecordings', (row?: unknown, other?: unknown) => this.compare(row, other));
    // The same in the menu of a recording's row, where it has another title.
    contributions.command('compareWith', (row?: unknown) => this.compare(row));
    contributions.command('showComparison', () => ComparisonPanel.show(services));
    contributions.panel('iolens.comparison', (panel) => ComparisonPanel.restore(panel, services));
    contributions.command('compareSwap', () => model.swap());
    contributions.command('compareStop', () => model.stop());
  }

  /**
   * Compares open recordings. @param row the recording that was clicked; @param other the one to compare it with, for
   * other extensions and tests. Without them the user is asked; of two recordings there is nothing to ask.
   */
  async compare(row?: unknown, other?: unknown): Promise<void> {
    const open = this.services.recordings.all();
    if (open.length < 2) {
      this.askToOpen();
      return;
    }
    const sides = await this.chooseSides(recordingOf(row), recordingOf(other));
    if (sides === undefined) return;
    if (!(await this.model.compare(sides.base, sides.new))) return;
    ComparisonPanel.show(this.services);
    await vscode.commands.executeCommand('iolens.comparison.focus');
  }

  /** Not waited for: the message stays until it is answered. */
  private askToOpen(): void {
    const openOne = vscode.l10n.t('Open Recording');
    const text = vscode.l10n.t('I/O Lens: a comparison takes two recordings: open another one.');
    void vscode.window.showInformationMessage(text, openOne).then((choice) => {
      if (choice !== undefined) void vscode.commands.executeCommand('iolens.openRecording');
    });
  }

  private async chooseSides(
    clicked: OpenRecording | undefined,
    other: OpenRecording | undefined,
  ): Promise<{ base: OpenRecording[]; new: OpenRecording[] } | undefined> {
    const open = this.services.recordings.all();
    if (clicked !== undefined && other !== undefined) return { base: [clicked], new: [other] };
    if (open.length === 2) {
      const [first, second] = inTime(open);
      return { base: [first!], new: [second!] };
    }
    if (clicked !== undefined) {
      const others = open.filter((recording) => recording !== clicked);
      const chosen = await pick(others, vscode.l10n.t('Compare {0} with', clicked.name), false);
      const [first, second] = chosen === undefined ? [] : inTime([clicked, chosen[0]!]);
      return second === undefined ? undefined : { base: [first!], new: [second] };
    }
    const hint = vscode.l10n.t('several are repetitions of one run');
    const base = await pick(inTime(open), vscode.l10n.t('Compare: the base ({0})', hint), true);
    if (base === undefined) return undefined;
    const rest = inTime(open).filter((recording) => !base.includes(recording));
    const changed = await pick(rest, vscode.l10n.t('Compare: what came after ({0})', hint), true);
    return changed === undefined ? undefined : { base, new: changed };
  }

  /** The comparison's page that is on the screen; for tests. */
  get page(): (typeof ComparisonPanel)['shown'] {
    return ComparisonPanel.shown;
  }

  /** What a row is about is selected in all views. */
  select(row: ComparisonRow | undefined): void {
    const parts = row === undefined ? [] : selectedParts(row);
    if (parts.length > 0) this.services.selection.select(parts, 'comparison');
  }

  private describe(): void {
    const { view } = this.view;
    const { current } = this.model;
    const names = (side: readonly OpenRecording[]): string => side.map(({ name }) => name).join(', ');
    view.description = current === undefined ? '' : `${names(current.base)} → ${names(current.new)}`;
  }
}

/** The recording that began first stands first; where a time is unknown they stay as they came. */
function inTime(recordings: readonly OpenRecording[]): OpenRecording[] {
  return [...recordings].sort((a, b) =>
    a.info.startTime === null || b.info.startTime === null ? 0 : a.info.startTime - b.info.startTime,
  );
}

async function pick(
  recordings: readonly OpenRecording[],
  title: string,
  canPickMany: boolean,
): Promise<OpenRecording[] | undefined> {
  const items = recordings.map((recording) => ({
    label: recording.name,
    description: recording.info.program,
    detail:
      recording.info.startTime === null
        ? ''
        : new Date(recording.info.startTime * 1000).toLocaleString(vscode.env.language),
    recording,
  }));
  const picked: unknown = await vscode.window.showQuickPick(items, { title, canPickMany });
  const chosen = (Array.isArray(picked) ? picked : picked === undefined ? [] : [picked]) as typeof items;
  return chosen.length === 0 ? undefined : chosen.map(({ recording }) => recording);
}
