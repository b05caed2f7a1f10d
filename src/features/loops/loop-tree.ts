import * as vscode from 'vscode';
import type { LoopCall, LoopGroup, LoopLine, LoopSite } from '../../export/loops/loop-document.ts';
import { callText, synchronisationText } from '../../export/loops/loop-text.ts';
import { formatBytes, formatCount, formatDuration } from '../../base/quantities.ts';
import type { Selection } from '../../analysis/selection/selection.ts';
import type { LineCosts } from '../lines/line-costs.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import type { SelectedCalls } from '../selection/selected-calls.ts';
import { dim, selecting } from '../selection/selection-trees.ts';
import { callsText, openCommand, placeName } from '../editor/tree-items.ts';

/** A row: streams that do the same → their loops and calls, nested as they are repeated. */
export type LoopRow =
  | { readonly kind: 'loopGroup'; readonly recording: OpenRecording; readonly path: Path; readonly group: LoopGroup }
  | {
      readonly kind: 'loopLine';
      readonly recording: OpenRecording;
      readonly path: Path;
      readonly line: LoopLine;
      /** The group that it belongs to. */
      readonly group: LoopGroup;
    }
  | {
      readonly kind: 'moreLoops';
      readonly recording: OpenRecording;
      readonly path: Path;
      readonly from: number;
      readonly left: number;
      readonly group?: LoopGroup;
    };

/** Number of the group, then of the line in each loop on the way. */
type Path = readonly number[];

interface ShownCall {
  readonly row: LoopRow;
  readonly call: LoopCall;
  readonly takesPart: boolean;
}

/** Rows that are asked for at once; the others stand below a row of their own. */
const ROWS = 200;
const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** The loops of the current recording; asked for when the view is opened. */
export class LoopTree implements vscode.TreeDataProvider<LoopRow>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<LoopRow[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  /** Calls that the view shows, by their path: the rows that are dimmed or not. */
  private readonly shown = new Map<string, ShownCall>();
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly recordings: Recordings,
    private readonly costs: LineCosts,
    private readonly calls: SelectedCalls,
  ) {
    this.subscription = vscode.Disposable.from(
      costs.onDidChange(() => this.changed.fire(undefined)),
      calls.onDidChange(() => this.dimAnew()),
    );
  }

  /**
   * Only rows that look different now are asked for again: what is unfolded while the editor asks for the rows above it is
   * folded when they have come, and every choice of a row selects.
   */
  private dimAnew(): void {
    const rows = [...this.shown.values()]
      .filter(({ call, takesPart }) => this.takesPart(call) !== takesPart)
      .map(({ row }) => row);
    if (rows.length > 0) this.changed.fire(rows);
  }

  async getChildren(row?: LoopRow): Promise<LoopRow[]> {
    const recording = row?.recording ?? this.recordings.current;
    if (recording === undefined) return [];
    if (row === undefined) this.shown.clear();
    const from = row?.kind === 'moreLoops' ? row.from : 0;
    if (row?.group === undefined) return this.groupRows(recording, from);
    return this.lineRows(recording, row.path, row.group, from);
  }

  private async groupRows(recording: OpenRecording, from: number): Promise<LoopRow[]> {
    const page = { from, most: ROWS };
    const { groups, total } = await this.recordings.session.loops.groups(recording.id, 'outermost', page);
    const rows = groups.map((group, i): LoopRow => ({ kind: 'loopGroup', recording, path: [from + i], group }));
    return [...rows, ...moreRow(recording, [], from + groups.length, total)];
  }

  private async lineRows(recording: OpenRecording, path: Path, group: LoopGroup, from: number): Promise<LoopRow[]> {
    const page = { from, most: ROWS };
    const { lines, total } = await this.recordings.session.loops.lines(recording.id, 'outermost', path, page);
    const rows = lines.map((line, i): LoopRow => ({
      kind: 'loopLine',
      recording,
      path: [...path, from + i],
      line,
      group,
    }));
    return [...rows, ...moreRow(recording, path, from + lines.length, total, group)];
  }

  getTreeItem(row: LoopRow): vscode.TreeItem {
    switch (row.kind) {
      case 'loopGroup':
        return selecting(groupItem(row.group), loopParts(row), 'loops');
      case 'loopLine':
        return this.lineItem(row, row.line);
      case 'moreLoops':
        return new vscode.TreeItem(vscode.l10n.t('{0} more', formatCount(row.left)), Collapsed);
    }
  }

  private lineItem(row: LoopRow, line: LoopLine): vscode.TreeItem {
    const item = new vscode.TreeItem(lineText(line), line.kind === 'loop' ? Collapsed : None);
    item.iconPath = new vscode.ThemeIcon(ICONS[line.kind]);
    item.contextValue = line.kind;
    if (line.kind === 'synchronisation') return item;
    const amount = costsText(line);
    const { site } = line;
    item.description = [...(site === null ? [] : [placeName(site)]), amount].join(', ');
    item.tooltip = tooltipOf(line, amount);
    item.accessibilityInformation = { label: `${lineText(line)}: ${item.description}` };
    if (site?.isHere === true && site.line > 0) {
      item.command = openCommand(site.file, site.line, (file, at) => this.costs.lineNow(file, at));
    }
    const takesPart = line.kind !== 'call' || this.takesPart(line);
    if (line.kind === 'call') this.shown.set(row.path.join('.'), { row, call: line, takesPart });
    return selecting(dim(item, takesPart), loopParts(row), 'loops');
  }

  private takesPart({ site, path }: LoopCall): boolean {
    const isLine = site === null || site.line === 0 || this.calls.hasLine(site.file, site.line);
    return isLine && (path === '' || this.calls.hasFile(path));
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

const ICONS = { loop: 'sync', call: 'symbol-method', synchronisation: 'git-compare' } as const;

function moreRow(recording: OpenRecording, path: Path, from: number, total: number, group?: LoopGroup): LoopRow[] {
  if (from >= total) return [];
  return [{ kind: 'moreLoops', recording, path, from, left: total - from, ...(group && { group }) }];
}

/** What choosing a row selects: what all of its calls have in common, of the streams that make them. */
export function loopParts(row: LoopRow): Selection {
  switch (row.kind) {
    case 'loopGroup':
      return streamParts(row.group);
    case 'loopLine': {
      const { line, group } = row;
      if (line.kind === 'synchronisation') return streamParts(group);
      const [site, path] = line.kind === 'loop' ? [line.commonSite, line.commonPath] : [line.site, pathOf(line)];
      const parts: Selection = [...siteParts(site), ...(path === '' ? [] : [{ kind: 'file', path } as const])];
      return parts.length > 0 ? [...streamParts(group), ...parts] : streamParts(group);
    }
    case 'moreLoops':
      return [];
  }
}

/** A path that counts is no file by itself. */
function pathOf({ path }: LoopCall): string {
  return /\{[^}]*\}/.test(path) ? '' : path;
}

