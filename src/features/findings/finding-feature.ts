import * as vscode from 'vscode';
import { formatDuration } from '../../base/quantities.ts';
import type { Contributions } from '../editor/contributions.ts';
import type { View } from '../editor/deferred-tree.ts';
import type { Services } from '../editor/services.ts';
import { callsText } from '../editor/tree-items.ts';
import { ViewOrder } from '../editor/tree-order.ts';
import { bindTree } from '../selection/selection-trees.ts';
import { activateDiagnostics } from './diagnostics.ts';
import type { DismissalScope } from './dismissal-rules.ts';
import { activateDismissActions, showDismissed, type Finding } from './dismissals.ts';
import { insightParts, InsightTree, type TreeRow } from './insight-tree.ts';
import { copyJobPatch } from './job-patch.ts';
import { PatternPictures } from './pattern-picture.ts';

/** Findings: at the lines of the source, in their view, and which of them the user wants to see. */
export class FindingFeature {
  readonly order: ViewOrder;
  readonly tree: InsightTree;
  private readonly view: View<TreeRow>;

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    const { recordings, dismissals, lineCosts, selectedCalls, selection, findingLines, state } = services;
    this.order = new ViewOrder(state, 'insights', ['severity', 'time', 'calls', 'bytes', 'name']);
    this.tree = new InsightTree(recordings, dismissals, lineCosts, this.order, selectedCalls);
    this.view = contributions.view<TreeRow>('insights');
    const { tree, view } = this.view;
    contributions.own(
      this.order,
      this.tree,
      tree.follow(this.tree),
      recordings.onDidChange(() => this.describe()),
      bindTree(
        view,
        { origin: 'insights', rowFor: (part) => this.tree.rowFor(part), partsOf: insightParts },
        selection,
        selectedCalls,
      ),
      activateDiagnostics(findingLines, recordings.lines, services.triedFixes),
      activateDismissActions(findingLines),
    );
    this.dismissals(contributions);
    const pictures = new PatternPictures(recordings, services.extension);
    contributions.own(pictures);
    contributions.command('showPicture', (about?: unknown) => pictures.show(about));
    contributions.command('copyJobPatch', (row?: unknown) => copyJobPatch(recordings, row));
    contributions.command('sortFindings', (order?: unknown) => this.order.choose(order));
  }

  private dismissals(contributions: Contributions): void {
    contributions.command('dismissHere', (finding?: unknown) => this.dismiss('place', finding));
    contributions.command('dismissInFile', (finding?: unknown) => this.dismiss('file', finding));
    contributions.command('dismissTrigger', (finding?: unknown) => this.dismiss('trigger', finding));
    contributions.command('restoreFinding', (row?: unknown) => this.restore(row));
    contributions.command('showDismissed', () => showDismissed(this.services.dismissals));
  }

  /** The view says how far a recording is that is still written. */
  private describe(): void {
    const { current } = this.services.recordings;
    const { durationNs, events } = current?.info ?? { durationNs: 0, events: 0 };
    this.view.view.description =
      current?.live === true ? vscode.l10n.t('● live: {0}, {1}', formatDuration(durationNs), callsText(events)) : '';
  }

  /**
   * @param argument from a quick fix or a tree's row; `'tree'` (the key) means the rows that are selected there. Without
   * it the findings on the cursor's line are meant, else the rows.
   */
  private async dismiss(scope: DismissalScope, argument?: unknown): Promise<void> {
    const fromTree = argument === 'tree';
    const findings = isFinding(argument) ? [argument] : fromTree ? this.selectedFindings() : this.findingsInFocus();
    if (findings.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('I/O Lens: put the cursor on a line with a finding, or select one in the tree.'),
      );
      return;
    }
    for (const finding of findings) await this.services.dismissals.dismiss(finding, scope);
  }

  private findingsInFocus(): readonly Finding[] {
    const { findingLines } = this.services;
    const editor = vscode.window.activeTextEditor;
    const here = editor === undefined ? [] : findingLines.at(editor.document, editor.selection.active.line);
    return here.length > 0 ? here : this.selectedFindings();
  }

  private async restore(row?: unknown): Promise<void> {
    const { dismissals } = this.services;
    const rows = isFinding(row) ? [row] : this.selectedFindings();
    if (rows.length === 0) await showDismissed(dismissals);
    for (const finding of rows) await dismissals.restore(finding);
  }

  private selectedFindings(): Finding[] {
    const rows: readonly unknown[] = this.view.view.selection;
    return rows.filter(isFinding);
  }
}

/** Rows of findings and of their places; a row of a finding has no place of its own. */
function isFinding(value: unknown): value is Finding {
  return typeof value === 'object' && value !== null && 'insight' in value && typeof value.insight === 'object';
}
