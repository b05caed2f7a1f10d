import type { ActivityNaming, Selection } from '../../analysis/selection/selection.ts';
import type { FromGraphView, GraphSelectionMessage } from './protocol.ts';
import type { SelectionDocument, SelectionMethods } from '../selection/methods.ts';
import { selectionLabels } from '../selection/selection-text.ts';
import type { SelectionModel } from '../selection/selection.ts';

/** Binds a graph to the selection: its nodes and edges can be selected, and those that take part are marked. */
export class GraphSelection {
  /** Only the latest question is answered. */
  private generation = 0;
  /** What the view was told last; for tests. */
  shown: GraphSelectionMessage | undefined;

  constructor(
    private readonly model: SelectionModel,
    private readonly session: { readonly selection: SelectionMethods },
    private readonly post: (message: GraphSelectionMessage) => void,
  ) {}

  choose(message: Extract<FromGraphView, { kind: 'selectActivity' | 'selectEdge' }>, naming: ActivityNaming): void {
    if (message.kind === 'selectActivity') {
      this.model.select({ kind: 'activity', activity: message.activity, ...naming }, 'graph');
    } else {
      const { from, to } = message;
      this.model.select({ kind: 'edge', from, to, ...naming }, 'graph');
    }
  }

  async show(recording: number, naming: ActivityNaming): Promise<void> {
    const generation = ++this.generation;
    const { current } = this.model;
    const document =
      current.length === 0
        ? undefined
        : await this.session.selection.selected(recording, current, naming).catch(() => undefined);
    if (generation !== this.generation) return;
    this.shown = graphSelection(current, document);
    this.post(this.shown);
  }
}

function graphSelection(selection: Selection, document: SelectionDocument | undefined): GraphSelectionMessage {
  const message = { kind: 'selection', labels: selectionLabels(selection) } as const;
  // What names nothing here marks nothing: to dim everything would help nobody.
  if (document === undefined || document.reasons.length > 0)
    return { ...message, isMarked: false, activities: [], edges: [] };
  return {
    ...message,
    isMarked: true,
    activities: document.activities.map(({ activity, selected, events }) => ({ activity, share: selected / events })),
    edges: document.edges.map(({ from, to, selected, count }) => ({ from, to, share: selected / count })),
  };
}
