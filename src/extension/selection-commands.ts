import type * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';

/** Commands on what is selected. */
export function selectionCommands(command: RegisterCommand): vscode.Disposable[] {
  return [
    command('selectionBack', (all) => {
      all.selection.back();
    }),
    command('selectionForward', (all) => {
      all.selection.forward();
    }),
    command('selectionClear', (all) => {
      all.selection.clear();
    }),
  ];
}
