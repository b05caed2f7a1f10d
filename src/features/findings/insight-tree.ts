import * as vscode from 'vscode';
import { costNs, shareOfRun } from '../../export/analysis/cost-text.ts';
import type { FrameDocument, InsightDocument, SiteDocument } from '../../export/analysis/documents.ts';
import { isSummary } from '../../export/analysis/findings.ts';
import { adviceOf } from '../../export/analysis/advice.ts';
import { gainText } from '../../export/analysis/gain-text.ts';
import { formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type { Dismissals } from './dismissals.ts';
import type { LineCosts } from '../lines/line-costs.ts';
import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { lackItem, lacksOf, type LackRow } from './lack-rows.ts';
import { isPictured } from './pattern-picture.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import type { SelectedCalls } from '../selection/selected-calls.ts';
import { callerParts, dim, selecting } from '../selection/selection-trees.ts';
import {
  amountText,
  callerItem,
  callersOf,
  callsText,
  placeItem,
  placeName,
  recordedLines,
  type LineNow,
} from '../editor/tree-items.ts';
import { inOrder, type Measured, type ViewOrder } from '../editor/tree-order.ts';

/** A finding's places are those that are shown, or those that were dismissed. */
type Standing = 'open' | 'dismissed';

/** A row of the tree: recording → finding → place → callers; below a recording also what is dismissed, and the run in short. */
export type TreeRow =
  | { readonly kind: 'recording'; readonly recording: OpenRecording }
  | {
      readonly kind: 'insight';
      readonly recording: OpenRecording;
      readonly insight: InsightDocument;
      readonly sites: readonly SiteDocument[];
      readonly standing: Standing;
    }
  | { readonly kind: 'group'; readonly group: 'dismissed' | 'inShort'; readonly rows: readonly TreeRow[] }
  | {
      readonly kind: 'site';
      readonly recording: OpenRecording;
      readonly insight: InsightDocument;
      readonly site: SiteDocument;
      readonly standing: Standing;
    }
  | { readonly kind: 'file'; readonly path: string; readonly detail: string }
  | LackRow
  | { readonly kind: 'caller'; readonly recording: OpenRecording; readonly frame: FrameDocument };

type InsightRow = Extract<TreeRow, { kind: 'insight' }>;

const ICONS = { high: 'error', warn: 'warning', info: 'info', ok: 'pass' } as const;
const COLOURS = {
  high: 'list.errorForeground',
  warn: 'list.warningForeground',
  info: 'foreground',
  ok: 'foreground',
} as const;
const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** The findings of all open recordings. */
export class InsightTree implements vscode.TreeDataProvider<TreeRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly recordings: Recordings,
    private readonly dismissals: Dismissals,
    costs: LineCosts,
    private readonly order: ViewOrder,
    private readonly calls: SelectedCalls,
  ) {
    const fire = (): void => this.changed.fire();
    this.subscriptions = [
      costs.onDidChange(fire),
      dismissals.onDidChange(fire),
      order.onDidChange(fire),
      calls.onDidChange(fire),
    ];
  }

  private readonly parents = new WeakMap<TreeRow, TreeRow>();

  getChildren(row?: TreeRow): TreeRow[] {
    const rows = this.childrenOf(row);
    if (row !== undefined) for (const child of rows) this.parents.set(child, row);
    return rows;
  }

  /** Needed to bring a row into sight. */
  getParent(row: TreeRow): TreeRow | undefined {
    return this.parents.get(row);
  }

  /** The row of the current recording that a part of a selection names. */
  rowFor(part: SelectionPart): TreeRow | undefined {
    if (part.kind !== 'insight') return undefined;
    const recording = this.getChildren().find(
      (row) => row.kind === 'recording' && row.recording === this.recordings.current,
    );
    const insights = recording === undefined ? [] : this.getChildren(recording);
    const insight = insights.find((row) => row.kind === 'insight' && row.insight.code === part.code);
    if (insight === undefined || part.file === undefined) return insight;
    return this.getChildren(insight).find(
      (row) => row.kind === 'site' && row.site.file === part.file && row.site.line === part.line,
    );
  }

  private childrenOf(row?: TreeRow): TreeRow[] {
    switch (row?.kind) {
      case undefined:
        // What was opened last stands on top.
        return this.recordings
          .all()
          .map((recording): TreeRow => ({ kind: 'recording', recording }))
          .reverse();
      case 'recording':
        return this.rowsOf(row.recording);
      case 'group':
        return [...row.rows];
      case 'insight':
        return this.placesOf(row);
      case 'site':
        return callersOf(row.site.stack, row.site.depth).map((frame) => ({
          kind: 'caller',
          recording: row.recording,
          frame,
        }));
      case 'lacks':
        return lacksOf(row);
      default:
        return [];
    }
  }

  private rowsOf(recording: OpenRecording): TreeRow[] {
    const open: InsightRow[] = [];
    const gone: InsightRow[] = [];
    for (const insight of inOrder(recording.analysis.insights, this.order.current, measureInsight)) {
      const { kept, dismissed, isDismissed } = this.dismissals.split(insight);
      if (!isDismissed) open.push({ kind: 'insight', recording, insight, sites: kept, standing: 'open' });
      if (isDismissed || dismissed.length > 0)
        gone.push({ kind: 'insight', recording, insight, sites: dismissed, standing: 'dismissed' });
    }
    const rows: TreeRow[] = open.filter(({ insight }) => !isSummary(insight));
    const summaries = open.filter(({ insight }) => isSummary(insight));
    if (summaries.length > 0) rows.push({ kind: 'group', group: 'inShort', rows: summaries });
    if (gone.length > 0) rows.push({ kind: 'group', group: 'dismissed', rows: gone });
    if (recording.info.lacks.length > 0) rows.push({ kind: 'lacks', recording });
    return rows;
  }

  private placesOf({ recording, insight, sites, standing }: InsightRow): TreeRow[] {
    if (insight.sites.length > 0) {
      const ordered = inOrder(sites, this.order.current, (site) => ({
        ...site,
        timeNs: costNs(site),
        name: placeName(site),
      }));
      return ordered.map((site) => ({ kind: 'site', recording, insight, site, standing }));
    }
    const files = inOrder(insight.files, this.order.current, (file) => ({ ...file, name: file.path }));
    return files.map(({ path, events, timeNs }) => ({
      kind: 'file',
      path,
      detail: `${formatDuration(timeNs)}, ${callsText(events)}`,
    }));
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    switch (row.kind) {
      case 'recording':
        return recordingItem(row.recording, this.recordings, this.dismissals);
      case 'group':
        return groupItem(row);
      case 'insight':
        return selecting(
          this.dimmed(row, insightItem(row), this.calls.hasInsight(row.insight.code)),
          insightParts(row),
          'insights',
        );
      case 'site':
        return this.dimmed(
          row,
          siteItem(row, this.lineNowOf(row.recording)),
          this.calls.hasLine(row.site.file, row.site.line),
        );
      case 'file': {
        const item = new vscode.TreeItem(row.path);
        item.description = row.detail;
        item.iconPath = vscode.ThemeIcon.File;
        item.accessibilityInformation = { label: `${row.path}: ${row.detail}` };
        return selecting(item, insightParts(row), 'insights');
      }
      case 'caller':
        return callerItem(row.frame, this.lineNowOf(row.recording));
      case 'lacks':
      case 'lack':
        return lackItem(row);
    }
  }

  /** Nobody asked what takes part in a recording that is not the current one. */
  private dimmed(
    { recording }: { readonly recording: OpenRecording },
    item: vscode.TreeItem,
    takesPart: boolean,
  ): vscode.TreeItem {
    return dim(item, takesPart || recording !== this.recordings.current);
  }

  private lineNowOf(recording: OpenRecording): LineNow {
    return (file, line) => this.recordings.lines.now(recording, file, line) - 1;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}

