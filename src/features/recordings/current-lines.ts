import * as vscode from 'vscode';
import { lineAfter, lineEdits, type LineEdit } from '../lines/line-edits.ts';
import { isFile, pathOf } from '../editor/locations.ts';

/** Lines of a file moved. */
export interface MovedLines {
  readonly file: string;
  /** What moved them; undefined when edits were taken back, so that every place is to be asked for anew. */
  readonly edits: readonly LineEdit[] | undefined;
}

/** A line edit with when it was made, in seconds since 1970. */
interface TimedEdit extends LineEdit {
  readonly time: number;
}

/** Milliseconds within which the editor tells whether a changed document is dirty, and whether a clean one was saved. */
const WORD_FOLLOWS = 100;

/** What decides which edits a recording's lines have already. */
interface LinesOf {
  readonly info: { readonly startTime: number | null; readonly durationNs: number };
  readonly analysis: {
    readonly symbols: {
      readonly modules: readonly { readonly status: string; readonly modified: number | null }[];
      readonly sources: readonly { readonly file: string; readonly revision: string }[];
    };
  };
}

/**
 * Where lines of recordings stand now: the one mapping for squiggles, trees, links, the graph and fixes. It keeps the line
 * edits of each file. A recording names lines as they were when its program was built, so it has the edits since; where
 * the session has compared a file with its recorded revision, those since the file was saved last.
 */
export class CurrentLines implements vscode.Disposable {
  private readonly edits = new Map<string, TimedEdit[]>();
  /** Of each file the number of edits that are on disk. */
  private readonly saved = new Map<string, number>();
  /** Of each recording the number of each file's edits that its lines already have. */
  private readonly known = new WeakMap<LinesOf, ReadonlyMap<string, number>>();
  private readonly dirty = new Set<string>();
  /** What is to be done with a file's edits if no other word of the editor comes first. */
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly changed = new vscode.EventEmitter<MovedLines>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.isOnDisk(pathOf(uri))),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        // What was not saved is gone.
        this.forget(pathOf(uri));
        this.dirty.delete(pathOf(uri));
        this.takeBack(pathOf(uri));
      }),
    ];
  }

  /** A recording was opened, or its sources were found elsewhere. */
  begin(recording: LinesOf): void {
    const built = timeOfLines(recording);
    const { sources } = recording.analysis.symbols;
    const compared = new Set(sources.filter(({ revision }) => revision !== '').map(({ file }) => file));
    const known = new Map<string, number>();
    for (const [file, edits] of this.edits) {
      const saved = this.saved.get(file) ?? 0;
      const later = edits.findIndex(({ time }) => time > built);
      known.set(file, compared.has(file) || Number.isNaN(built) ? saved : later < 0 ? edits.length : later);
    }
    this.known.set(recording, known);
  }

  /** Where a line of a recording stands now. Both count from 1. */
  now(recording: LinesOf, file: string, line: number): number {
    const edits = this.edits.get(file);
    if (edits === undefined || line < 1) return line;
    return lineAfter(line - 1, edits.slice(this.known.get(recording)?.get(file) ?? 0)) + 1;
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (!isFile(document.uri)) return;
    const file = pathOf(document.uri);
    if (contentChanges.length === 0) {
      this.dirtyChanged(file, document.isDirty);
      return;
    }
    const edits = lineEdits(contentChanges, (line) => (line < document.lineCount ? document.lineAt(line).text : ''));
    if (edits.length === 0) return;
    const time = Date.now() / 1000;
    const all = this.edits.get(file) ?? [];
    all.push(...edits.map((edit) => ({ ...edit, time })));
    this.edits.set(file, all);
    // A file that was changed on disk is read again without ever being dirty.
    if (!this.dirty.has(file)) {
      this.soon(file, () => this.isOnDisk(file));
    }
    this.changed.fire({ file, edits });
  }

  /** The editor tells of it behind the change that made the document dirty or clean. */
  private dirtyChanged(file: string, isDirty: boolean): void {
    this.forget(file);
    if (isDirty) {
      this.dirty.add(file);
      return;
    }
    this.dirty.delete(file);
    // If no word of a save follows it was undone or reverted. Following edits there and back is not exact: lines that
    // were removed in between are not found again. Taking the edits back is.
    this.soon(file, () => this.takeBack(file));
  }

  private soon(file: string, act: () => void): void {
    this.forget(file);
    const wait = setTimeout(() => {
      this.waiting.delete(file);
      act();
    }, WORD_FOLLOWS);
    this.waiting.set(file, wait);
  }

  private forget(file: string): void {
    clearTimeout(this.waiting.get(file));
    this.waiting.delete(file);
  }

  /** What the document holds is on disk. */
  private isOnDisk(file: string): void {
    this.forget(file);
    this.saved.set(file, this.edits.get(file)?.length ?? 0);
  }

  private takeBack(file: string): void {
    const all = this.edits.get(file);
    const saved = this.saved.get(file) ?? 0;
    if (all === undefined || all.length <= saved) return;
    all.length = saved;
    this.changed.fire({ file, edits: undefined });
  }

  dispose(): void {
    for (const wait of this.waiting.values()) clearTimeout(wait);
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}

/** Seconds since 1970 of the sources that a recording's lines are those of; NaN when nobody knows. */
function timeOfLines({ info, analysis }: LinesOf): number {
  const built = analysis.symbols.modules.flatMap(({ status, modified }) =>
    status === 'lines' && modified !== null ? [modified] : [],
  );
  if (built.length > 0) return Math.max(...built);
  return info.startTime === null ? NaN : info.startTime + info.durationNs / 1e9;
}
