import type * as vscode from 'vscode';
import type { View } from './deferred-tree.ts';

/**
 * What of package.json (`contributes`) a feature answers to. The editor knows the names from its start; whoever asks for
 * one waits until the features are loaded. Each name has one feature that answers; a second one is an error.
 */
export interface Contributions {
  /** @param name without `iolens.` */
  command(name: string, run: (...values: never[]) => unknown): void;
  /** A command that only rows and links of the extension itself run: it does not stand in package.json. */
  ownCommand(name: string, run: (...values: never[]) => unknown): void;
  /** Panels that were open when the window was closed: they are filled again. */
  panel(type: string, restore: RestorePanel): void;
  /** Editors of files. */
  editor(type: string, show: ShowFile): void;
  tasks(type: string, provider: vscode.TaskProvider): void;
  /** Tools for language models. */
  tool<Input>(name: string, tool: vscode.LanguageModelTool<Input>): void;
  /** Links to the extension from elsewhere. */
  links(follow: FollowLink): void;
  /** A view of the side bar, which the feature fills. @param name without `iolens.` */
  view<Row>(name: string): View<Row>;
  /** A view with a page, which the feature fills each time that it comes into being. @param name without `iolens.` */
  page(name: string, fill: FillView): void;
  /** These go when the extension goes, in this order. */
  own(...things: readonly { dispose(): unknown }[]): void;
}

export type RestorePanel = (panel: vscode.WebviewPanel, state: unknown) => unknown;
/** @param isRestored nobody opened it: its tab survived a reload of the window. */
export type ShowFile = (file: vscode.Uri, panel: vscode.WebviewPanel, isRestored: boolean) => unknown;
/** @param state what its page left behind, before a reload of the window. */
export type FillView = (view: vscode.WebviewView, state: unknown) => unknown;
export type FollowLink = (link: vscode.Uri) => unknown;