/** Findings of a recording that are worth a look: not dismissed, and no mere summary of the run. */
export function openFindings({ analysis }: OpenRecording, dismissals: Dismissals): readonly InsightDocument[] {
  return analysis.insights.filter((insight) => !isSummary(insight) && !dismissals.split(insight).isDismissed);
}

export function findingsText(findings: number): string {
  if (findings === 0) return vscode.l10n.t('no finding');
  return findings === 1 ? vscode.l10n.t('1 finding') : vscode.l10n.t('{0} findings', findings);
}

function measureInsight({ title, sites, files, cost }: InsightDocument): Measured {
  const parts = sites.length > 0 ? sites : files;
  const sum = (of: 'events' | 'bytes' | 'timeNs'): number => parts.reduce((total, part) => total + part[of], 0);
  return { name: title, events: sum('events'), bytes: sum('bytes'), timeNs: cost?.untracedNs ?? sum('timeNs') };
}

function recordingItem(recording: OpenRecording, recordings: Recordings, dismissals: Dismissals): vscode.TreeItem {
  const { name, info, id } = recording;
  const isCurrent = recording === recordings.current;
  const several = recordings.all().length > 1;
  const item = new vscode.TreeItem(name, isCurrent || !several ? Expanded : Collapsed);
  const found = findingsText(openFindings(recording, dismissals).length);
  const findings = recording.live === true ? `${vscode.l10n.t('● live')} ${found}` : found;
  const added = (info.sources?.slice(1) ?? []).map(({ path }) => path.split('/').at(-1)!);
  const together = added.length === 0 ? findings : vscode.l10n.t('{0}, with {1}', findings, added.join(', '));
  item.description = several && isCurrent ? vscode.l10n.t('{0}, shown in the source', together) : together;
  item.tooltip = vscode.l10n.t(
    '{0}\ncalls: {1}, processes: {2}, {3}',
    info.program || name,
    formatCount(info.events),
    formatCount(info.processes ?? info.streams),
    formatDuration(info.durationNs),
  );
  for (const { path, offsetNs } of info.sources?.slice(1) ?? [])
    item.tooltip += `\n${vscode.l10n.t('with {0}, times moved by {1} s', path, (offsetNs / 1e9).toFixed(6))}`;
  // Another row when another recording becomes the current one: the editor keeps a row open that it knows, and this one folds.
  item.id = `recording ${id}${isCurrent ? ', current' : ''}`;
  item.iconPath = new vscode.ThemeIcon(isCurrent ? 'pulse' : 'circle-outline');
  // Menus of rows ask only for this: when a key of theirs changes the editor draws all rows again, also those that are gone.
  const isJoined = info.sources !== undefined;
  const traits = [isJoined && '.joined', recording.live === true && '.live'];
  const kind = traits.filter((trait) => trait !== false).join('');
  item.contextValue = `recording.${isCurrent ? 'current' : 'other'}${kind}`;
  item.accessibilityInformation = { label: vscode.l10n.t('recording {0}, {1}', name, item.description) };
  return item;
}

