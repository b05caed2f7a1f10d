import * as vscode from 'vscode';

/** Where the command puts the SQL engine: it goes when the extension goes. */
export function installedEngineFolder(context: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(context.globalStorageUri, 'engine').fsPath;
}

/** Where the SQL engine may lie. It is native code: no workspace says where (the setting's scope is the machine). */
export function engineFolders(context: vscode.ExtensionContext): readonly string[] {
  const folder = vscode.workspace.getConfiguration('iolens').get<string>('fleet.engine', '');
  return [...(folder === '' ? [] : [folder]), installedEngineFolder(context)];
}
