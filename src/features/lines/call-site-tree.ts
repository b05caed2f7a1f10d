import * as vscode from 'vscode';
import { costNs, shareOfRun } from '../../export/analysis/cost-text.ts';
import type { FrameDocument } from '../../export/analysis/documents.ts';
import type { LayerAmountDocument } from '../../export/analysis/layer-amounts.ts';
import { formatBytes, formatCount, formatDuration } from '../../base/quantities.ts';
import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { CostTree } from '../editor/cost-tree.ts';
import type { SiteCost } from './line-costs.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import { RenewedRows } from '../editor/renewed-rows.ts';
import { callerParts, dim, placeParts } from '../selection/selection-trees.ts';
import {
  amountText,
  callerItem,
  callersOf,
  placeItem,
  placeName,
  recordedLines,
  type LineNow,
} from '../editor/tree-items.ts';
import { inOrder } from '../editor/tree-order.ts';

/** A row: a call site of the current recording, what its calls amount to in a layer, or a caller of one. */
export type CallSiteRow =
  | { readonly kind: 'site'; readonly recording: OpenRecording; readonly site: SiteCost }
  | { readonly kind: 'layer'; readonly site: SiteCost; readonly layer: LayerAmountDocument; readonly isFirst: boolean }
  | { readonly kind: 'caller'; readonly frame: FrameDocument };

/** All lines of the current recording that make I/O calls, findings or not. */
export class CallSiteTree extends CostTree<CallSiteRow> {
  private readonly renewed = new RenewedRows();

  override getChildren(row?: CallSiteRow): CallSiteRow[] {
    if (row?.kind === 'caller' || row?.kind === 'layer') return [];
    if (row?.kind === 'site') return [...siteLayers(row.site), ...siteCallers(row.site).map(asCaller)];
    const { current } = this.recordings;
    if (current === undefined) return [];
    const sites = inOrder(current.sites, this.order.current, (site) => ({
      ...site,
      timeNs: costNs(site),
      name: placeName(site),
    }));
    return sites.map((site) => ({ kind: 'site', recording: current, site }));
  }

  override getTreeItem(row: CallSiteRow): vscode.TreeItem {
    if (row.kind === 'caller') return callerItem(row.frame, this.lineNow);
    if (row.kind === 'layer') return layerItem(row.layer, row.isFirst);
    const item = dim(siteItem(row.site, this.lineNow), this.calls.hasLine(row.site.file, row.site.line));
    const id = this.renewed.idOf(keyOf(row));
    if (id !== undefined) item.id = id;
    return item;
  }

  /** What was chosen in the view is no longer selected: the row can be chosen again. */
  forget(row: CallSiteRow): void {
    if (row.kind === 'site') this.renewed.renew(keyOf(row));
  }

  /** The row of what a part of a selection names. */
  rowFor(part: SelectionPart): CallSiteRow | undefined {
    const { current } = this.recordings;
    if (current === undefined || part.kind !== 'line') return undefined;
    const site = current.sites.find(({ file, line }) => file === part.file && line === part.line);
    return site && { kind: 'site', recording: current, site };
  }
}

/** Of no two rows the same. */
function keyOf({ recording, site }: Extract<CallSiteRow, { kind: 'site' }>): string {
  return `${recording.id}/${recording.sites.indexOf(site)}`;
}

function siteItem(site: SiteCost, lineNow: LineNow): vscode.TreeItem {
  const calls = Object.entries(site.calls).sort((a, b) => b[1] - a[1]);
  const names = calls.map(([name, count]) => `${formatCount(count)} × ${name}`).join(', ');
  const hasInner = siteCallers(site).length > 0 || siteLayers(site).length > 0;
  const tooltip = [names, ...recordedLines(site)].join('\n');
  const item = placeItem(site, amountText(site, shareOfRun(site, site.share)), hasInner, lineNow, tooltip);
  item.contextValue = site.isHere && site.line > 0 ? 'callSite.here' : 'callSite';
  return item;
}

/** What a line's calls became: the program's own layer first, below it what that became. */
function siteLayers(site: SiteCost): CallSiteRow[] {
  const { layers = [] } = site;
  if (layers.length < 2) return [];
  return layers.map((layer, at) => ({ kind: 'layer', site, layer, isFirst: at === 0 }));
}

function asCaller(frame: FrameDocument): CallSiteRow {
  return { kind: 'caller', frame };
}

function layerItem({ layer, calls, bytes, timeNs }: LayerAmountDocument, isFirst: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(layer);
  const moved = bytes > 0 ? `, ${formatBytes(bytes)}` : '';
  item.description = `${formatCount(calls)} ×${moved}, ${formatDuration(timeNs)}`;
  item.iconPath = new vscode.ThemeIcon('layers');
  item.tooltip = isFirst
    ? vscode.l10n.t('The calls that the program made at this line')
    : vscode.l10n.t('The calls of this layer that they became');
  return item;
}

function siteCallers({ stack, file, line }: SiteCost): FrameDocument[] {
  return callersOf(
    stack,
    stack.findIndex((frame) => frame.file === file && frame.line === line),
  );
}

/** What a row selects. */
export function siteParts(row: CallSiteRow): Selection {
  switch (row.kind) {
    case 'site':
      return placeParts(row.site);
    case 'layer':
      return [...placeParts(row.site), { kind: 'layer', layer: row.layer.layer }];
    case 'caller':
      return callerParts(row.frame);
  }
}
