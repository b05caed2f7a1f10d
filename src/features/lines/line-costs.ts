import * as vscode from 'vscode';
import type { SitesDocument } from '../../export/analysis/documents.ts';
import { lineAfter } from './line-edits.ts';
import { pathOf } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';

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
      recordings.onDidChange(() => this.collect()),
      recordings.lines.onDidChange(({ file, edits }) => {
        const costs = this.byFile.get(file) ?? [];
        for (const cost of costs)
          cost.line = edits === undefined ? this.now(cost.recording, cost.site) : lineAfter(cost.line, edits);
        // Rows of trees lead to callers too, whose lines cost nothing of their own.
        if (this.byFile.size > 0) this.changed.fire();
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
    return this.in(pathOf(document.uri)).filter((cost) => cost.line === line);
  }

  /** The same line in the recordings that are not current. */
  elsewhere(document: vscode.TextDocument, line: number): readonly LineCost[] {
    const { current } = this.recordings;
    const costs = this.byFile.get(pathOf(document.uri)) ?? [];
    return costs.filter((cost) => cost.line === line && cost.recording !== current);
  }

  /** How far a file's line, as the current recording names it (from 1), has moved: where it stands now, from 0. */
  lineNow(file: string, line: number): number {
    const { current, lines } = this.recordings;
    return (current === undefined ? line : lines.now(current, file, line)) - 1;
  }

  private now(recording: OpenRecording, { file, line }: SiteCost): number {
    return this.recordings.lines.now(recording, file, line) - 1;
  }

  private collect(): void {
    const before = this.known;
    this.known = new Map();
    this.byFile = new Map();
    for (const recording of this.recordings.all()) {
      for (const site of recording.sites) {
        if (!site.isHere || site.line === 0) continue;
        const cost = before.get(site) ?? { recording, site, line: this.now(recording, site) };
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
