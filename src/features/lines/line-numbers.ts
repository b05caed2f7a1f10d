import * as vscode from 'vscode';
import { shareOfRun } from '../../export/analysis/cost-text.ts';
import { formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type { FindingLines, LineFinding } from '../findings/finding-lines.ts';
import { heatLevel } from './heat-level.ts';
import type { LineCost, LineCosts } from './line-costs.ts';
import { isFile, pathOf } from '../editor/locations.ts';
import { callsText } from '../editor/tree-items.ts';

/** Lines that have their numbers behind them: of the setting `iolens.numbersOnLines`. */
type Numbered = 'findings' | 'hot' | 'off';

/** A line with its numbers. */
interface NumberedLine {
  /** Counted from 0. */
  readonly line: number;
  readonly text: string;
}

/**
 * Writes behind a line what its I/O costs, its calls, and what a repair would save: whoever reads the source need not ask
 * for it. A screen reader hears the same in the finding's message and in the hover.
 */
export class LineNumbers implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('descriptionForeground'), margin: '0 0 0 3em' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(
    private readonly costs: LineCosts,
    private readonly findings: FindingLines,
  ) {
    const all = (): void => this.showAll();
    this.subscriptions = [
      this.decoration,
      costs.onDidChange(all),
      findings.onDidChange(all),
      vscode.window.onDidChangeVisibleTextEditors(all),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('iolens.numbersOnLines')) all();
      }),
    ];
    all();
  }

  linesOf(document: vscode.TextDocument): NumberedLine[] {
    const numbered = vscode.workspace
      .getConfiguration('iolens', document.uri)
      .get<Numbered>('numbersOnLines', 'findings');
    if (numbered === 'off') return [];
    const byLine = new Map<number, LineCost[]>();
    for (const cost of this.costs.in(pathOf(document.uri)))
      if (cost.line < document.lineCount) byLine.set(cost.line, [...(byLine.get(cost.line) ?? []), cost]);
    return [...byLine].flatMap(([line, costs]) => {
      const found = this.findings.at(document, line).filter(({ insight }) => insight.severity !== 'ok');
      const share = costs.reduce((sum, { site }) => sum + shareOfRun(site, site.share), 0);
      const isWanted = found.length > 0 || (numbered === 'hot' && heatLevel(share) !== undefined);
      return isWanted ? [{ line, text: numbersOf(costs, share, found) }] : [];
    });
  }

  private showAll(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      if (!isFile(document.uri)) continue;
      const options = this.linesOf(document).map(({ line, text }): vscode.DecorationOptions => {
        const { end } = document.lineAt(line).range;
        return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: text } } };
      });
      editor.setDecorations(this.decoration, options);
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** `38 % of the run · 12,000 calls · a repair saves about 700 ms` */
function numbersOf(costs: readonly LineCost[], share: number, found: readonly LineFinding[]): string {
  const calls = costs.reduce((sum, { site }) => sum + site.events, 0);
  const isOfRun = costs.every(({ site }) => site.cost !== undefined);
  const parts = [
    isOfRun
      ? vscode.l10n.t('{0} of the run', formatShare(share))
      : vscode.l10n.t('{0} of the I/O recorded', formatShare(share)),
    callsText(calls),
    ...savingOf(found),
  ];
  return parts.join(' · ');
}

/** What the finding promises that saves most; savings of findings on one line are not added: they share its calls. */
function savingOf(found: readonly LineFinding[]): string[] {
  const [best] = found
    .filter(({ insight }) => (insight.gain.savedNs ?? 0) > 0)
    .sort((a, b) => b.insight.gain.savedNs! - a.insight.gain.savedNs!);
  if (best === undefined) return [];
  const { gain, sites } = best.insight;
  const saved = formatDuration(gain.savedNs!);
  return [
    sites.length === 1
      ? vscode.l10n.t('a repair saves about {0}', saved)
      : vscode.l10n.t('a repair of its {0} places saves about {1}', formatCount(sites.length), saved),
  ];
}
