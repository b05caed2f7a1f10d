import type { ActivityNaming, Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { Newest } from '../../base/newest.ts';
import type { GraphMarks } from './protocol.ts';
import type { SelectionDocument, SelectionMethods } from '../selection/methods.ts';
import { selectionLabels } from '../selection/selection-text.ts';
import type { SelectionModel } from '../selection/selection.ts';

/** Binds a graph to the selection: its nodes and edges can be selected, and those that take part are marked. */
export class GraphSelection {
  private readonly newest = new Newest();
  /** What the view was told last; for tests. */
  shown: GraphMarks | undefined;

  constructor(
    private readonly model: SelectionModel,
    private readonly session: { readonly selection: SelectionMethods },
    private readonly post: (message: GraphMarks) => void,
  ) {}

  choose(part: SelectionPart): void {
    this.model.select(part, 'graph');
  }

  async show(recording: number, naming: ActivityNaming): Promise<void> {
    const signal = this.newest.begin();
    const { current } = this.model;
    const document =
      current.length === 0
        ? undefined
        : await this.session.selection.selected(recording, current, naming).catch(() => undefined);
    if (signal.aborted) return;
    this.shown = graphSelection(current, document);
    this.post(this.shown);
  }
}

function graphSelection(selection: Selection, document: SelectionDocument | undefined): GraphMarks {
  const labels = selectionLabels(selection);
  // What names nothing here marks nothing: to dim everything would help nobody.
  if (document === undefined || document.reasons.length > 0)
    return { labels, isMarked: false, activities: [], edges: [] };
  return {
    labels,
    isMarked: true,
    activities: document.activities.map(({ activity, selected, events }) => ({ activity, share: selected / events })),
    edges: document.edges.map(({ from, to, selected, count }) => ({ from, to, share: selected / count })),
  };
}
