import * as vscode from 'vscode';
import type { NamedMapping } from './protocol.ts';

const SETTING = 'graph.mappings';

/** The mappings that the user saved, by name; what is none is left out, and is complained of when it is chosen. */
export function savedMappings(resource: vscode.Uri | undefined): NamedMapping[] {
  const saved = vscode.workspace.getConfiguration('iolens', resource).get<Record<string, unknown>>(SETTING, {});
  return Object.entries(saved).map(([name, document]) => ({ name, rules: JSON.stringify(document) }));
}

/** Saves a mapping in the settings of the workspace, or of the user where there is none. */
export async function saveMapping(name: string, rules: string, resource: vscode.Uri | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration('iolens', resource);
  const target =
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  const found = settings.inspect<Record<string, unknown>>(SETTING);
  const saved = target === vscode.ConfigurationTarget.Global ? found?.globalValue : found?.workspaceValue;
  await settings.update(SETTING, { ...saved, [name]: JSON.parse(rules) as unknown }, target);
}
