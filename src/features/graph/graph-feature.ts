import type * as vscode from 'vscode';
import type { Contributions } from '../editor/contributions.ts';
import { placeOf, recordingFor } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import { GraphPanel } from './graph-panel.ts';
import { GraphView } from './graph-view.ts';
import type { ViewGraph } from './protocol.ts';

/** What shows the Directly-Follows-Graph: rows of recordings, source lines, and a window that was loaded again. */
export class GraphFeature {
  /** By their types: the setting `iolens.graph.place` says which of them is in sight. */
  private readonly views = new Map<string, GraphView>();

  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.command('showGraph', (row?: unknown) => this.show(row));
    contributions.command('showInGraph', (place?: unknown) => this.showLine(place));
    contributions.page('graphInSideBar', (view, state) => this.fill(view, state));
    contributions.page('graphInPanel', (view, state) => this.fill(view, state));
    contributions.panel('iolens.graph', (panel, state) => GraphPanel.restore(panel, services, state));
  }

  private fill(view: vscode.WebviewView, state: unknown): void {
    this.views.set(view.viewType, new GraphView(view, this.services, state));
    view.onDidDispose(() => this.views.delete(view.viewType));
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

  /** What the views show; for tests. */
  get inViews(): ReadonlyMap<string, ViewGraph | undefined> {
    return new Map([...this.views].map(([place, view]) => [place, view.shown]));
  }

  get shownSelection(): (typeof GraphPanel)['shownSelection'] {
    return GraphPanel.shownSelection;
  }
}
