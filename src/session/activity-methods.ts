import type { ActivityTimeline, ActivityTimelineRequest } from '../analysis/dfg/activity-timeline.ts';
import type { MappingPreview } from '../analysis/dfg/mapping-preview.ts';
import type { GraphRequest } from './session.ts';

/** Questions about the activities of a graph, with what the graph was made with. */
export interface ActivityMethods {
  /** When an activity's events were under way, by case; undefined when it has none, or the recording no clock. */
  timeline(id: number, graph: GraphRequest, request: ActivityTimelineRequest): Promise<ActivityTimeline | undefined>;
  /** What a mapping would make of the recording: the `most` largest activities, and of what falls out. */
  preview(id: number, graph: GraphRequest, most: number): Promise<MappingPreview>;
}
