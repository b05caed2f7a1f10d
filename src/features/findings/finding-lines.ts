import * as vscode from 'vscode';
import type { InsightDocument, SiteDocument } from '../../export/analysis/documents.ts';
import type { Dismissals } from './dismissals.ts';
import type { MovedLines } from '../recordings/current-lines.ts';
import { lineAfter } from '../lines/line-edits.ts';
import { pathOf } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { findingsOf } from '../editor/settings.ts';

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
  /** Of all open recordings. */
  private findings = new Map<SiteDocument, LineFinding>();
  /** Those that are shown. */
  private byFile = new Map<string, LineFinding[]>();
  private readonly changed = new vscode.EventEmitter<readonly string[]>();
  /** Fires with the files whose findings changed. */
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly recordings: Recordings,
    private readonly dismissals: Dismissals,
  ) {
    this.subscriptions = [
      recordings.onDidChange(() => this.collect()),
      dismissals.onDidChange(() => this.collect()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('iolens.findingsOf')) this.collect();
      }),
      recordings.lines.onDidChange((moved) => this.follow(moved)),
    ];
  }

  files(): string[] {
    return [...this.byFile.keys()];
  }

  in(file: string): readonly LineFinding[] {
    return this.byFile.get(file) ?? [];
  }

  at(document: vscode.TextDocument, line: number): LineFinding[] {
    return this.in(pathOf(document.uri)).filter((finding) => finding.line === line);
  }

  /** The recordings whose findings stand in the source: the current one, or all (docs/decisions/0028). */
  private shown(): readonly OpenRecording[] {
    const { current } = this.recordings;
    if (findingsOf() === 'all') return this.recordings.all();
    return current === undefined ? [] : [current];
  }

  private collect(): void {
    const before = this.files();
    const known = this.findings;
    this.findings = new Map();
    this.byFile = new Map();
    const shown = this.shown();
    for (const recording of this.recordings.all()) {
      for (const insight of recording.analysis.insights) {
        const { kept } = this.dismissals.split(insight);
        for (const site of insight.sites) {
          if (!site.isHere || site.line === 0) continue;
          // One that is hidden now follows edits as well: it may be shown again.
          const finding = known.get(site) ?? { recording, insight, site, line: this.lineNow(recording, site) };
          this.findings.set(site, finding);
          if (!shown.includes(recording) || !kept.includes(site)) continue;
          const list = this.byFile.get(site.file) ?? [];
          list.push(finding);
          this.byFile.set(site.file, list);
        }
      }
    }
    this.changed.fire([...new Set([...before, ...this.files()])]);
  }

  private lineNow(recording: OpenRecording, { file, line }: SiteDocument): number {
    return this.recordings.lines.now(recording, file, line) - 1;
  }

  private follow({ file, edits }: MovedLines): void {
    const changed = new Set<string>();
    for (const finding of this.findings.values()) {
      const { recording, site } = finding;
      if (site.file === file) {
        finding.line = edits === undefined ? this.lineNow(recording, site) : lineAfter(finding.line, edits);
        changed.add(file);
      } else if (site.stack.some((frame) => frame.file === file)) changed.add(site.file);
    }
    if (changed.size > 0) this.changed.fire([...changed]);
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
