/** The extension in an editor that runs in a browser alone: what cannot work there is not offered. */
import * as vscode from 'vscode';
import { activate as activateExtension, type IoLensApi } from './extension.ts';

export function activate(context: vscode.ExtensionContext): IoLensApi {
  void vscode.commands.executeCommand('setContext', 'iolens.inBrowser', true);
  return activateExtension(context);
}
