import type * as vscode from 'vscode';
import type { LineCosts } from './line-costs.ts';
import { placeOf, recordingFor } from './places.ts';
import type { OpenRecording, Recordings } from './recordings.ts';
import type { SelectionModel } from './selection.ts';
import { TimelinePanel, type TimelineSources } from './timeline-panel.ts';

/** What shows the timeline: commands, rows of recordings, source lines, and a window that was loaded again. */
export class TimelineFeature {
  private readonly sources: TimelineSources;

  constructor(
    extension: vscode.Uri,
    recordings: Recordings,
    selection: SelectionModel,
    private readonly costs: LineCosts,
  ) {
    this.sources = { extension, recordings, selection };
  }

  /** @param row of a recording; without it the current one is meant. */
  show(row?: unknown): void {
    const recording = recordingFor(row, this.sources.recordings);
    if (recording !== undefined) TimelinePanel.show(this.sources, [recording]);
  }

  /** Shows recordings on one axis, each from its own beginning. */
  showTogether(recordings: readonly OpenRecording[]): void {
    TimelinePanel.show(this.sources, recordings);
  }

  /** Selects the calls of a source line, and shows them among all others. */
  showLine(argument?: unknown): void {
    const place = placeOf(argument, this.sources.recordings, this.costs);
    if (place === undefined) return;
    this.sources.selection.select({ kind: 'line', file: place.file, line: place.line }, 'editor');
    TimelinePanel.show(this.sources, [place.recording]);
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return TimelinePanel.restore(panel, this.sources, state);
  }

  /** What is on the screen now; for tests. */
  get shown(): (typeof TimelinePanel)['shown'] {
    return TimelinePanel.shown;
  }
}
