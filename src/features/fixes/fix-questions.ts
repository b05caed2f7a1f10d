import * as vscode from 'vscode';
import type { FixRequest } from '../../analysis/fixes/fix.ts';
import { isSourceName } from '../../session/sources/source-names.ts';
import type { SourceFolders } from '../../session/sources/quoted-sources.ts';
import { pathOf } from '../editor/locations.ts';
import { openRequest } from '../editor/settings.ts';
import { learnedRules } from '../recordings/source-locating.ts';
import type { FixQuestion } from './answers.ts';

/** Asks about a line of a document, with what the user has not saved: that wins over what is on disk. */
export function questionOf(
  request: Omit<FixRequest, 'sources'>,
  document: vscode.TextDocument,
  recorded: readonly string[],
  folders: SourceFolders,
): FixQuestion {
  const edited = vscode.workspace.textDocuments.filter(({ isDirty, fileName }) => isDirty && isSourceName(fileName));
  const texts = [...edited, document].map((each) => [pathOf(each.uri), each.getText()] as const);
  const sources = { ...Object.fromEntries(texts), [request.place.file]: document.getText() };
  return { request: { ...request, sources }, recorded, folders };
}

/** Where the sources of a recording may lie. */
export function foldersOf(paths: readonly string[], state: vscode.Memento): SourceFolders {
  const { workspaceFolders, pathRules, learnedRules: learned } = openRequest(paths, learnedRules(state));
  return { workspaceFolders, pathRules, learnedRules: learned };
}
