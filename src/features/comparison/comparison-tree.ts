import * as vscode from 'vscode';
import type {
  ComparedAmounts,
  ComparedFinding,
  ComparedInsight,
  ComparedLine,
  ComparedThing,
  ComparisonDocument,
  FindingChange,
  Measure,
  Verdict,
} from '../../export/comparison/comparison-document.ts';
import {
  byteChange,
  changedRows,
  countChange,
  onceMeasured,
  timeChange,
} from '../../export/comparison/comparison-words.ts';
import type { ComparisonModel, CurrentComparison } from './comparison.ts';
import { shownFinding, shownPlace } from './comparison-places.ts';
import { selectedParts } from './comparison-selection.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { findingsText } from '../findings/insight-tree.ts';
import { selecting } from '../selection/selection-trees.ts';
import { openCommand, placeName } from '../editor/tree-items.ts';

type ThingKind = 'functions' | 'files' | 'calls';
type GroupKind = FindingChange | 'lines' | ThingKind;

/** A row: the run → its sides; groups of findings by what became of them; lines and other things by their change. */
export type ComparisonRow =
  | { readonly kind: 'run'; readonly of: CurrentComparison }
  | { readonly kind: 'side'; readonly side: 'base' | 'new'; readonly recording: OpenRecording }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'group'; readonly group: GroupKind; readonly rows: readonly ComparisonRow[] }
  | { readonly kind: 'insight'; readonly of: CurrentComparison; readonly insight: ComparedInsight }
  | { readonly kind: 'line'; readonly of: CurrentComparison; readonly line: ComparedLine }
  | { readonly kind: 'thing'; readonly what: ThingKind | 'layers'; readonly thing: ComparedThing };

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
/** Rows of a group: a job can write a hundred thousand files, and nobody scrolls through them. */
const MOST_ROWS = 500;

const CHANGE_ORDER: readonly FindingChange[] = ['worse', 'new', 'mixed', 'better', 'gone', 'unchanged'];

const ICONS: Readonly<Record<Verdict, { readonly icon: string; readonly colour?: string }>> = {
  worse: { icon: 'arrow-up', colour: 'list.errorForeground' },
  new: { icon: 'add', colour: 'list.warningForeground' },
  better: { icon: 'arrow-down', colour: 'testing.iconPassed' },
  gone: { icon: 'check', colour: 'testing.iconPassed' },
  unchanged: { icon: 'dash' },
  'within the spread': { icon: 'dash' },
  mixed: { icon: 'arrow-both' },
  'noise unknown': { icon: 'question' },
};

