import * as vscode from 'vscode';
import { lineAfter, lineEdits, type LineEdit } from './line-edits.ts';

/** Lines of a file moved. */
export interface MovedLines {
  readonly file: string;
  /** What moved them; undefined when edits were taken back, so that every place is to be asked for anew. */
  readonly edits: readonly LineEdit[] | undefined;
}

/**
 * Where lines of recordings stand now: the one mapping for squiggles, trees, links, the graph and fixes. It keeps the line
 * edits of each file; a recording names lines as they were saved when it was opened, and has the edits since.
 */
export class CurrentLines implements vscode.Disposable {
  private readonly edits = new Map<string, LineEdit[]>();
  /** Of each file the number of edits that are on disk. */
  private readonly saved = new Map<string, number>();
  /** Of each recording the number of each file's edits that its lines already have. */
  private readonly known = new WeakMap<object, ReadonlyMap<string, number>>();
  private readonly changed = new vscode.EventEmitter<MovedLines>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => {
        this.follow(event);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        this.saved.set(uri.fsPath, this.edits.get(uri.fsPath)?.length ?? 0);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        // What was not saved is gone.
        this.takeBack(uri.fsPath);
      }),
    ];
  }

  /** A recording was opened: its lines are those of the files on disk. */
  begin(recording: object): void {
    this.known.set(recording, new Map([...this.edits.keys()].map((file) => [file, this.saved.get(file) ?? 0])));
  }

  /** Where a line of a recording stands now. Both count from 1. */
  now(recording: object, file: string, line: number): number {
    const edits = this.edits.get(file);
    if (edits === undefined || line < 1) return line;
    return lineAfter(line - 1, edits.slice(this.known.get(recording)?.get(file) ?? 0)) + 1;
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document.uri.scheme !== 'file' || contentChanges.length === 0) return;
    const file = document.uri.fsPath;
    const all = this.edits.get(file) ?? [];
    const saved = this.saved.get(file) ?? 0;
    if (!document.isDirty && all.length > saved) {
      // Undone or reverted to what is on disk: taking the edits back is exact, following them there and back is not.
      this.takeBack(file);
      return;
    }
    const edits = lineEdits(contentChanges, (line) => (line < document.lineCount ? document.lineAt(line).text : ''));
    if (edits.length === 0) return;
    all.push(...edits);
    this.edits.set(file, all);
    // A file that was changed on disk is read again without ever being dirty.
    if (!document.isDirty) this.saved.set(file, all.length);
    this.changed.fire({ file, edits });
  }

  private takeBack(file: string): void {
    const all = this.edits.get(file);
    const saved = this.saved.get(file) ?? 0;
    if (all === undefined || all.length <= saved) return;
    all.length = saved;
    this.changed.fire({ file, edits: undefined });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}
