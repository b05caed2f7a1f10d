import * as vscode from 'vscode';
import { PagePanel, PanelPlace, type PanelKind } from '../editor/page-panel.ts';
import type { PanelAnswers, PanelHears } from '../editor/panel-end.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import { viewComparison } from './comparison-content.ts';
import { shownFinding, shownPlace } from './comparison-places.ts';
import { ComparisonRows } from './comparison-rows.ts';
import { selectedParts } from './comparison-selection.ts';
import type { ComparisonRow } from './comparison-tree.ts';
import type { CurrentComparison } from './comparison.ts';
import { COMPARISON, FROM_COMPARISON, type ComparisonLine, type ComparisonTable } from './protocol.ts';

const KIND: PanelKind<ComparisonLine> = {
  ends: COMPARISON,
  from: FROM_COMPARISON,
  page: { name: 'comparison', title: 'Comparison' },
};

type Context = Pick<Services, 'extension' | 'recordings' | 'selection' | 'comparison'>;

/** The comparison as a page beside the source: one at a time. It follows the comparison, and goes with it. */
export class ComparisonPanel extends PagePanel<ComparisonLine> {
  private static readonly place = new PanelPlace<ComparisonPanel>('iolens.comparison');
  private rows: ComparisonRows;
  private drawnRows: number | undefined;

  override readonly answers: PanelAnswers<ComparisonLine> = {
    rows: ({ table, query }) => this.rows.page(table, query),
  };
  override readonly hears: PanelHears<ComparisonLine> = {
    drawn: ({ rows }) => {
      this.drawnRows = rows;
    },
    choose: ({ table, number }) => this.choose(table, number),
    showGraph: () => this.showGraph(),
    showTimeline: () => vscode.commands.executeCommand('iolens.compareTimeline'),
    swap: () => this.context.comparison.swap(),
  };

  private constructor(
    panel: vscode.WebviewPanel,
    private readonly context: Context,
    private shown: CurrentComparison,
  ) {
    super(panel, context.extension, KIND);
    this.rows = new ComparisonRows(shown.document);
    this.subscriptions.push(context.comparison.onDidChange(() => this.follow()));
  }

  /** Shows what is compared; nothing where nothing is. */
  static show(context: Context): void {
    const { place } = ComparisonPanel;
    const { current } = context.comparison;
    if (current === undefined) return;
    if (place.current !== undefined) place.current.reveal();
    else place.open(vscode.l10n.t('Comparison'), (panel) => new ComparisonPanel(panel, context, current));
  }

  /** Fills a panel that survived a reload of the window, once what was compared is compared again. */
  static async restore(panel: vscode.WebviewPanel, context: Context): Promise<void> {
    await context.recordings.restoring;
    const { current } = context.comparison;
    if (current === undefined) panel.dispose();
    else ComparisonPanel.place.take(panel, () => new ComparisonPanel(panel, context, current));
  }

  /** The comparison that is on the screen, and how many rows of it; for tests. */
  static get shown(): { readonly comparison: CurrentComparison; readonly rows: number } | undefined {
    const { current } = ComparisonPanel.place;
    return current?.drawnRows === undefined ? undefined : { comparison: current.shown, rows: current.drawnRows };
  }

  private follow(): void {
    const { current } = this.context.comparison;
    if (current === undefined) {
      this.close();
      return;
    }
    this.shown = current;
    this.rows = new ComparisonRows(current.document);
    this.drawnRows = undefined;
    this.update();
  }

  override present(): void {
    this.say('comparison', viewComparison(this.shown.document, this.shown));
  }

  /** Selects what a row is about in all views, and shows its source line where that is here. */
  private async choose(table: ComparisonTable, number: number): Promise<void> {
    const { shown, context } = this;
    const row = rowOf(shown, table, number);
    if (row === undefined) return;
    const parts = selectedParts(row);
    if (parts.length > 0) context.selection.select(parts, 'comparison');
    const at =
      row.kind === 'line'
        ? shownPlace(shown, row.line)
        : row.kind === 'insight'
          ? shownFinding(shown, row.insight)
          : undefined;
    if (at === undefined) return;
    const line = context.recordings.lines.now(at.recording, at.place.file, at.place.line);
    await openLine(at.place.file, line, false, sourceColumn(this.panel));
  }

  /** During a comparison the graph of the new side has the base's laid over it. */
  private async showGraph(): Promise<void> {
    await this.context.recordings.choose(this.shown.new[0]!);
    await vscode.commands.executeCommand('iolens.showGraph');
  }
}

/** A row of the page as the side bar's view has it. */
function rowOf(of: CurrentComparison, table: ComparisonTable, number: number): ComparisonRow | undefined {
  const { document } = of;
  if (table === 'findings') {
    const insight = document.insights[number];
    return insight && { kind: 'insight', of, insight };
  }
  if (table === 'lines') {
    const line = document.lines[number];
    return line && { kind: 'line', of, line };
  }
  const thing = document[table][number];
  return thing && { kind: 'thing', what: table, thing };
}
