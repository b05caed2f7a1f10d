import * as vscode from 'vscode';
import { expandHome } from '../editor/settings.ts';

/** The folder of the workspace's recordings: where programs that are recorded here write, unless a task says otherwise. */
export function recordingsPlace(folder: vscode.WorkspaceFolder): vscode.Uri {
  const setting = vscode.workspace.getConfiguration('iolens.record', folder).get<string>('folder', '');
  const path = expandHome(setting);
  return path.startsWith('/') ? folder.uri.with({ path }) : vscode.Uri.joinPath(folder.uri, path);
}

/** Whether a file or folder stands in one of them. */
export function isInRecordingsPlace(uri: vscode.Uri): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return false;
  const parent = vscode.Uri.joinPath(uri, '..').toString();
  const place = recordingsPlace(folder).toString();
  return parent === place && place !== folder.uri.toString();
}
