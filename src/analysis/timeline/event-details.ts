import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { StackNode } from '../../trace/indices.ts';
import { chainOf } from '../sites/call-sites.ts';
import { eventLayers } from './event-layers.ts';
import type { TimelineEvent } from './timeline.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** What the text of the recording adds. */
type EventFacts = Omit<TimelineEvent, 'rawText' | 'rawTextLack' | 'row' | 'recording' | 'startNs'>;

/** Everything that a recording knows of one event. */
export function eventFacts(recording: TimelineRecording, event: number): EventFacts {
  const { trace } = recording;
  const { events } = trace;
  const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
  const stream = trace.streams[events.value('stream', event)]!;
  const file = events.value('file', event);
  const error = events.value('error', event);
  const layers = eventLayers(recording, event);
  const returned = !(events.value('flags', event) & EVENT_FLAGS.neverReturned);
  return {
    event,
    durationNs: returned ? known(events.value('duration', event)) : null,
    call: trace.calls.names[events.value('call', event)]!,
    layer: LAYERS[events.value('layer', event)]!,
    path: file === NONE ? '' : trace.files.at(file).path,
    offset: known(events.value('offset', event)),
    bytes: events.value('bytes', event),
    requested: known(events.value('requested', event)),
    error: error === 0 ? '' : trace.errors.at(error),
    host: stream.host,
    process: stream.processId,
    thread: stream.pid,
    rank: stream.rank ?? null,
    recordingFile: trace.parts[stream.part]!.path,
    recordingLine: events.value('line', event),
    ...stackFacts(recording, events.value('stack', event)),
    ...(layers !== undefined && { layers }),
  };
}

function stackFacts(recording: TimelineRecording, node: StackNode): Pick<TimelineEvent, 'site' | 'stack'> {
  if (node === NONE) return { stack: [] };
  const { trace, resolved, callSites, localSource } = recording;
  const stack = chainOf(trace, resolved, node).map(({ functionName, file, line, module }) => {
    const source = file === '' ? module : file;
    const place = source.slice(source.lastIndexOf('/') + 1) + (line > 0 ? `:${line}` : '');
    return functionName === '' ? place : `${functionName} (${place})`;
  });
  const site = callSites.sites[callSites.siteOfNode[node] ?? NONE];
  if (site === undefined) return { stack };
  return { site: { ...localSourceOf(site.file), line: site.line, functionName: site.functionName }, stack };

  function localSourceOf(file: string): { file: string } {
    return { file: file === '' ? '' : localSource(file).file };
  }
}
