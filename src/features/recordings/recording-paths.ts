import * as vscode from 'vscode';
import { shownName } from '../../record/timed-name.ts';
import { uriOf } from '../editor/locations.ts';
import { isInRecordingsPlace } from './recordings-place.ts';

/** Names that a tracer gives to the files of all recordings: only their folder tells one from another. */
const ALIKE: ReadonlySet<string> = new Set(['traces.otf2', 'recorder.mt', 'VERSION']);

/** What a recording is called in views. @param taken names of others that are open. */
export function nameOf(paths: readonly string[], taken: ReadonlySet<string>): string {
  const uri = uriOf(paths[0]!);
  const [own, folder] = uri.path.split('/').reverse();
  if (isInRecordingsPlace(uri)) return shownName(own!, new Date());
  if (folder === undefined || folder === '' || !ALIKE.has(own!)) return withinWorkspace(uri, taken);
  const parent = vscode.Uri.joinPath(uri, '..');
  // The workspace's own folder has no path in it.
  const isWorkspace = vscode.workspace.workspaceFolders?.some((each) => each.uri.toString() === parent.toString());
  return isWorkspace === true ? folder : withinWorkspace(parent, taken);
}

/** The path in the workspace; of what is elsewhere as much of its end as tells it from the others. */
function withinWorkspace(uri: vscode.Uri, taken: ReadonlySet<string>): string {
  if (vscode.workspace.getWorkspaceFolder(uri) !== undefined) return vscode.workspace.asRelativePath(uri, false);
  const names = uri.path.split('/').filter((name) => name !== '');
  for (let count = 1; count < names.length; count++) {
    const end = names.slice(-count).join('/');
    if (!taken.has(end)) return end;
  }
  return uri.path;
}

/** Files and folders of a recording that are no longer there. */
export async function absentOf(paths: readonly string[]): Promise<string[]> {
  const isThere = (path: string): Promise<boolean> =>
    Promise.resolve(vscode.workspace.fs.stat(uriOf(path))).then(
      () => true,
      () => false,
    );
  const found = await Promise.all(paths.map(isThere));
  return paths.filter((_, i) => found[i] === false);
}

/** The same text for the same files. */
export function keyOf(paths: readonly string[]): string {
  return paths.join('\0');
}
