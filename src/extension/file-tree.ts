import * as vscode from 'vscode';
import type { FileDocument, FileSiteDocument } from '../export/file-documents.ts';
import { formatBytes, formatCount, formatShare } from '../export/quantities.ts';
import { CostTree } from './cost-tree.ts';
import type { OpenRecording } from './recordings.ts';
import { amountText, placeItem } from './tree-items.ts';

/** A row: a file that the program of the current recording used, or a place that accesses it. */
export type FileRow =
  | { readonly kind: 'file'; readonly recording: OpenRecording; readonly file: FileDocument }
  | { readonly kind: 'fileSite'; readonly recording: OpenRecording; readonly site: FileSiteDocument }
  | { readonly kind: 'more'; readonly number: number };

/** Files that are listed: a job can write a hundred thousand, and nobody scrolls through them. */
const MOST_FILES = 500;

/** The files of the current recording with the lines that access them; asked for when the view is opened. */
export class FileTree extends CostTree<FileRow> {
  override async getChildren(row?: FileRow): Promise<FileRow[]> {
    if (row?.kind === 'file')
      return row.file.sites.map((site) => ({ kind: 'fileSite', recording: row.recording, site }));
    const { current } = this.recordings;
    if (row !== undefined || current === undefined) return [];
    const order = this.order.current;
    const { files, total } = await this.recordings.session.files(
      current.id,
      order === 'severity' ? 'time' : order,
      MOST_FILES,
    );
    const rows: FileRow[] = files.map((file) => ({ kind: 'file', recording: current, file }));
    return total > files.length ? [...rows, { kind: 'more', number: total - files.length }] : rows;
  }

  override getTreeItem(row: FileRow): vscode.TreeItem {
    switch (row.kind) {
      case 'file':
        return fileItem(row.file);
      case 'fileSite': {
        const item = placeItem(row.site, amountText(row.site), false, this.lineNow);
        item.contextValue = row.site.isHere && row.site.line > 0 ? 'callSite.here' : 'callSite';
        return item;
      }
      case 'more':
        return new vscode.TreeItem(vscode.l10n.t('{0} more files', formatCount(row.number)));
    }
  }
}

function fileItem(file: FileDocument): vscode.TreeItem {
  const name = file.path.split('/').at(-1)!;
  const hasSites = file.sites.length > 0;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(name === '' ? file.path : name, hasSites ? Collapsed : None);
  const amount = amountText(file, file.share);
  item.description = amount;
  const users = vscode.l10n.t(
    'processes that read: {0} ({1}), that write: {2} ({3}); opens: {4}; {5} of the I/O time',
    formatCount(file.readers),
    formatBytes(file.readBytes),
    formatCount(file.writers),
    formatBytes(file.writtenBytes),
    formatCount(file.opens),
    formatShare(file.share),
  );
  item.tooltip = `${file.path}\n${users}`;
  item.iconPath = new vscode.ThemeIcon('file');
  item.contextValue = 'file';
  item.accessibilityInformation = { label: `${file.path}: ${amount}` };
  return item;
}
