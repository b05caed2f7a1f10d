import type { Contributions } from '../editor/contributions.ts';
import { placeOf, recordingFor } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import { TimelinePanel } from './timeline-panel.ts';

/** What shows the timeline: commands, rows of recordings, source lines, and a window that was loaded again. */
export class TimelineFeature {
  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.command('showTimeline', (row?: unknown) => this.show(row));
    contributions.command('showInTimeline', (place?: unknown) => this.showLine(place));
    contributions.command('compareTimeline', () => this.showCompared());
    contributions.panel('iolens.timeline', (panel, state) => TimelinePanel.restore(panel, services, state));
  }

  /** @param row of a recording; without it the current one is meant. */
  private show(row?: unknown): void {
    const recording = recordingFor(row, this.services.recordings);
    if (recording !== undefined) TimelinePanel.show(this.services, [recording]);
  }

  /** Shows the recordings that are compared on one axis, each from its own beginning. */
  private showCompared(): void {
    const { current } = this.services.comparison;
    if (current !== undefined) TimelinePanel.show(this.services, [...current.base, ...current.new]);
  }

  /** Selects the calls of a source line, and shows them among all others. */
  private showLine(argument?: unknown): void {
    const { recordings, lineCosts, selection } = this.services;
    const place = placeOf(argument, recordings, lineCosts);
    if (place === undefined) return;
    selection.select({ kind: 'line', file: place.file, line: place.line }, 'editor');
    TimelinePanel.show(this.services, [place.recording]);
  }

  /** What is on the screen now; for tests. */
  get shown(): (typeof TimelinePanel)['shown'] {
    return TimelinePanel.shown;
  }
}
