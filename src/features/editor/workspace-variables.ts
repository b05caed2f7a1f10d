import path from 'node:path';
import * as vscode from 'vscode';
import type { VariableLookup } from './variables.ts';

/** The variables of tasks.json and launch.json that can be had without running anything. */
export function plainVariables(folder: vscode.WorkspaceFolder): VariableLookup {
  return (name) => Promise.resolve(plainVariable(name, folder));
}

/** These, and `${command:…}` of other extensions, such as the program that the build system makes. */
export function launchVariables(folder: vscode.WorkspaceFolder): VariableLookup {
  return async (name) => {
    if (!name.startsWith('command:')) return plainVariable(name, folder);
    try {
      const value = await vscode.commands.executeCommand(name.slice('command:'.length));
      return typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  };
}

function plainVariable(name: string, folder: vscode.WorkspaceFolder): string | undefined {
  const [kind, rest] = name.split(/:(.*)/s);
  const file = vscode.window.activeTextEditor?.document.uri.fsPath;
  switch (kind) {
    case 'workspaceFolder':
    case 'workspaceRoot':
      return rest === undefined
        ? folder.uri.fsPath
        : vscode.workspace.workspaceFolders?.find((other) => other.name === rest)?.uri.fsPath;
    case 'workspaceFolderBasename':
      return path.basename(folder.uri.fsPath);
    case 'userHome':
      return process.env['HOME'];
    case 'pathSeparator':
    case '/':
      return path.sep;
    case 'env':
      // As the editor has it: a variable that is not set is empty.
      return process.env[rest ?? ''] ?? '';
    case 'config': {
      const value = vscode.workspace.getConfiguration(undefined, folder).get(rest ?? '');
      return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    }
    case 'file':
      return file;
    case 'fileDirname':
      return file === undefined ? undefined : path.dirname(file);
    case 'fileBasename':
      return file === undefined ? undefined : path.basename(file);
    case 'fileBasenameNoExtension':
      return file === undefined ? undefined : path.parse(file).name;
    default:
      return undefined;
  }
}
