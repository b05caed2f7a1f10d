import * as vscode from 'vscode';
import type { Recordings } from '../recordings/recordings.ts';
import { openLine } from '../editor/places.ts';
import { linkQuery, parseLinkQuery, type LinkedView, type LinkTarget } from './selection-link.ts';
import type { SelectionModel } from './selection.ts';

const EXTENSION = 'iolens.iolens';

/** Whether the user wants to open what lies outside of the workspace. */
export type Agrees = (paths: readonly string[]) => Promise<boolean>;

/** What a view of a link is opened by. */
const COMMANDS: Readonly<Record<LinkedView, string>> = {
  graph: 'iolens.showGraph',
  timeline: 'iolens.showTimeline',
  report: 'iolens.showReport',
};

/** A link that leads back to what is selected; undefined when it is too long for one, or has names that none can hold. */
export function linkTo(target: LinkTarget): string | undefined {
  const query = linkQuery(target);
  if (parseLinkQuery(query) === undefined) return undefined;
  try {
    return `${vscode.env.uriScheme}://${EXTENSION}/select?${encodeURI(query).replaceAll('#', '%23')}`;
  } catch {
    // Half of a surrogate pair: such names are damaged.
    return undefined;
  }
}

/** The view that is in sight and that a link can open, that of the active group first. */
export function linkedViewInSight(): LinkedView | undefined {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  for (const { activeTab } of [activeTabGroup, ...all]) {
    const input = activeTab?.input;
    if (!(input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputWebview)) continue;
    // The type of a panel has words of the editor before it.
    const view = /iolens\.(graph|timeline|report)$/.exec(input.viewType)?.[1];
    if (view !== undefined) return view as LinkedView;
  }
  return undefined;
}

/**
 * Follows a link: opens its recording, selects, and shows the view. Anybody can write a link, so nothing but recordings
 * is opened, and one that is not in the workspace only when the user agrees.
 */
export async function followLink(
  uri: vscode.Uri,
  recordings: Recordings,
  selection: SelectionModel,
  agrees: Agrees = asksUser,
): Promise<void> {
  const target = uri.path === '/select' ? parseLinkQuery(uri.query) : undefined;
  if (target === undefined) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('I/O Lens: this link leads nowhere: it is not one that can be followed.'),
    );
    return;
  }
  if (!(await isOpened(target.recording, recordings, agrees))) return;
  selection.select(target.selection, 'link');
  if (target.view !== undefined) await show(target.view);
  await revealLine(target, recordings);
}

/** @returns false when the recording is not open in the end. */
async function isOpened(paths: readonly string[], recordings: Recordings, agrees: Agrees): Promise<boolean> {
  if (paths.length === 0) return true;
  const open = recordings.withPaths(paths);
  if (open !== undefined) {
    await recordings.choose(open);
    return true;
  }
  if (!paths.every(isInWorkspace) && !(await agrees(paths))) return false;
  return (await recordings.add(paths)) !== undefined;
}

function isInWorkspace(file: string): boolean {
  // A link's path has no "..": it is below a folder when it begins with it.
  return (vscode.workspace.workspaceFolders ?? []).some(
    ({ uri }) => uri.scheme === 'file' && file.startsWith(`${uri.fsPath.replace(/[\\/]$/, '')}/`),
  );
}

async function asksUser(paths: readonly string[]): Promise<boolean> {
  const open = vscode.l10n.t('Open');
  const text = vscode.l10n.t('I/O Lens: a link wants to open a recording that is not in the workspace.');
  const chosen = await vscode.window.showWarningMessage(text, { modal: true, detail: paths.join('\n') }, open);
  return chosen === open;
}

async function show(view: LinkedView): Promise<void> {
  const command = COMMANDS[view];
  if ((await vscode.commands.getCommands(true)).includes(command)) await vscode.commands.executeCommand(command);
}

/** The line is brought into the editor where the recording has it: a link cannot open any other file. */
async function revealLine({ selection }: LinkTarget, recordings: Recordings): Promise<void> {
  const part = selection.find(({ kind }) => kind === 'line');
  const { current } = recordings;
  if (part?.kind !== 'line' || current === undefined) return;
  const site = current.sites.find(({ file, line, isHere }) => isHere && file === part.file && line === part.line);
  if (site !== undefined) await openLine(site.file, recordings.lines.now(current, site.file, site.line), true);
}
