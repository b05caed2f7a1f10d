import type * as vscode from 'vscode';
import { viewFrame } from '../editor/page-panel.ts';
import { GraphPanel } from './graph-panel.ts';
import type { ViewGraph } from './protocol.ts';

type GraphContext = Parameters<typeof GraphPanel.within>[1];

/** A view of a side bar with the graph of the current recording: beside the source, and small. */
export class GraphView {
  private page: GraphPanel | undefined;
  private readonly subscription: { dispose(): unknown };

  /** @param state what its page left behind, before a reload of the window. */
  constructor(
    private readonly view: vscode.WebviewView,
    private readonly context: GraphContext,
    state: unknown,
  ) {
    this.subscription = context.recordings.onDidChange(() => this.follow());
    view.onDidDispose(() => this.subscription.dispose());
    this.follow(state);
  }

  /** For tests. */
  get shown(): ViewGraph | undefined {
    return this.page?.drawnGraph;
  }

  /** Without a recording there is no view (package.json), and its page stays as it is. */
  private follow(state?: unknown): void {
    const { current } = this.context.recordings;
    if (current === undefined || this.page?.shows(current) === true) return;
    this.page?.close();
    this.page = GraphPanel.within(viewFrame(this.view), this.context, current, state);
  }
}
