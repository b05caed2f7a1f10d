import * as vscode from 'vscode';
import { isLocation, type EditorFileSystem } from '../../session/machine/editor-files.ts';
import { messageOf } from '../../base/error-message.ts';
import type { FileStatus, FolderEntry } from '../../session/machine/machine.ts';
import { pathOf, uriOf, workspacePaths } from './locations.ts';

/** Folders of the extension and of what the user opened. */
const opened = new Set<string>();

/** Says that the user opened these: they, and what lies beside them, may be read. */
export function allowBeside(paths: readonly string[]): void {
  for (const path of paths) opened.add(path.slice(0, path.lastIndexOf('/')));
}

/**
 * The files of the editor for the session's worker. Recordings name files as they like, and an editor's file system may
 * reach into a network: nothing is asked for outside the workspace, the extension and the folders of open recordings.
 */
export function editorFileSystem(extension: vscode.Uri): EditorFileSystem {
  opened.add(pathOf(extension));
  return {
    async status(location) {
      return statusOf(await asked(location, (uri) => vscode.workspace.fs.stat(uri)));
    },
    async list(location) {
      const entries = await asked(location, (uri) => vscode.workspace.fs.readDirectory(uri));
      return entries.map(([name, type]): FolderEntry => ({ name, kind: linkOrKind(type) }));
    },
    async read(location) {
      const bytes = await asked(location, (uri) => vscode.workspace.fs.readFile(uri));
      // What is handed to the worker is gone here: it must be all of its buffer, and nobody else's. (A Buffer's `slice` shares.)
      return new Uint8Array(bytes);
    },
  };
}

async function asked<Answer>(location: string, ask: (uri: vscode.Uri) => Thenable<Answer>): Promise<Answer> {
  if (!isReachable(location)) throw new Error('it is neither in the workspace nor beside a recording');
  try {
    return await ask(uriOf(location));
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

/** @param location of a virtual file system, or the path of a file that a browser was given. */
function isReachable(location: string): boolean {
  if (/(^|\/)\.\.(\/|$)/.test(location)) return false;
  // The user gave each of these to the browser.
  if (!isLocation(location)) return vscode.workspace.fs.isWritableFileSystem('file') !== undefined;
  return [...opened, ...workspacePaths()].some(
    (folder) => location === folder || location.startsWith(folder.endsWith('/') ? folder : `${folder}/`),
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof vscode.FileSystemError) {
    if (error.code === 'FileNotFound') return 'there is no such file or folder';
    if (error.code === 'NoPermissions') return 'permission denied';
  }
  return messageOf(error);
}

function statusOf({ type, size, mtime }: vscode.FileStat): FileStatus {
  return { kind: kindOf(type), size, modified: mtime / 1000, identity: 'unknown' };
}

function kindOf(type: vscode.FileType): FileStatus['kind'] {
  if ((type & vscode.FileType.File) !== 0) return 'file';
  return (type & vscode.FileType.Directory) !== 0 ? 'folder' : 'other';
}

function linkOrKind(type: vscode.FileType): FolderEntry['kind'] {
  return (type & vscode.FileType.SymbolicLink) === 0 ? kindOf(type) : 'link';
}
