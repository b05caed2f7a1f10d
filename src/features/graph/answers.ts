import { machine } from '#machine';
import picomatch from 'picomatch';
import { activityLog } from '../../analysis/dfg/activity-log.ts';
import { activitySites } from '../../analysis/dfg/activity-sites.ts';
import {
  activityTimeline,
  type ActivityTimeline,
  type ActivityTimelineRequest,
} from '../../analysis/dfg/activity-timeline.ts';
import { directlyFollowsGraph, type GraphOptions } from '../../analysis/dfg/directly-follows-graph.ts';
import { mappingPreview, type MappingPreview } from '../../analysis/dfg/mapping-preview.ts';
import { parseMapping, type CustomMapping, type Mapping } from '../../analysis/dfg/mapping.ts';
import { layersOf } from '../../analysis/layers/layers-present.ts';
import { messageOf } from '../../base/error-message.ts';
import type { GraphDocument } from '../../export/analysis/documents.ts';
import { graphDocument } from '../../export/graph/graph-document.ts';
import type { RecordingsById } from '../../session/reading/open-recordings.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { LAYERS } from '../../trace/calls.ts';
import type { GraphRequest } from './methods.ts';

/** The Directly-Follows-Graph of a recording, and its activities. */
export class GraphAnswers {
  constructor(private readonly recordings: RecordingsById) {}

  async document(id: number, request: GraphRequest): Promise<GraphDocument> {
    return graphOf(this.recordings.of(id), request);
  }

  /** When an activity's events were under way, by case; undefined when it has none, or the recording no clock. */
  async timeline(
    id: number,
    graph: GraphRequest,
    request: ActivityTimelineRequest,
  ): Promise<ActivityTimeline | undefined> {
    const recording = this.recordings.of(id);
    return activityTimeline(recording.trace, recording.callSites(), await graphOptions(graph, recording), request);
  }

  /** What a mapping would make of the recording: the `most` largest activities, and of what falls out. */
  async preview(id: number, graph: GraphRequest, most: number): Promise<MappingPreview> {
    const recording = this.recordings.of(id);
    return mappingPreview(recording.trace, recording.callSites(), await graphOptions(graph, recording), most);
  }
}

export async function graphOf(recording: OpenedRecording, request: GraphRequest): Promise<GraphDocument> {
  const { trace } = recording;
  const callSites = recording.callSites();
  const options = await graphOptions(request, recording);
  const costs = recording.tracedCosts;
  const graph = directlyFollowsGraph(trace, callSites, options, costs);
  const log = activityLog(trace, callSites, options);
  const sites = activitySites(trace, callSites, options, costs);
  const layers = layersOf(trace).map((layer) => LAYERS[layer]!);
  return graphDocument({ graph, log, sites }, callSites, layers, (file) => recording.localSource(file));
}

/** What a request for a graph means for a recording. */
async function graphOptions(request: GraphRequest, recording: OpenedRecording): Promise<GraphOptions> {
  const { siteVariables, pathFilter, withoutCalls, grouping, green, red, layer } = request;
  const matcher = (globs: readonly string[]): ((name: string) => boolean) =>
    globs.length === 0 ? () => false : picomatch([...globs]);
  return {
    mapping: await mappingOf(request.mapping, recording.request.maySpawn),
    siteVariables,
    pathFilter,
    withoutCalls,
    grouping,
    ...(layer !== undefined && { layer }),
    ...(request.ownFilesOnly && { ignored: recording.ignored }),
    ...((green.length > 0 || red.length > 0) && { partition: { green: matcher(green), red: matcher(red) } }),
  };
}

/**
 * @throws Error in words for the user: no such form, a module without a function, or code from an untrusted folder.
 */
async function mappingOf(spec: string, mayRun: boolean): Promise<Mapping> {
  if (!/^[^{]*\.[cm]?js$/.test(spec)) return parseMapping(spec);
  if (!mayRun) throw new Error('a mapping module is code: it is not run in an untrusted workspace');
  const module = await machine.importModule(spec).catch((error: unknown) => {
    throw new RangeError(`${spec}: ${messageOf(error)}`);
  });
  if (typeof module.default !== 'function') throw new RangeError(`${spec}: its default export must be a function`);
  return { kind: 'custom', map: module.default as CustomMapping };
}
