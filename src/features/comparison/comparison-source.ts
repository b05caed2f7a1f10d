import * as vscode from 'vscode';
import type { ComparedLine, Measure } from '../../export/comparison/comparison-document.ts';
import { byteChange, countChange, timeChange } from '../../export/comparison/comparison-words.ts';
import { formatCount } from '../../base/quantities.ts';
import type { ComparisonModel, CurrentComparison } from './comparison.ts';
import { placesOf } from './comparison-places.ts';
import { matchText, verdictWord } from './comparison-tree.ts';
import { sides, withoutRange } from './measure-words.ts';
import { plain } from '../editor/markdown.ts';
import { ALL_FILES, pathOf } from '../editor/locations.ts';
import type { Recordings } from '../recordings/recordings.ts';

/** Shows at each compared line of the source what it cost on both sides. */
export class ComparisonSource implements vscode.CodeLensProvider, vscode.HoverProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly model: ComparisonModel,
    private readonly recordings: Recordings,
  ) {
    const fire = (): void => this.changed.fire();
    this.subscription = vscode.Disposable.from(
      model.onDidChange(fire),
      recordings.lines.onDidChange(fire),
      vscode.languages.registerCodeLensProvider(ALL_FILES, this),
      vscode.languages.registerHoverProvider(ALL_FILES, this),
    );
  }

  /** Lines whose calls or bytes changed, or whose time did by more than its spread. */
  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return this.linesOf(document)
      .filter(({ row }) => isChange(row))
      .map(({ row, at }) => {
        const title = lensTitle(row);
        const tooltip = [verdictWord(row.verdict), matchText(row)].filter((text) => text !== '').join('\n');
        return new vscode.CodeLens(new vscode.Range(at, 0, at, 0), {
          command: 'iolens.comparison.focus',
          title,
          tooltip,
        });
      });
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const rows = this.linesOf(document).filter(({ at }) => at === position.line);
    if (rows.length === 0) return undefined;
    return new vscode.Hover(rows.map(({ row }) => new vscode.MarkdownString(hoverText(row, this.model.current!))));
  }

  /** Compared lines of a document with where they stand now, counted from 0. */
  private linesOf(document: vscode.TextDocument): { row: ComparedLine; at: number }[] {
    const { current } = this.model;
    if (current === undefined) return [];
    const file = pathOf(document.uri);
    return current.document.lines.flatMap((row) =>
      placesOf(current, row)
        .filter(({ place }) => place.file === file)
        .map(({ place, recording }) => ({ row, at: this.recordings.lines.now(recording, file, place.line) - 1 }))
        .filter(({ at }) => at >= 0 && at < document.lineCount),
    );
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

function isChange({ verdict }: ComparedLine): boolean {
  return verdict !== 'unchanged' && verdict !== 'within the spread' && verdict !== 'noise unknown';
}

/** `4,096 → 1 writes, 71 ms → 2 ms`. */
function lensTitle(row: ComparedLine): string {
  const parts = [callsText(row)];
  if (row.bytes.difference === 'less' || row.bytes.difference === 'more') parts.push(byteChange(row.bytes));
  const time = row.costNs ?? row.timeNs;
  if (time !== null) parts.push(timeChange(withoutRange(time)));
  return parts.join(', ');
}

function callsText(row: ComparedLine): string {
  const names = [row.base, row.new].flatMap((place) => Object.keys(place?.calls ?? {}));
  const text = countChange(withoutRange(row.events));
  const all = (word: RegExp): boolean => names.length > 0 && names.every((name) => word.test(name));
  if (all(/write/)) return vscode.l10n.t('{0} writes', text);
  if (all(/read/)) return vscode.l10n.t('{0} reads', text);
  if (all(/^open|^creat/)) return vscode.l10n.t('{0} opens', text);
  if (all(/sync/)) return vscode.l10n.t('{0} synchronisations', text);
  return vscode.l10n.t('{0} calls', text);
}

/** Both sides of a line as a table; everything from recordings goes in as plain text. */
function hoverText(row: ComparedLine, { base, new: changed }: CurrentComparison): string {
  const head = vscode.l10n.t('Compared: {0}', verdictWord(row.verdict));
  const names = [base, changed].map((side) => plain(side.map(({ name }) => name).join(', ')));
  const line = (name: string, measure: Measure | null, format: (of: Measure) => string): string[] =>
    measure === null ? [] : [`| ${plain(name)} | ${sides(measure, format).map(plain).join(' | ')} |`];
  const table = [
    `| | ${names.join(' | ')} |`,
    '|---|--:|--:|',
    ...line(vscode.l10n.t('calls'), row.events, countChange),
    ...line(vscode.l10n.t('moved'), row.bytes, byteChange),
    ...line(vscode.l10n.t('cost'), row.costNs, timeChange),
    ...line(row.costNs === null ? vscode.l10n.t('time') : vscode.l10n.t('recorded'), row.timeNs, timeChange),
  ].join('\n');
  const calls = callNames(row);
  return [`**${plain(head)}**`, table, plain(calls), plain(matchText(row))].filter((part) => part !== '').join('\n\n');
}

function callNames({ base, new: changed }: ComparedLine): string {
  const names = new Set([...Object.keys(base?.calls ?? {}), ...Object.keys(changed?.calls ?? {})]);
  return [...names]
    .map((name) => {
      const [before, after] = [base?.calls[name] ?? 0, changed?.calls[name] ?? 0];
      return before === after
        ? `${formatCount(after)} × ${name}`
        : `${formatCount(before)} → ${formatCount(after)} × ${name}`;
    })
    .join(', ');
}