function siteParts(site: LoopSite | null): Selection {
  if (site === null) return [];
  const { file, line, function: name } = site;
  if (line > 0) return [{ kind: 'line', file, line }];
  return name === '' ? [] : [{ kind: 'function', file, name }];
}

/** Several streams have no name in a selection; one has. */
function streamParts({ streams }: LoopGroup): Selection {
  const [only] = streams;
  if (streams.length !== 1 || only === undefined) return [];
  const { rank, host, process, thread } = only;
  return rank === null ? [{ kind: 'process', host, process, thread }] : [{ kind: 'rank', rank }];
}

function groupItem(group: LoopGroup): vscode.TreeItem {
  const [first] = group.streams;
  const name =
    first?.rank === null || first === undefined
      ? vscode.l10n.t('process {0}', first?.thread ?? 0)
      : vscode.l10n.t('rank {0}', first.rank);
  const others = group.streams.length - 1;
  const ranks = new Set(group.streams.map(({ rank, host, thread }) => rank ?? `${host} ${String(thread)}`));
  const known = ranks.size === 1 ? name : vscode.l10n.t('{0} and {1} more', name, formatCount(ranks.size - 1));
  const threads = formatCount(group.streams.length);
  const label = ranks.size < group.streams.length ? vscode.l10n.t('{0}, {1} threads', known, threads) : known;
  const item = new vscode.TreeItem(label, Collapsed);
  const lines = vscode.l10n.t('{0} calls in {1} lines', formatCount(group.length), formatCount(group.size));
  item.description = [lines, costsText(group)].join(', ');
  item.tooltip = vscode.l10n.t('{0} processes or threads do the same, each {1}.', formatCount(others + 1), lines);
  item.iconPath = new vscode.ThemeIcon(others === 0 ? 'server-process' : 'group-by-ref-type');
  item.accessibilityInformation = { label: `${label}: ${item.description}` };
  return item;
}

function lineText(line: LoopLine): string {
  if (line.kind === 'loop') return line.text;
  const times = line.count === 1 ? '' : `${formatCount(line.count)} × `;
  if (line.kind === 'synchronisation') return times + synchronisationText(line);
  return times + callText({ ...line, path: line.path.split('/').at(-1)! });
}

function costsText({ events, bytes, timeNs }: Pick<LoopCall, 'events' | 'bytes' | 'timeNs'>): string {
  const time = timeNs > 0 ? [formatDuration(timeNs)] : [];
  return [...time, callsText(events), ...(bytes > 0 ? [formatBytes(bytes)] : [])].join(', ');
}

function tooltipOf(line: Exclude<LoopLine, { kind: 'synchronisation' }>, amount: string): string {
  const place = line.site === null ? [] : [`${line.site.file}:${String(line.site.line)}`];
  if (line.kind === 'call')
    return [lineText(line), line.path, amount, ...place].filter((text) => text !== '').join('\n');
  const { variable, access } = line;
  const range = variable === null ? [] : [`${variable.name} = ${String(variable.from)}…${String(variable.to)}`];
  return [line.text, ...range, ...(access === null ? [] : [accessText(access.kind)]), amount, ...place].join('\n');
}

function accessText(kind: 'contiguous' | 'appended' | 'strided' | 'backward' | 'repeated'): string {
  switch (kind) {
    case 'contiguous':
      return vscode.l10n.t('each iteration goes on in the file where the last one ended');
    case 'appended':
      return vscode.l10n.t('each iteration writes at the end of the file');
    case 'strided':
      return vscode.l10n.t('each iteration is the same distance further on in the file, with gaps between them');
    case 'backward':
      return vscode.l10n.t('each iteration is further back in the file');
    case 'repeated':
      return vscode.l10n.t('the iterations are at the same place in the file, or overlap');
  }
}
