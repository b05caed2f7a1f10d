import {
  activityTimeline,
  type ActivityTimeline,
  type ActivityTimelineRequest,
} from '../analysis/dfg/activity-timeline.ts';
import { mappingPreview, type MappingPreview } from '../analysis/dfg/mapping-preview.ts';
import type { ActivityMethods } from './activity-methods.ts';
import { graphOptions } from './graph-options.ts';
import type { OpenedRecording } from './opened-recording.ts';
import type { GraphRequest } from './session.ts';

export class ActivityQuestions implements ActivityMethods {
  constructor(private readonly recording: (id: number) => OpenedRecording) {}

  async timeline(
    id: number,
    graph: GraphRequest,
    request: ActivityTimelineRequest,
  ): Promise<ActivityTimeline | undefined> {
    const recording = this.recording(id);
    return activityTimeline(recording.trace, recording.callSites(), await graphOptions(graph, recording), request);
  }

  async preview(id: number, graph: GraphRequest, most: number): Promise<MappingPreview> {
    const recording = this.recording(id);
    return mappingPreview(recording.trace, recording.callSites(), await graphOptions(graph, recording), most);
  }
}
