import * as vscode from 'vscode';

/**
 * Paths name files in everything that the session says. A file of the machine is named by its path, one of the editor's
 * file systems by its whole location, `scheme://authority/path`, without escapes (docs/decisions/0082).
 */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : `${uri.scheme}://${uri.authority}${uri.path}`;
}

export function uriOf(path: string): vscode.Uri {
  const [, scheme, authority, rest] = /^([a-z][a-z0-9+.-]+):\/\/([^/]*)(\/.*)?$/is.exec(path) ?? [];
  if (scheme === undefined) return vscode.Uri.file(path);
  return vscode.Uri.from({ scheme, authority: authority ?? '', path: rest ?? '' });
}

/** Folders of the workspace. */
export function workspacePaths(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => pathOf(uri));
}

/** Whether a document is a file, as sources are, and no output, comparison or text without a name. */
export function isFile({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' || (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === scheme);
}

/** Documents that can be sources: what stands in none of the recordings' files is looked up in vain. */
export const ALL_FILES: vscode.DocumentFilter = { pattern: '**/*' };
