import * as vscode from 'vscode';
import type { LineCosts } from '../lines/line-costs.ts';
import { pathOf, uriOf } from './locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

/** A line that a command is about, as the recording names it (counted from 1). */
export interface PlaceArgument {
  readonly recording: number;
  readonly file: string;
  readonly line: number;
}

export interface Place {
  readonly recording: OpenRecording;
  readonly file: string;
  readonly line: number;
}

/** Something that stands at a source line: a row of a tree. */
interface PlacedRow {
  readonly recording: OpenRecording;
  readonly site: { readonly file: string; readonly line: number };
}

/**
 * What a command is about: the place of a link, the row of a tree, or, from the palette, the line of the cursor.
 * @returns undefined when there is no such line or its recording was closed; the user was told.
 */
export function placeOf(argument: unknown, recordings: Recordings, costs: LineCosts): Place | undefined {
  if (isPlacedRow(argument))
    return { recording: argument.recording, file: argument.site.file, line: argument.site.line };
  if (isPlaceArgument(argument)) {
    const recording = recordings.all().find(({ id }) => id === argument.recording);
    if (recording !== undefined) return { recording, file: argument.file, line: argument.line };
    void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: that recording is no longer open.'));
    return undefined;
  }
  const current = recordingFor(undefined, recordings);
  if (current === undefined) return undefined;
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: put the cursor on a source line first.'));
    return undefined;
  }
  const line = editor.selection.active.line;
  const recorded = costs.at(editor.document, line)[0]?.site.line ?? line + 1;
  return { recording: current, file: pathOf(editor.document.uri), line: recorded };
}

function isPlaceArgument(value: unknown): value is PlaceArgument {
  if (typeof value !== 'object' || value === null) return false;
  const { recording, file, line } = value as Record<string, unknown>;
  return typeof recording === 'number' && typeof file === 'string' && typeof line === 'number';
}

function isPlacedRow(value: unknown): value is PlacedRow {
  if (typeof value !== 'object' || value === null) return false;
  const { recording, site } = value as Record<string, unknown>;
  return typeof recording === 'object' && typeof site === 'object' && site !== null && 'line' in site;
}

/** The recording of a tree's row. */
export function recordingOf(row: unknown): OpenRecording | undefined {
  return typeof row === 'object' && row !== null && 'recording' in row && 'kind' in row && row.kind === 'recording'
    ? (row.recording as OpenRecording)
    : undefined;
}

/**
 * The recording that a command is about: that of the row, else the current one.
 * @returns undefined when none is open; the user was told.
 */
export function recordingFor(row: unknown, { current }: Recordings): OpenRecording | undefined {
  const recording = recordingOf(row) ?? current;
  if (recording === undefined)
    void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: open a recording first.'));
  return recording;
}

/** Opens a source file at a line (counted from 1). */
export async function openLine(
  file: string,
  line: number,
  preserveFocus = false,
  viewColumn = vscode.ViewColumn.Active,
): Promise<void> {
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(uriOf(file), { selection, preview: true, preserveFocus, viewColumn });
}

/** Where sources show already, else beside a panel: it stays in sight. */
export function sourceColumn(panel: vscode.WebviewPanel): vscode.ViewColumn {
  const other = vscode.window.tabGroups.all.find(
    ({ viewColumn, activeTab }) => viewColumn !== panel.viewColumn && activeTab?.input instanceof vscode.TabInputText,
  );
  return other?.viewColumn ?? vscode.ViewColumn.Beside;
}