function groupItem({ group, rows }: Extract<TreeRow, { kind: 'group' }>): vscode.TreeItem {
  const isDismissed = group === 'dismissed';
  const name = isDismissed ? vscode.l10n.t('Dismissed') : vscode.l10n.t('In short');
  const item = new vscode.TreeItem(name, Collapsed);
  item.description = String(rows.length);
  item.iconPath = new vscode.ThemeIcon(isDismissed ? 'eye-closed' : 'note');
  item.contextValue = `group.${group}`;
  item.accessibilityInformation = { label: `${name}, ${rows.length}` };
  return item;
}

function insightItem({ insight, sites, standing }: InsightRow): vscode.TreeItem {
  const isOpen = standing === 'open';
  const hasRows = sites.length > 0 || insight.files.length > 0;
  const isGood = insight.severity === 'ok';
  const item = new vscode.TreeItem(insight.title, hasRows ? (isOpen && !isGood ? Expanded : Collapsed) : None);
  const share = insight.cost?.shareOfRun ?? insight.evidence['share'];
  item.description = share === undefined ? insight.code : `${formatShare(share)}  ${insight.code}`;
  const advice = adviceOf(insight)
    .flatMap(({ audience, heading, recommendations }) =>
      recommendations.map(({ text }) => `\n• ${audience === 'job' ? `${heading}: ` : ''}${text}`),
    )
    .join('');
  item.tooltip = `${insight.message}${advice}${isGood ? '' : `\n${gainText(insight.gain)}`}`;
  item.iconPath = isOpen
    ? new vscode.ThemeIcon(ICONS[insight.severity], new vscode.ThemeColor(COLOURS[insight.severity]))
    : new vscode.ThemeIcon('eye-closed');
  item.contextValue = `insight${isOpen ? '' : '.dismissed'}${isPictured(insight) ? '.picture' : ''}`;
  const state = isOpen ? insight.severity : vscode.l10n.t('dismissed');
  item.accessibilityInformation = { label: `${state}: ${insight.title}. ${insight.message}` };
  return item;
}

/** What the menus of a place go by. */
function placeKind({ isHere, line }: SiteDocument): '' | '.here' | '.elsewhere' {
  if (line === 0) return '';
  return isHere ? '.here' : '.elsewhere';
}

function siteItem({ site, standing }: Extract<TreeRow, { kind: 'site' }>, lineNow: LineNow): vscode.TreeItem {
  const hasCallers = callersOf(site.stack, site.depth).length > 0;
  const note = site.note === '' ? [] : [site.note];
  const tooltip = [site.message, ...recordedLines(site), ...note].join('\n');
  const amount = amountText(site, shareOfRun(site, site.shareOfTime));
  const item = placeItem(site, amount, hasCallers, lineNow, tooltip);
  item.contextValue = `${standing === 'open' ? 'site' : 'site.dismissed'}${placeKind(site)}`;
  return item;
}

/** What a row selects. */
export function insightParts(row: TreeRow): Selection {
  switch (row.kind) {
    case 'insight':
      return [{ kind: 'insight', code: row.insight.code }];
    case 'site': {
      const { file, line } = row.site;
      const { code } = row.insight;
      return [line > 0 ? { kind: 'insight', code, file, line } : { kind: 'insight', code }];
    }
    case 'file':
      return [{ kind: 'file', path: row.path }];
    case 'caller':
      return callerParts(row.frame);
    default:
      return [];
  }
}
