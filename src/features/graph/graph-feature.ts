import type { Contributions } from '../editor/contributions.ts';
import { placeOf, recordingFor } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import { GraphPanel } from './graph-panel.ts';

/** What shows the Directly-Follows-Graph: rows of recordings, source lines, and a window that was loaded again. */
export class GraphFeature {
  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.command('showGraph', (row?: unknown) => this.show(row));
    contributions.command('showInGraph', (place?: unknown) => this.showLine(place));
    contributions.panel('iolens.graph', (panel, state) => GraphPanel.restore(panel, services, state));
  }

  /** @param row of a recording; without it the current one is meant. */
  private show(row?: unknown): void {
    const recording = recordingFor(row, this.services.recordings);
    if (recording !== undefined) GraphPanel.show(this.services, recording);
  }

  private showLine(argument?: unknown): void {
    const { recordings, lineCosts } = this.services;
    const place = placeOf(argument, recordings, lineCosts);
    if (place === undefined) return;
    const { recording, file } = place;
    const line = recordings.lines.now(recording, file, place.line);
    GraphPanel.show(this.services, recording, { file, line });
  }

  /** What is on the screen now; for tests. */
  get shown(): (typeof GraphPanel)['shown'] {
    return GraphPanel.shown;
  }

  get shownSelection(): (typeof GraphPanel)['shownSelection'] {
    return GraphPanel.shownSelection;
  }
}
