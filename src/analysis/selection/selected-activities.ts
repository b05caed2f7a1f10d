import { NONE } from '../../trace/events.ts';
import { groupCases } from '../dfg/cases.ts';
import { forEachMapped } from '../dfg/directly-follows-graph.ts';
import { EdgeCounts } from '../dfg/edge-counts.ts';
import { END, START } from '../dfg/graph.ts';
import type { EventMask } from './event-mask.ts';
import { mapperOf } from './graph-conditions.ts';
import type { SelectionInputs } from './selection-inputs.ts';
import type { ActivityNaming } from './selection.ts';

/** A node or an edge that takes part in a selection. */
export interface SelectedActivity {
  readonly activity: string;
  readonly selected: number;
  /** Events of the activity, selected or not. */
  readonly events: number;
}

export interface SelectedEdge {
  readonly from: string;
  readonly to: string;
  /** How often both ends are selected. */
  readonly selected: number;
  readonly count: number;
}

const PLAIN = 0;
const SELECTED = 1;

/**
 * The nodes and edges of a graph that take part in a selection. An edge takes part as often as both of the events that it
 * joins are selected; those at the ends of a case, when their one event is.
 *
 * @throws RangeError in words for the user when the mapping cannot be read.
 */
export function selectedActivities(
  inputs: SelectionInputs,
  mask: EventMask,
  naming: ActivityNaming,
): { activities: SelectedActivity[]; edges: SelectedEdge[] } {
  const { trace } = inputs;
  const mapper = mapperOf(inputs, naming);
  const cases = groupCases(trace, naming.grouping);
  const events: number[] = [];
  const selected: number[] = [];
  const edges = new EdgeCounts();
  const lastActivity = new Int32Array(cases.names.length).fill(NONE);
  const lastSelected = new Uint8Array(cases.names.length).fill(1);
  forEachMapped(trace, mapper, cases, (activity, kase, _chunk, _i, row) => {
    const isSelected = mask.has(row) ? 1 : 0;
    events[activity] = (events[activity] ?? 0) + 1;
    selected[activity] = (selected[activity] ?? 0) + isSelected;
    edges.add(lastActivity[kase]! + 1, activity + 1, lastSelected[kase]! & isSelected ? SELECTED : PLAIN);
    lastActivity[kase] = activity;
    lastSelected[kase] = isSelected;
  });
  lastActivity.forEach((activity, kase) => {
    if (activity !== NONE) edges.add(activity + 1, 0, lastSelected[kase] === 1 ? SELECTED : PLAIN);
  });
  const { names } = mapper.activities;
  return {
    activities: names
      .map((activity, index) => ({ activity, selected: selected[index]!, events: events[index]! }))
      .filter((node) => node.selected > 0),
    edges: edges
      .list()
      // The second of the groups that edges are counted for is the selected one here.
      .filter(({ green }) => green > 0)
      .map(({ from, to, count, green }) => ({
        from: from === 0 ? START : names[from - 1]!,
        to: to === 0 ? END : names[to - 1]!,
        selected: green,
        count,
      })),
  };
}
