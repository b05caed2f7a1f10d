import * as vscode from 'vscode';
import { shareOfRun } from '../../export/analysis/cost-text.ts';
import type { Dismissals } from '../findings/dismissals.ts';
import { HEAT_LEVELS, heatLevel, type HeatLevel } from './heat-level.ts';
import type { LineCosts } from './line-costs.ts';
import { isFile, pathOf } from '../editor/locations.ts';

/** A hot line of an editor. */
interface HotLine {
  /** Counted from 0. */
  readonly line: number;
  readonly level: HeatLevel;
}

/**
 * Shows what lines cost by their background, a mark with one to four bars in the gutter, and the overview ruler. The
 * numbers are in the hover: neither colour nor mark is the only way to them.
 */
export class Heat implements vscode.Disposable {
  private readonly decorations: Readonly<Record<HeatLevel, vscode.TextEditorDecorationType>>;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    extension: vscode.Uri,
    private readonly costs: LineCosts,
    private readonly dismissals: Dismissals,
  ) {
    this.decorations = {
      slight: decoration(extension, 'slight'),
      moderate: decoration(extension, 'moderate'),
      high: decoration(extension, 'high'),
      highest: decoration(extension, 'highest'),
    };
    const all = (): void => this.showAll();
    this.subscriptions = [
      costs.onDidChange(all),
      dismissals.onDidChange(all),
      vscode.window.onDidChangeVisibleTextEditors(all),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('iolens.heat')) all();
      }),
    ];
    all();
  }

  /** The lines of a document that are hot enough to be shown; none when heat is turned off. */
  linesOf(document: vscode.TextDocument): HotLine[] {
    if (!vscode.workspace.getConfiguration('iolens', document.uri).get<boolean>('heat', true)) return [];
    const shares = new Map<number, number>();
    for (const { recording, site, line } of this.costs.in(pathOf(document.uri))) {
      if (line >= document.lineCount || this.isDismissed(recording.analysis.insights, site.file, site.line)) continue;
      shares.set(line, (shares.get(line) ?? 0) + shareOfRun(site, site.share));
    }
    return [...shares].flatMap(([line, share]) => {
      const level = heatLevel(share);
      return level === undefined ? [] : [{ line, level }];
    });
  }

  /** The line has findings, and the user dismissed them all. */
  private isDismissed(insights: readonly Parameters<Dismissals['split']>[0][], file: string, line: number): boolean {
    const isHere = (site: { file: string; line: number }): boolean => site.file === file && site.line === line;
    const here = insights.filter(({ sites }) => sites.some(isHere));
    return here.length > 0 && !here.some((insight) => this.dismissals.split(insight).kept.some(isHere));
  }

  private showAll(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (!isFile(editor.document.uri)) continue;
      const lines = this.linesOf(editor.document);
      for (const level of HEAT_LEVELS) {
        const ranges = lines.filter((hot) => hot.level === level).map(({ line }) => new vscode.Range(line, 0, line, 0));
        editor.setDecorations(this.decorations[level], ranges);
      }
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const level of HEAT_LEVELS) this.decorations[level].dispose();
  }
}

function decoration(extension: vscode.Uri, level: HeatLevel): vscode.TextEditorDecorationType {
  const mark = (theme: string): vscode.Uri => vscode.Uri.joinPath(extension, 'media', `heat-${level}-${theme}.svg`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(`iolens.heat.${level}`),
    overviewRulerColor: new vscode.ThemeColor(`iolens.heatRuler.${level}`),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    light: { gutterIconPath: mark('light') },
    dark: { gutterIconPath: mark('dark') },
    gutterIconSize: 'contain',
  });
}
