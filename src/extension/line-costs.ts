import * as vscode from 'vscode';
import type { SitesDocument } from '../export/documents.ts';
import { followEdits } from './edited-lines.ts';
import type { OpenRecording, Recordings } from './recordings.ts';

/** A call site as the session lists it. */
export type SiteCost = SitesDocument['sites'][number];

/** What a line of a source file of this machine costs in one recording. */
export interface LineCost {
  readonly recording: OpenRecording;
  readonly site: SiteCost;
  /** Where the line stands now (counted from 0): it moves with edits. */
  line: number;
}

/**
 * The costs of source lines in all open recordings. They follow the edits of open documents. What stands in the source is
 * the current recording's; the others are for comparison.
 */
export class LineCosts implements vscode.Disposable {
  private byFile = new Map<string, LineCost[]>();
  private known = new Map<SiteCost, LineCost>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly recordings: Recordings) {
    this.subscriptions = [
      recordings.onDidChange(() => {
        this.collect();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // The preview of a change is a document with the same path and another scheme.
        const costs = document.uri.scheme === 'file' ? this.byFile.get(document.uri.fsPath) : undefined;
        if (costs !== undefined && followEdits(costs, contentChanges)) this.changed.fire();
      }),
    ];
  }

  /** Of the current recording. */
  in(file: string): readonly LineCost[] {
    const { current } = this.recordings;
    return (this.byFile.get(file) ?? []).filter(({ recording }) => recording === current);
  }

  /** Of the current recording. */
  at(document: vscode.TextDocument, line: number): readonly LineCost[] {
    return this.in(document.uri.fsPath).filter((cost) => cost.line === line);
  }

  /** The same line in the recordings that are not current. */
  elsewhere(document: vscode.TextDocument, line: number): readonly LineCost[] {
    const { current } = this.recordings;
    const costs = this.byFile.get(document.uri.fsPath) ?? [];
    return costs.filter((cost) => cost.line === line && cost.recording !== current);
  }

  /** How far a file's line, as the current recording names it (from 1), has moved: where it stands now, from 0. */
  lineNow(file: string, line: number): number {
    return this.in(file).find(({ site }) => site.line === line)?.line ?? line - 1;
  }

  private collect(): void {
    const before = this.known;
    this.known = new Map();
    this.byFile = new Map();
    for (const recording of this.recordings.all()) {
      for (const site of recording.sites) {
        if (!site.isHere || site.line === 0) continue;
        const cost = before.get(site) ?? { recording, site, line: site.line - 1 };
        this.known.set(site, cost);
        const list = this.byFile.get(site.file) ?? [];
        list.push(cost);
        this.byFile.set(site.file, list);
      }
    }
    this.changed.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}
