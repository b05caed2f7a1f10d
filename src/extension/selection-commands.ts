import * as vscode from 'vscode';
import type { RegisterCommand } from './extension.ts';
import type { Features } from './features.ts';
import type { SelectionOrigin } from './selection.ts';

/** Commands on what is selected, and links to it. */
export function selectionCommands(command: RegisterCommand, features: () => Promise<Features>): vscode.Disposable[] {
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
    command('selectLine', (all, place?: unknown) => {
      all.selectionFeature.selectLine(place);
    }),
    command('selectFunction', (all, file?: unknown, name?: unknown) => {
      all.selectionFeature.selectFunction(file, name);
    }),
    command('selectParts', (all, parts: unknown, origin: SelectionOrigin) => {
      all.selectionFeature.selectParts(parts, origin);
    }),
    command('selectionReturn', (all, index?: unknown) => {
      all.selectionFeature.returnTo(index);
    }),
    command('selectionDrop', (all, row?: unknown) => {
      all.selectionFeature.drop(row);
    }),
    command('selectionNarrow', (all, part?: unknown) => {
      all.selectionFeature.narrow(part);
    }),
    command('copySelectionLink', (all) => all.selectionFeature.copyLink()),
    vscode.window.registerUriHandler({
      handleUri: async (uri) => (await features()).selectionFeature.followLink(uri),
    }),
  ];
}
