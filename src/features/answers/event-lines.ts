import { NONE } from '../../trace/events.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';

/** An event with where it stands in the recording, so that every number can be followed back to the raw text. */
export interface RecordedEvent {
  /** File of the recording. */
  readonly recording: string;
  /** Line in it, counted from 1. */
  readonly line: number;
  readonly call: string;
  readonly path: string;
  readonly pid: number;
  /** Its number in the job; null where the recording knows none. */
  readonly rank: number | null;
  readonly bytes: number;
  /** Nanoseconds; null when unknown. */
  readonly offset: number | null;
  readonly durationNs: number | null;
}

/** The first events whose call site is a line of a source file on this machine. */
export function eventsAtLine(recording: OpenedRecording, file: string, line: number, most: number): RecordedEvent[] {
  const { trace } = recording;
  const { sites, siteOfNode } = recording.callSites();
  const wanted = new Set(
    sites.flatMap((site, i) => (site.line === line && recording.localSource(site.file).file === file ? [i] : [])),
  );
  const found: RecordedEvent[] = [];
  const known = (value: number): number | null => (Number.isNaN(value) ? null : value);
  for (let row = 0; row < trace.events.length && found.length < most; row++) {
    const node = trace.events.value('stack', row);
    if (node === NONE || !wanted.has(siteOfNode[node]!)) continue;
    const stream = trace.streams[trace.events.value('stream', row)]!;
    const fileIndex = trace.events.value('file', row);
    found.push({
      recording: trace.parts[stream.part]!.path,
      line: trace.events.value('line', row),
      call: trace.calls.names[trace.events.value('call', row)]!,
      path: fileIndex === NONE ? '' : trace.files.at(fileIndex).path,
      pid: stream.pid,
      rank: stream.rank ?? null,
      bytes: trace.events.value('bytes', row),
      offset: known(trace.events.value('offset', row)),
      durationNs: known(trace.events.value('duration', row)),
    });
  }
  return found;
}
