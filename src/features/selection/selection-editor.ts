import * as vscode from 'vscode';
import { pathOf } from '../editor/locations.ts';
import type { SelectionPart } from '../../analysis/selection/selection.ts';
import type { LineCosts } from '../lines/line-costs.ts';
import type { Recordings } from '../recordings/recordings.ts';
import type { SelectedCalls } from './selected-calls.ts';
import type { SelectionModel } from './selection.ts';

/** Milliseconds that the cursor has to rest before the selection follows it. */
const CURSOR_RESTS = 300;

/** Marks the lines that take part in the selection, and lets the selection follow the cursor where the user wants it. */
export class SelectionEditor implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    borderStyle: 'solid',
    borderWidth: '0 0 0 3px',
    borderColor: new vscode.ThemeColor('focusBorder'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.selectionHighlightForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  private readonly subscription: vscode.Disposable;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly recordings: Recordings,
    private readonly costs: LineCosts,
    private readonly selection: SelectionModel,
    private readonly calls: SelectedCalls,
  ) {
    const draw = (): void => this.draw();
    this.subscription = vscode.Disposable.from(
      this.decoration,
      calls.onDidChange(draw),
      // What is chosen while the cursor comes to rest is not taken back by it.
      selection.onDidChange(() => clearTimeout(this.waiting)),
      recordings.lines.onDidChange(draw),
      vscode.window.onDidChangeVisibleTextEditors(draw),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
    );
  }

  /** Lines (from 0) of a document that take part in what is selected; for tests too. */
  linesOf(document: vscode.TextDocument): number[] {
    const { current } = this.calls;
    if (current === undefined || document.uri.scheme !== 'file') return [];
    const file = pathOf(document.uri);
    return current.document.lines.first
      .filter((line) => line.isHere && line.file === file && line.line > 0)
      .map((line) => this.recordings.lines.now(current.recording, file, line.line) - 1)
      .filter((line) => line < document.lineCount);
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const ranges = this.linesOf(editor.document).map((line) => new vscode.Range(line, 0, line, 0));
      editor.setDecorations(this.decoration, ranges);
    }
  }

  private follow(editor: vscode.TextEditor): void {
    clearTimeout(this.waiting);
    const isOn = vscode.workspace.getConfiguration('iolens', editor.document.uri).get<boolean>('followCursor', false);
    if (!isOn || editor !== vscode.window.activeTextEditor) return;
    this.waiting = setTimeout(() => {
      const part = lineAt(editor.document, editor.selection.active.line, this.costs);
      if (part !== undefined) this.selection.follow(part, 'editor');
    }, CURSOR_RESTS);
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.subscription.dispose();
  }
}

/** The line as the recording names it, if calls come from it. @param line as it stands now, from 0. */
function lineAt(document: vscode.TextDocument, line: number, costs: LineCosts): SelectionPart | undefined {
  const [cost] = costs.at(document, line);
  return cost && { kind: 'line', file: cost.site.file, line: cost.site.line };
}
