import * as vscode from 'vscode';
import type { FrameDocument, InsightDocument, SiteDocument } from '../export/documents.ts';
import { formatCount, formatDuration, formatShare } from '../export/quantities.ts';
import type { OpenRecording } from './recordings.ts';

/** A row of the tree: recording → finding → place → callers. */
export type TreeRow =
  | { readonly kind: 'recording'; readonly recording: OpenRecording }
  | { readonly kind: 'insight'; readonly recording: OpenRecording; readonly insight: InsightDocument }
  | {
      readonly kind: 'site';
      readonly recording: OpenRecording;
      readonly insight: InsightDocument;
      readonly site: SiteDocument;
    }
  | { readonly kind: 'file'; readonly path: string; readonly detail: string }
  | { readonly kind: 'caller'; readonly frame: FrameDocument };

const ICONS = { high: 'error', warn: 'warning', info: 'info', ok: 'pass' } as const;
const COLOURS = {
  high: 'list.errorForeground',
  warn: 'list.warningForeground',
  info: 'foreground',
  ok: 'foreground',
} as const;

/** The findings of all open recordings. It exists before anything is open, so that the view can say what to do. */
export class InsightTree implements vscode.TreeDataProvider<TreeRow> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private recordings: readonly OpenRecording[] = [];

  show(recordings: readonly OpenRecording[]): void {
    this.recordings = recordings;
    this.changed.fire();
  }

  getChildren(row?: TreeRow): TreeRow[] {
    switch (row?.kind) {
      case undefined:
        return this.recordings.map((recording) => ({ kind: 'recording', recording }));
      case 'recording':
        return row.recording.analysis.insights.map((insight) => ({
          kind: 'insight',
          recording: row.recording,
          insight,
        }));
      case 'insight':
        return row.insight.sites.length > 0
          ? row.insight.sites.map((site) => ({ ...row, kind: 'site', site }))
          : row.insight.files.map(({ path, events, timeNs }) => ({
              kind: 'file',
              path,
              detail: vscode.l10n.t('{0} calls, {1}', formatCount(events), formatDuration(timeNs)),
            }));
      case 'site':
        return row.site.stack
          .slice(row.site.depth + 1)
          .filter((frame) => frame.line > 0)
          .map((frame) => ({ kind: 'caller', frame }));
      default:
        return [];
    }
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    switch (row.kind) {
      case 'recording':
        return recordingItem(row.recording);
      case 'insight':
        return insightItem(row.insight);
      case 'site':
        return siteItem(row.site);
      case 'file': {
        const item = new vscode.TreeItem(row.path);
        item.description = row.detail;
        item.iconPath = vscode.ThemeIcon.File;
        return item;
      }
      case 'caller':
        return callerItem(row.frame);
    }
  }
}

function recordingItem({ name, info, analysis }: OpenRecording): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.description = findingCount(analysis.insights.length);
  const extent = vscode.l10n.t(
    '{0} calls of {1} processes, {2}',
    formatCount(info.events),
    formatCount(info.streams),
    formatDuration(info.durationNs),
  );
  item.tooltip = `${info.program || name}\n${extent}`;
  item.iconPath = new vscode.ThemeIcon('pulse');
  item.contextValue = 'recording';
  return item;
}

function findingCount(findings: number): string {
  if (findings === 0) return vscode.l10n.t('no finding');
  return findings === 1 ? vscode.l10n.t('1 finding') : vscode.l10n.t('{0} findings', findings);
}

function insightItem(insight: InsightDocument): vscode.TreeItem {
  const item = new vscode.TreeItem(insight.title, vscode.TreeItemCollapsibleState.Expanded);
  const share = insight.evidence['share'];
  item.description = share === undefined ? insight.code : `${formatShare(share)}  ${insight.code}`;
  item.tooltip = insight.message;
  item.iconPath = new vscode.ThemeIcon(ICONS[insight.severity], new vscode.ThemeColor(COLOURS[insight.severity]));
  item.contextValue = 'insight';
  item.accessibilityInformation = { label: `${insight.severity}: ${insight.message}` };
  return item;
}

function siteItem(site: SiteDocument): vscode.TreeItem {
  const hasCallers = site.stack.slice(site.depth + 1).some((frame) => frame.line > 0);
  const state = hasCallers ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  const name = site.file.split('/').at(-1)!;
  const item = new vscode.TreeItem(
    site.line > 0 ? `${name}:${site.line}` : site.function || vscode.l10n.t('(no source line)'),
    state,
  );
  item.description = vscode.l10n.t(
    '{0} calls, {1}, {2}',
    formatCount(site.events),
    formatDuration(site.timeNs),
    formatShare(site.shareOfTime),
  );
  const elsewhere = site.isHere ? '' : ` (${vscode.l10n.t('not on this machine')})`;
  item.tooltip = `${site.message}\n${site.file}${elsewhere}`;
  item.iconPath = new vscode.ThemeIcon(site.isHere ? 'location' : 'circle-slash');
  item.contextValue = 'site';
  if (site.isHere) item.command = openCommand(site.file, site.line);
  return item;
}

function callerItem(frame: FrameDocument): vscode.TreeItem {
  const item = new vscode.TreeItem(frame.function || frame.module);
  item.description = `${frame.file.split('/').at(-1)!}:${frame.line}`;
  item.tooltip = `${frame.file}:${frame.line}`;
  item.iconPath = new vscode.ThemeIcon('call-incoming');
  item.command = openCommand(frame.file, frame.line);
  return item;
}

function openCommand(file: string, line: number): vscode.Command {
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open'),
    arguments: [vscode.Uri.file(file), { selection, preview: true }],
  };
}
