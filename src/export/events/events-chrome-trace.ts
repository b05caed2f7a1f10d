import { forEachByStart } from '../../analysis/dfg/event-order.ts';
import { EVENT_FLAGS, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { EventLabels, type EventSource } from './event-labels.ts';
import { EventProcesses, trackName } from './event-processes.ts';
import type { Sink } from './events-csv.ts';
import { Pieces } from './pieces.ts';
import { Tracks } from './tracks.ts';

/**
 * The events in Chrome's trace event format (JSON object form), for Perfetto and chrome://tracing: one slice for each
 * call, one track for each process or thread, times in microseconds. Calls of one stream that overlap without being
 * nested (asynchronous ones) go to tracks of their own, because viewers drop such slices.
 *
 * @throws Error in words for the user when the recording has no times.
 */
export function writeEventsChromeTrace(source: EventSource, sink: Sink): void {
  const { trace } = source;
  if (!trace.capabilities.time)
    throw new Error('the recording has no times, so it has no timeline: record with -ttt, or export CSV or Parquet');
  const output = new Pieces(sink);
  const labels = new EventLabels(source);
  const tracks = new Tracks(trace.streams.length);
  const processes = new EventProcesses(trace);
  output.add(`{"displayTimeUnit":"ns","otherData":${otherData(trace)},"traceEvents":[\n`);
  let separator = '';
  const put = (event: object): void => {
    output.add(`${separator}${JSON.stringify(event)}`);
    separator = ',\n';
  };
  forEachByStart(trace.events, (chunk, from, to) => {
    for (let row = from; row < to; row++) {
      if ((chunk.flags[row]! & EVENT_FLAGS.part) !== 0) continue;
      const stream = chunk.stream[row]!;
      const start = Math.round(chunk.start[row]!);
      if (Number.isNaN(start)) continue;
      const end = endOf(chunk, row, start);
      const tid = tracks.place(stream, start, end ?? start);
      put({
        name: labels.call(chunk, row),
        cat: `${labels.layer(chunk, row)},${labels.operation(chunk, row)}`,
        ...phase(start, end),
        pid: processes.ofStream[stream],
        tid,
        args: argumentsOf(labels, chunk, row),
      });
    }
  });
  processes.labels.forEach((name, i) => put({ name: 'process_name', ph: 'M', pid: i + 1, args: { name } }));
  tracks.all.forEach((track, tid) => {
    const { stream } = track;
    const label = trackName(trace, track);
    put({ name: 'thread_name', ph: 'M', pid: processes.ofStream[stream], tid, args: { name: label } });
    put({ name: 'thread_sort_index', ph: 'M', pid: processes.ofStream[stream], tid, args: { sort_index: tid } });
  });
  output.add('\n]}\n');
  output.flush();
}

/** Nanoseconds; Infinity for a call that never returned, undefined where the recording has no durations. */
function endOf(chunk: EventChunk, row: number, start: number): number | undefined {
  if ((chunk.flags[row]! & EVENT_FLAGS.neverReturned) !== 0) return Infinity;
  const duration = chunk.duration[row]!;
  return Number.isNaN(duration) ? undefined : start + Math.round(duration);
}

/** A slice, a slice without an end, or a point in time. */
function phase(start: number, end: number | undefined): object {
  if (end === undefined) return { ph: 'i', s: 't', ts: start / 1000 };
  return end === Infinity ? { ph: 'B', ts: start / 1000 } : { ph: 'X', ts: start / 1000, dur: (end - start) / 1000 };
}

function argumentsOf(labels: EventLabels, chunk: EventChunk, row: number): object {
  const path = labels.path(chunk, row);
  const error = labels.error(chunk, row);
  const site = labels.site(chunk, row);
  const known = (value: number): boolean => !Number.isNaN(value);
  return {
    ...(path !== '' && { path }),
    ...(known(chunk.offset[row]!) && { offset: chunk.offset[row] }),
    ...(chunk.bytes[row]! > 0 && { bytes: chunk.bytes[row] }),
    ...(known(chunk.requested[row]!) && { requested: chunk.requested[row] }),
    ...(error !== '' && { error }),
    ...(site !== undefined && { site: site.line > 0 ? `${site.file}:${site.line}` : site.functionName }),
    recording: `${labels.recording(chunk, row)}:${chunk.line[row]!}`,
  };
}

function otherData(trace: Trace): string {
  const { format, program, startTime } = trace;
  return JSON.stringify({ made_by: 'I/O Lens', format, program, start_time: startTime });
}
