/** What the suites share: the workspace that workspace.mjs makes, and waiting for what happens there. */
import * as vscode from 'vscode';
import type { IoLensApi } from '../../../src/app/extension.ts';
import type { Features } from '../../../src/app/features.ts';
import type { OpenRecording } from '../../../src/features/recordings/recordings.ts';

export type Suite = Readonly<Record<string, () => Promise<void>>>;

export const folder = vscode.workspace.workspaceFolders![0]!;
export const at = (...parts: string[]): vscode.Uri => vscode.Uri.joinPath(folder.uri, ...parts);
export const source = at('heat.c');
export const recording = at('heat.strace.gz');

export function extension(): vscode.Extension<IoLensApi> {
  return vscode.extensions.getExtension<IoLensApi>('iolens.iolens')!;
}

export async function features(): Promise<Features> {
  return (await extension().activate()).features();
}

/** Milliseconds: on a busy machine a library is compiled for longer than half a minute. A test may take twice as long. */
const LONGEST = 60_000;

/**
 * Waits until a condition holds; the test fails with what was waited for when it never does. The last look comes when the
 * time is over: what holds by then did happen.
 * @param instead what is there then, for whoever reads the failure.
 */
export async function until<Value>(
  look: () => Value | undefined | Promise<Value | undefined>,
  what: string,
  instead?: () => string,
): Promise<Value> {
  const end = performance.now() + LONGEST;
  for (;;) {
    const isLast = performance.now() >= end;
    const value = await look();
    if (value !== undefined) return value;
    if (isLast) throw new Error(`never happened: ${what}${instead === undefined ? '' : `; instead: ${instead()}`}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function untilTrue(look: () => boolean, what: string): Promise<void> {
  await until(() => (look() ? true : undefined), what);
}

/** Tabs with a webview of a type, such as `iolens.timeline`. */
export function webviewTabs(type: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(type));
}

export function findings(uri = source): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source: from }) => from === 'I/O Lens');
}

/** Lines (from 1) with findings, in order, each once. */
export function findingLines(uri = source): number[] {
  return [...new Set(findings(uri).map(lineOf))].sort((a, b) => a - b);
}

export const lineOf = (diagnostic: vscode.Diagnostic): number => diagnostic.range.start.line + 1;

export async function openDemo(): Promise<OpenRecording> {
  await vscode.commands.executeCommand('iolens.openRecording', recording);
  await untilTrue(() => findings().length > 0, 'findings of the demo recording');
  return (await features()).recordings.current!;
}

/** A second recording of the same program, so that two know the same lines. */
export async function openDemoAgain(): Promise<OpenRecording> {
  const copy = at('again.strace.gz');
  await vscode.workspace.fs.copy(recording, copy, { overwrite: true });
  return (await (await features()).recordings.add([copy.fsPath]))!;
}

/** What records programs meanwhile (setting `iolens.record.with`). */
export async function withRecorder<T>(recorder: 'preload' | 'strace', work: () => Promise<T>): Promise<T> {
  const settings = vscode.workspace.getConfiguration('iolens');
  await settings.update('record.with', recorder, vscode.ConfigurationTarget.Global);
  try {
    return await work();
  } finally {
    await settings.update('record.with', undefined, vscode.ConfigurationTarget.Global);
  }
}

export async function closeAll(): Promise<void> {
  const { recordings, dismissals, selection, feature } = await features();
  selection.clear();
  for (const open of [...recordings.all()]) await recordings.remove(open);
  await dismissals.restoreRules(dismissals.all());
  await feature.findings.order.choose('severity');
  for (const order of [feature.lines.order, feature.files.order]) await order.choose('time');
  const settings = vscode.workspace.getConfiguration('iolens');
  for (const name of ['heat', 'codeLens', 'findingsOf'])
    await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Puts the cursor on a line (from 1) of the demo's source. */
export async function cursorOn(line: number): Promise<vscode.TextEditor> {
  const selection = new vscode.Range(line - 1, 8, line - 1, 8);
  return vscode.window.showTextDocument(source, { selection });
}

export async function hoverText(line: number, uri = source): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    new vscode.Position(line - 1, 10),
  );
  return hovers.flatMap(({ contents }) => contents.map((part) => (part as vscode.MarkdownString).value)).join('\n');
}

/** Where the active editor's cursor is, as `heat.c:22`. */
export function cursor(): string {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined
    ? ''
    : `${editor.document.uri.path.split('/').at(-1)!}:${editor.selection.active.line + 1}`;
}
