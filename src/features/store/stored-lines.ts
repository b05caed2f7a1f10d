import * as vscode from 'vscode';
import { commonEnding } from '../editor/path-endings.ts';
import { openLine } from '../editor/places.ts';
import { pathOf, uriOf } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

/** Files of the same name that are compared. */
const MOST_CANDIDATES = 200;

/** A line of the source as a store names it: as it was recorded, maybe on another machine. */
interface StoredPlace {
  readonly file: string;
  readonly line: number;
}

/**
 * Opens a line of which a store tells. An open recording knows where its sources are here and how lines have moved since;
 * without one the file is looked for by its path, then in the workspace by the end of its path.
 */
export async function openStoredLine(
  recordings: Recordings,
  recording: OpenRecording | undefined,
  { file, line }: StoredPlace,
  column: vscode.ViewColumn,
): Promise<void> {
  const site = recording && siteOf(recording, file, line);
  const found = site?.file ?? (await fileHere(file));
  if (found === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('I/O Lens: {0} is not on this machine. Open the workspace that it belongs to.', file),
    );
    return;
  }
  const now = recording && site ? recordings.lines.now(recording, site.file, site.line) : line;
  await openLine(found, now, false, column);
}

/** The same place as the recording names it here: it knows under which path the file was recorded. */
function siteOf({ sites }: OpenRecording, file: string, line: number): StoredPlace | undefined {
  const here = sites.filter((site) => site.isHere && site.line === line);
  return here.find((site) => site.file === file) ?? here.find((site) => commonEnding(site.file, file) > 0);
}

async function fileHere(file: string): Promise<string | undefined> {
  const uri = uriOf(file);
  const isHere = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.File) !== 0,
    () => false,
  );
  if (file.startsWith('/') && isHere) return file;
  const name = file.split('/').at(-1)!;
  // Names are recorded: what means something in a pattern is left to match anything.
  const pattern = `**/${name.replaceAll(/[^\w.+-]/g, '?')}`;
  const candidates = await vscode.workspace.findFiles(pattern, undefined, MOST_CANDIDATES);
  const known = candidates.map((candidate) => ({ path: pathOf(candidate), same: commonEnding(candidate.path, file) }));
  const most = known.reduce((longest, { same }) => Math.max(longest, same), 1);
  const best = known.filter(({ same }) => same === most).map(({ path }) => path);
  if (best.length < 2) return best[0];
  return vscode.window.showQuickPick(best, { title: vscode.l10n.t('Which file is {0}?', file) });
}