/** What changed between the two sides that are compared. */
export class ComparisonTree implements vscode.TreeDataProvider<ComparisonRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly model: ComparisonModel,
    private readonly recordings: Recordings,
  ) {
    const fire = (): void => this.changed.fire();
    this.subscription = vscode.Disposable.from(model.onDidChange(fire), recordings.lines.onDidChange(fire));
  }

  getChildren(row?: ComparisonRow): ComparisonRow[] {
    const { current } = this.model;
    switch (row?.kind) {
      case undefined:
        return current === undefined ? [] : topRows(current);
      case 'run':
        return sidesOf(row.of);
      case 'group':
        return [...row.rows];
      default:
        return [];
    }
  }

  getTreeItem(row: ComparisonRow): vscode.TreeItem {
    const parts = selectedParts(row);
    const item = this.itemOf(row);
    return parts.length === 0 ? item : selecting(item, parts, 'comparison');
  }

  private itemOf(row: ComparisonRow): vscode.TreeItem {
    switch (row.kind) {
      case 'run':
        return runItem(row.of);
      case 'side':
        return sideItem(row);
      case 'note': {
        const item = new vscode.TreeItem(row.text);
        item.tooltip = row.text;
        item.iconPath = new vscode.ThemeIcon('info');
        return item;
      }
      case 'group':
        return groupItem(row);
      case 'insight':
        return this.insightItem(row.of, row.insight);
      case 'line':
        return this.lineItem(row.of, row.line);
      case 'thing':
        return thingItem(row);
    }
  }

  private insightItem(of: CurrentComparison, insight: ComparedInsight): vscode.TreeItem {
    const { title, code, change, reason } = insight;
    const side = insight.new === null ? 'base' : 'new';
    const finding = insight[side] ?? insight.base!;
    const item = new vscode.TreeItem(title, None);
    const where = placeOfFinding(finding);
    item.description = [where, changeReason(insight)].filter((text) => text !== '').join(': ');
    item.tooltip = `${code} ${title}${where === '' ? '' : `, ${where}`}\n${verdictWord(change)}: ${reason}\n${finding.message}`;
    item.iconPath = iconOf(change);
    item.contextValue = 'comparedInsight';
    item.accessibilityInformation = { label: `${verdictWord(change)}: ${title}, ${where}. ${reason}` };
    const shown = shownFinding(of, insight);
    if (shown !== undefined) {
      const now = (file: string, at: number): number => this.recordings.lines.now(shown.recording, file, at) - 1;
      item.command = openCommand(shown.place.file, shown.place.line, now);
    }
    return item;
  }

  private lineItem(of: CurrentComparison, line: ComparedLine): vscode.TreeItem {
    const shown = shownPlace(of, line);
    const place = line.new ?? line.base!;
    const item = new vscode.TreeItem(placeName(place), None);
    item.description = amountsText(line);
    item.tooltip = [
      `${place.file}${place.function === '' ? '' : `, ${place.function}`}`,
      verdictWord(line.verdict),
      matchText(line),
      place.source,
    ]
      .filter((text) => text !== '')
      .join('\n');
    item.iconPath = iconOf(line.verdict);
    item.contextValue = 'comparedLine';
    item.accessibilityInformation = { label: `${placeName(place)}, ${verdictWord(line.verdict)}: ${item.description}` };
    if (shown !== undefined) {
      const now = (file: string, at: number): number => this.recordings.lines.now(shown.recording, file, at) - 1;
      item.command = openCommand(shown.place.file, shown.place.line, now);
    }
    return item;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

function topRows(of: CurrentComparison): ComparisonRow[] {
  const { insights, lines } = of.document;
  const groups: { group: GroupKind; rows: ComparisonRow[] }[] = CHANGE_ORDER.map((change) => ({
    group: change,
    rows: insights
      .filter((insight) => insight.change === change)
      .map((insight): ComparisonRow => ({ kind: 'insight', of, insight })),
  }));
  groups.push({ group: 'lines', rows: changedRows(lines).map((line): ComparisonRow => ({ kind: 'line', of, line })) });
  for (const what of ['functions', 'files', 'calls'] as const) {
    const rows = changedRows(of.document[what]).map((thing): ComparisonRow => ({ kind: 'thing', what, thing }));
    groups.push({ group: what, rows });
  }
  const shown = groups.filter(({ rows }) => rows.length > 0);
  return [
    { kind: 'run', of },
    ...shown.map(({ group, rows }): ComparisonRow => ({ kind: 'group', group, rows: rows.slice(0, MOST_ROWS) })),
  ];
}

function sidesOf(of: CurrentComparison): ComparisonRow[] {
  return [
    ...of.base.map((recording): ComparisonRow => ({ kind: 'side', side: 'base', recording })),
    ...of.new.map((recording): ComparisonRow => ({ kind: 'side', side: 'new', recording })),
    ...of.document.notes.map((text): ComparisonRow => ({ kind: 'note', text })),
  ];
}

function runItem({ document: { total, run } }: CurrentComparison): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('The run: {0}', runWord(total, run)), Expanded);
  item.description = amountsText(total, runTime(run?.untracedNs ?? null));
  if (run !== null && total.costNs !== null) item.tooltip = vscode.l10n.t('recorded: {0}', timeChange(run.recordedNs));
  item.iconPath = iconOf(total.verdict);
  item.contextValue = 'comparedRun';
  item.accessibilityInformation = { label: `${verdictWord(total.verdict)}: ${item.description}` };
  return item;
}

