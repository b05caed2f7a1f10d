import * as vscode from 'vscode';
import type { InsightDocument, SiteDocument } from '../export/documents.ts';
import type { OpenRecording, Recordings } from './recordings.ts';

/** A finding at a place in a source file of this machine. */
export interface LineFinding {
  readonly recording: OpenRecording;
  readonly insight: InsightDocument;
  readonly site: SiteDocument;
  /** Where the line stands now (counted from 0): it moves with edits. */
  line: number;
}

/**
 * The findings by source file, with lines that follow the edits of open documents. A line that was edited itself keeps
 * its finding: only a new recording can tell whether it is gone.
 */
export class FindingLines implements vscode.Disposable {
  private byFile = new Map<string, LineFinding[]>();
  private readonly changed = new vscode.EventEmitter<readonly string[]>();
  /** Fires with the files whose findings changed. */
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly recordings: Recordings) {
    this.subscriptions = [
      recordings.onDidChange(() => {
        this.collect();
      }),
      vscode.workspace.onDidChangeTextDocument((event) => {
        this.follow(event);
      }),
    ];
  }

  files(): string[] {
    return [...this.byFile.keys()];
  }

  in(file: string): readonly LineFinding[] {
    return this.byFile.get(file) ?? [];
  }

  at(document: vscode.TextDocument, line: number): LineFinding[] {
    return this.in(document.uri.fsPath).filter((finding) => finding.line === line);
  }

  private collect(): void {
    const before = this.files();
    this.byFile = new Map();
    for (const recording of this.recordings.all()) {
      for (const insight of recording.analysis.insights) {
        for (const site of insight.sites) {
          if (!site.isHere || site.line === 0) continue;
          const list = this.byFile.get(site.file) ?? [];
          list.push({ recording, insight, site, line: site.line - 1 });
          this.byFile.set(site.file, list);
        }
      }
    }
    this.changed.fire([...new Set([...before, ...this.files()])]);
  }

  private follow(event: vscode.TextDocumentChangeEvent): void {
    const findings = this.in(event.document.uri.fsPath);
    if (findings.length === 0) return;
    let moved = false;
    for (const { range, text } of event.contentChanges) {
      const delta = text.split('\n').length - 1 - (range.end.line - range.start.line);
      if (delta === 0) continue;
      for (const finding of findings) {
        const isBelow = finding.line > range.end.line || (finding.line === range.end.line && range.end.character === 0);
        if (!isBelow || finding.line < range.start.line) continue;
        finding.line += delta;
        moved = true;
      }
    }
    if (moved) this.changed.fire([event.document.uri.fsPath]);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}

/** The call on a line: from the column of the debug information to its closing bracket, else the line's text. */
export function callRange(text: string, line: number, column: number): vscode.Range {
  const first = /^\s*/.exec(text)![0].length;
  const whole = new vscode.Range(line, first, line, Math.max(first, text.trimEnd().length));
  const rest = column > 0 ? /^[\w:.>-]*\s*\(/.exec(text.slice(column - 1)) : null;
  if (rest === null) return whole;
  let depth = 0;
  for (let at = column - 1; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return new vscode.Range(line, column - 1, line, at + 1);
  }
  return new vscode.Range(line, column - 1, line, text.trimEnd().length);
}
