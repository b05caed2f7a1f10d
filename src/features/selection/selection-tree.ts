import * as vscode from 'vscode';
import type { Cost } from '../../analysis/gain/cost.ts';
import type { SelectionPart } from '../../analysis/selection/selection.ts';
import type { AmountDocument } from '../../export/analysis/documents.ts';
import { formatCount } from '../../base/quantities.ts';
import type { SelectionDocument } from './methods.ts';
import type { SelectedCalls } from './selected-calls.ts';
import type { SelectionModel } from './selection.ts';
import { partDescription, partIcon, partLabel } from './selection-text.ts';
import { amountText, placeName, recordedLines } from '../editor/tree-items.ts';

type SelectedAmount = AmountDocument & { readonly cost?: Cost };

type Group = 'lines' | 'files' | 'streams' | 'insights';

/** A row: a part of the breadcrumb, what it amounts to, and what takes part in it. */
export type SelectionRow =
  | { readonly kind: 'part'; readonly part: SelectionPart; readonly index: number }
  | { readonly kind: 'totals'; readonly totals: SelectionDocument['totals'] }
  | { readonly kind: 'reason'; readonly reason: string }
  | { readonly kind: 'group'; readonly group: Group; readonly total: number; readonly rows: readonly SelectionRow[] }
  | {
      readonly kind: 'thing';
      readonly label: string;
      readonly amount: SelectedAmount;
      readonly selects?: SelectionPart;
    }
  | { readonly kind: 'more'; readonly number: number };

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** The breadcrumb of what is selected; its rows lead back, and on. */
export class SelectionTree implements vscode.TreeDataProvider<SelectionRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly selection: SelectionModel,
    private readonly calls: SelectedCalls,
  ) {
    const fire = (): void => this.changed.fire();
    this.subscriptions = [selection.onDidChange(fire), calls.onDidChange(fire)];
  }

  getChildren(row?: SelectionRow): SelectionRow[] {
    if (row !== undefined) return row.kind === 'group' ? [...row.rows] : [];
    const parts = this.selection.current.map((part, index): SelectionRow => ({ kind: 'part', part, index }));
    const { current } = this.calls;
    // What was worked out belongs to the selection before until the answer comes.
    if (current?.selection !== this.selection.current) return parts;
    const { document } = current;
    if (document.reasons.length > 0)
      return [...parts, ...document.reasons.map((reason): SelectionRow => ({ kind: 'reason', reason }))];
    return [...parts, { kind: 'totals', totals: document.totals }, ...groupsOf(document)];
  }

  getTreeItem(row: SelectionRow): vscode.TreeItem {
    switch (row.kind) {
      case 'part':
        return partItem(row.part, row.index, this.selection.current.length);
      case 'totals':
        return totalsItem(row.totals);
      case 'reason': {
        const item = new vscode.TreeItem(vscode.l10n.t('Nothing: {0}', row.reason));
        item.iconPath = new vscode.ThemeIcon('circle-slash');
        item.tooltip = row.reason;
        return item;
      }
      case 'group':
        return groupItem(row);
      case 'thing':
        return thingItem(row);
      case 'more':
        return new vscode.TreeItem(vscode.l10n.t('{0} more', formatCount(row.number)));
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}

function groupsOf({ lines, files, streams, insights }: SelectionDocument): SelectionRow[] {
  const thing = (label: string, amount: SelectedAmount & { readonly selects?: SelectionPart }): SelectionRow => ({
    kind: 'thing',
    label,
    amount,
    ...(amount.selects && { selects: amount.selects }),
  });
  const group = (name: Group, total: number, rows: readonly SelectionRow[]): SelectionRow[] => {
    if (total === 0) return [];
    const more: SelectionRow[] = total > rows.length ? [{ kind: 'more', number: total - rows.length }] : [];
    return [{ kind: 'group', group: name, total, rows: [...rows, ...more] }];
  };
  return [
    ...group(
      'lines',
      lines.total,
      lines.first.map((line) => thing(placeName(line), line)),
    ),
    ...group(
      'files',
      files.total,
      files.first.map((file) => thing(file.path, file)),
    ),
    ...group(
      'streams',
      streams.total,
      streams.first.map((stream) => thing(streamName(stream), stream)),
    ),
    ...group(
      'insights',
      insights.length,
      insights.map((insight) => thing(`${insight.title} (${insight.code})`, insight)),
    ),
  ];
}

function streamName({ host, process, thread, rank }: SelectionDocument['streams']['first'][number]): string {
  return partLabel(rank === null ? { kind: 'process', host, process, thread } : { kind: 'rank', rank });
}

/** A click on a part that is not the last takes those behind it away; on the last it leads to its line. */
function partItem(part: SelectionPart, index: number, parts: number): vscode.TreeItem {
  const item = new vscode.TreeItem(partLabel(part), None);
  item.iconPath = partIcon(part);
  item.tooltip = partDescription(part);
  item.contextValue = 'selectionPart';
  item.description = index === 0 ? '' : vscode.l10n.t('of it');
  item.accessibilityInformation = { label: vscode.l10n.t('selected: {0}', partDescription(part)) };
  if (index < parts - 1)
    item.command = { command: 'iolens.selectionReturn', title: vscode.l10n.t('Back to This'), arguments: [index] };
  else if ('line' in part && part.file !== undefined)
    item.command = { command: 'iolens.openLine', title: vscode.l10n.t('Open'), arguments: [part.file, part.line] };
  return item;
}

function totalsItem({ counted, share, ...totals }: SelectionDocument['totals']): vscode.TreeItem {
  const { cost } = totals;
  const amount = amountText(totals, counted > 0 ? (cost?.shareOfRun ?? share) : undefined);
  const item = new vscode.TreeItem(amount);
  item.iconPath = new vscode.ThemeIcon('graph');
  // What findings leave out has the time that was recorded, and no cost.
  if (cost === undefined && totals.timeNs > 0) item.description = vscode.l10n.t('recorded');
  const left = totals.events - counted;
  item.tooltip = [
    amount,
    ...recordedLines(totals),
    ...(left > 0
      ? [
          vscode.l10n.t(
            '{0} of these calls are on files that findings leave out, or belong to start-up.',
            formatCount(left),
          ),
        ]
      : []),
  ].join('\n');
  item.accessibilityInformation = { label: vscode.l10n.t('in all {0}', amount) };
  return item;
}

function groupItem({ group, total }: Extract<SelectionRow, { kind: 'group' }>): vscode.TreeItem {
  const names = {
    lines: vscode.l10n.t('Lines'),
    files: vscode.l10n.t('Files'),
    streams: vscode.l10n.t('Processes and threads'),
    insights: vscode.l10n.t('Findings'),
  };
  const icons = { lines: 'location', files: 'files', streams: 'server-process', insights: 'lightbulb' };
  const item = new vscode.TreeItem(names[group], Collapsed);
  // So that what was unfolded stays so.
  item.id = `group ${group}`;
  item.description = formatCount(total);
  item.iconPath = new vscode.ThemeIcon(icons[group]);
  item.accessibilityInformation = { label: `${names[group]}: ${formatCount(total)}` };
  return item;
}

function thingItem({ label, amount, selects }: Extract<SelectionRow, { kind: 'thing' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(label, None);
  item.description = amountText(amount);
  item.tooltip = [selects === undefined ? label : partDescription(selects), ...recordedLines(amount)].join('\n');
  item.accessibilityInformation = { label: `${label}: ${item.description}` };
  if (selects !== undefined)
    item.command = { command: 'iolens.selectionNarrow', title: vscode.l10n.t('Narrow to This'), arguments: [selects] };
  return item;
}