function sideItem({ side, recording }: Extract<ComparisonRow, { kind: 'side' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(recording.name, None);
  item.description = side === 'base' ? vscode.l10n.t('base') : vscode.l10n.t('new');
  item.tooltip = `${recording.paths.join(' ')}\n${recording.info.program}\n${findingsText(recording.analysis.insights.length)}`;
  item.iconPath = new vscode.ThemeIcon('pulse');
  item.contextValue = 'comparedSide';
  item.accessibilityInformation = { label: `${item.description}: ${recording.name}` };
  return item;
}

function groupItem({ group, rows }: Extract<ComparisonRow, { kind: 'group' }>): vscode.TreeItem {
  const name = groupName(group);
  const isOpen = group !== 'unchanged' && group !== 'functions' && group !== 'files' && group !== 'calls';
  const item = new vscode.TreeItem(name, isOpen ? Expanded : Collapsed);
  item.description = String(rows.length);
  item.contextValue = `comparedGroup.${group}`;
  item.accessibilityInformation = { label: `${name}, ${rows.length}` };
  return item;
}

function thingItem({ what, thing }: Extract<ComparisonRow, { kind: 'thing' }>): vscode.TreeItem {
  const path = (thing.new ?? thing.base)!;
  const name = what === 'files' ? path.slice(path.lastIndexOf('/') + 1) : path;
  const item = new vscode.TreeItem(name === '' ? path : name, None);
  item.description = amountsText(thing);
  const both =
    thing.base === null || thing.new === null || thing.base === thing.new ? [] : [`${thing.base} → ${thing.new}`];
  item.tooltip = [...(both.length > 0 ? both : [path]), verdictWord(thing.verdict)].join('\n');
  item.iconPath = iconOf(thing.verdict);
  item.contextValue = 'comparedThing';
  item.accessibilityInformation = { label: `${path}, ${verdictWord(thing.verdict)}: ${item.description}` };
  return item;
}

/** `12 ms → 12 µs, 256 → 1 calls, 1 MiB → 4 KiB`: what matters most stands first, for side bars are narrow. */
function amountsText({ timeNs, costNs, events, bytes }: ComparedAmounts, time = timeChange(costNs ?? timeNs)): string {
  const movesAny = bytes.baseRange[1] + bytes.newRange[1] > 0;
  return [
    ...(timeNs === null ? [] : [time]),
    vscode.l10n.t('{0} calls', countChange(events)),
    ...(movesAny ? [byteChange(bytes)] : []),
  ].join(', ');
}

/** With one run on each side what was measured says more than that nothing follows from it, which stands behind it. */
function runWord({ verdict }: ComparedAmounts, run: ComparisonDocument['run']): string {
  const change = run === null ? null : onceMeasured(run.untracedNs);
  if (change === null) return verdictWord(verdict);
  const words = {
    less: () => vscode.l10n.t('{0} less time', change.amount),
    more: () => vscode.l10n.t('{0} more time', change.amount),
    times: () => vscode.l10n.t('{0} times as long', change.amount),
  };
  return words[change.way]();
}

function runTime(time: Measure | null): string {
  const text = timeChange(time);
  return time?.difference === 'noise unknown' ? vscode.l10n.t('{0}, one run each: no verdict', text) : text;
}

function placeOfFinding({ place, file }: ComparedFinding): string {
  if (place !== null) return placeName(place);
  return file === null ? '' : file.slice(file.lastIndexOf('/') + 1);
}

/** What changed in numbers; of what only one side has its group says enough. */
function changeReason({ base, new: changed, reason, change }: ComparedInsight): string {
  const isOneSided = (base === null || changed === null) && change !== 'unchanged';
  return isOneSided ? '' : reason;
}

function iconOf(verdict: Verdict): vscode.ThemeIcon {
  const { icon, colour } = ICONS[verdict];
  return new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
}

function groupName(group: GroupKind): string {
  switch (group) {
    case 'worse':
      return vscode.l10n.t('Worse');
    case 'new':
      return vscode.l10n.t('New');
    case 'mixed':
      return vscode.l10n.t('Without a verdict');
    case 'better':
      return vscode.l10n.t('Better');
    case 'gone':
      return vscode.l10n.t('Gone');
    case 'unchanged':
      return vscode.l10n.t('Unchanged');
    case 'lines':
      return vscode.l10n.t('Lines by change');
    case 'functions':
      return vscode.l10n.t('Functions');
    case 'files':
      return vscode.l10n.t('Files');
    case 'calls':
      return vscode.l10n.t('Calls');
  }
}

export function verdictWord(verdict: Verdict): string {
  switch (verdict) {
    case 'worse':
      return vscode.l10n.t('worse');
    case 'new':
      return vscode.l10n.t('new');
    case 'better':
      return vscode.l10n.t('better');
    case 'gone':
      return vscode.l10n.t('gone');
    case 'unchanged':
      return vscode.l10n.t('unchanged');
    case 'within the spread':
      return vscode.l10n.t('within the spread');
    case 'mixed':
      return vscode.l10n.t('mixed, no verdict');
    case 'noise unknown':
      return vscode.l10n.t('time differs, noise unknown');
  }
}

/** How the line was found on the other side. */
export function matchText({ base, new: changed, match, matchedBy }: ComparedLine): string {
  switch (match) {
    case 'moved':
      return vscode.l10n.t('moved from {0} (found by {1})', placeName(base!), matchedBy);
    case 'same function':
      return vscode.l10n.t('stands for {0} (found by {1})', placeName(base!), matchedBy);
    case 'same line':
      return '';
    case null:
      if (base !== null && changed !== null) return '';
      return base === null ? vscode.l10n.t('on the new side only') : vscode.l10n.t('in the base only');
  }
}
