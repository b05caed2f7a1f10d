import * as vscode from 'vscode';
import { uriOf } from '../editor/locations.ts';
import { isInRecordingsPlace } from './recordings-place.ts';

/** Names that a tracer gives to the files of all recordings: only their folder tells one from another. */
const ALIKE: ReadonlySet<string> = new Set(['traces.otf2', 'recorder.mt', 'VERSION']);

export function nameOf(paths: readonly string[]): string {
  const uri = uriOf(paths[0]!);
  const [own, folder] = uri.path.split('/').reverse();
  if (isInRecordingsPlace(uri)) return own!;
  if (folder === undefined || folder === '' || !ALIKE.has(own!)) return vscode.workspace.asRelativePath(uri, false);
  const parent = vscode.Uri.joinPath(uri, '..');
  // The workspace's own folder has no path in it.
  const isWorkspace = vscode.workspace.workspaceFolders?.some((each) => each.uri.toString() === parent.toString());
  return isWorkspace === true ? folder : vscode.workspace.asRelativePath(parent, false);
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
