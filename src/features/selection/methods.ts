import type { ActivityNaming, Selection } from '../../analysis/selection/selection.ts';
import type { SelectionDocument } from '../../export/analysis/selection-document.ts';

export type { SelectionDocument } from '../../export/analysis/selection-document.ts';

/** Questions about what a selection means in a recording. */
export interface SelectionMethods {
  /**
   * What takes part in a selection.
   * @param naming of a graph, when its nodes and edges are wanted too.
   */
  selected(id: number, selection: Selection, naming?: ActivityNaming): Promise<SelectionDocument>;
}
