import * as vscode from 'vscode';
import { shareOfRun } from '../../export/analysis/cost-text.ts';
import type { FileDocument, FileSiteDocument } from '../../export/analysis/file-documents.ts';
import { formatBytes, formatCount, formatShare } from '../../base/quantities.ts';
import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { CostTree } from '../editor/cost-tree.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import { dim, placeParts, selecting } from '../selection/selection-trees.ts';
import { amountText, placeItem, recordedLines } from '../editor/tree-items.ts';

/** A row: a file that the program of the current recording used, or a place that accesses it. */
export type FileRow =
  | { readonly kind: 'file'; readonly recording: OpenRecording; readonly file: FileDocument }
  | {
      readonly kind: 'fileSite';
      readonly recording: OpenRecording;
      /** Of the file above. */
      readonly path: string;
      readonly site: FileSiteDocument;
    }
  | { readonly kind: 'more'; readonly number: number };

/** Files that are listed: a job can write a hundred thousand, and nobody scrolls through them. */
const MOST_FILES = 500;

/** The files of the current recording with the lines that access them; asked for when the view is opened. */
export class FileTree extends CostTree<FileRow> {
  private rows: readonly FileRow[] = [];

  override async getChildren(row?: FileRow): Promise<FileRow[]> {
    if (row?.kind === 'file')
      return row.file.sites.map((site) => ({ kind: 'fileSite', recording: row.recording, path: row.file.path, site }));
    const { current } = this.recordings;
    if (row !== undefined || current === undefined) return [];
    const order = this.order.current;
    const { files, total } = await this.recordings.session.files.list(
      current.id,
      order === 'severity' ? 'time' : order,
      MOST_FILES,
    );
    const rows: FileRow[] = files.map((file) => ({ kind: 'file', recording: current, file }));
    this.rows = rows;
    return total > files.length ? [...rows, { kind: 'more', number: total - files.length }] : rows;
  }

  override getTreeItem(row: FileRow): vscode.TreeItem {
    switch (row.kind) {
      case 'file':
        return selecting(dim(fileItem(row.file), this.calls.hasFile(row.file.path)), fileParts(row), 'files');
      case 'fileSite': {
        const recorded = recordedLines(row.site).at(0);
        const item = placeItem(row.site, amountText(row.site), false, this.lineNow, recorded);
        item.contextValue = row.site.isHere && row.site.line > 0 ? 'callSite.here' : 'callSite';
        return dim(item, this.calls.hasLine(row.site.file, row.site.line));
      }
      case 'more':
        return new vscode.TreeItem(vscode.l10n.t('{0} more files', formatCount(row.number)));
    }
  }

  /** The row of what a part of a selection names, among those that are listed. */
  rowFor(part: SelectionPart): FileRow | undefined {
    return part.kind === 'file'
      ? this.rows.find((row) => row.kind === 'file' && row.file.path === part.path)
      : undefined;
  }
}

function fileItem(file: FileDocument): vscode.TreeItem {
  const name = file.path.split('/').at(-1)!;
  const hasSites = file.sites.length > 0;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(name === '' ? file.path : name, hasSites ? Collapsed : None);
  const share = shareOfRun(file, file.share);
  const amount = amountText(file, share);
  item.description = amount;
  const users = vscode.l10n.t(
    'processes that read: {0} ({1}), that write: {2} ({3}); opens: {4}; {5} of the run',
    formatCount(file.readers),
    formatBytes(file.readBytes),
    formatCount(file.writers),
    formatBytes(file.writtenBytes),
    formatCount(file.opens),
    formatShare(share),
  );
  item.tooltip = [file.path, users, ...recordedLines(file)].join('\n');
  item.iconPath = new vscode.ThemeIcon('symbol-file');
  item.contextValue = 'file';
  item.accessibilityInformation = { label: `${file.path}: ${amount}` };
  return item;
}

/** What a row selects. */
export function fileParts(row: FileRow): Selection {
  switch (row.kind) {
    case 'file':
      return [{ kind: 'file', path: row.file.path }];
    case 'fileSite':
      return [{ kind: 'file', path: row.path }, ...placeParts(row.site)];
    case 'more':
      return [];
  }
}
