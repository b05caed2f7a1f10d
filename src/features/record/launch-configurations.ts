import * as vscode from 'vscode';
import { isRecordable, type LaunchConfiguration } from './launch-program.ts';

export interface FoundConfiguration {
  readonly configuration: LaunchConfiguration;
  readonly folder: vscode.WorkspaceFolder;
}

/** The launch configurations of compiled programs in all folders of the workspace. */
export function launchConfigurations(): FoundConfiguration[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const written = vscode.workspace.getConfiguration('launch', folder).get<unknown>('configurations');
    const list = Array.isArray(written) ? (written as unknown[]) : [];
    return list
      .filter((entry): entry is LaunchConfiguration => typeof entry === 'object' && entry !== null)
      .filter(isRecordable)
      .map((configuration) => ({ configuration, folder }));
  });
}
