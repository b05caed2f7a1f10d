import type { Trace } from '../../../trace/trace.ts';
import type { RuntimeShare } from '../workflow-document.ts';
import { counterShare, measuresCommunication } from './counter-share.ts';
import { communicationShare, functionShare } from './function-share.ts';
import { timesOfCalls } from './layer-times.ts';
import { ShareSum } from './share-sum.ts';

interface TraceShare {
  readonly share: RuntimeShare | null;
  /** What the recording cannot tell apart, in words; '' when it can. */
  readonly lack: string;
}

const NO_COMMUNICATION = 'communication was not recorded and is part of the computation';

/** How the time of a recording's processes and threads divides into computation, communication and I/O. */
export function shareOfTrace(trace: Trace): TraceShare {
  const { counters, functions, form } = trace;
  if (counters !== undefined) {
    if (!(counters.job.runTime > 0)) return { share: null, lack: 'the log does not say how long the program ran' };
    return { share: counterShare(counters).share(), lack: measuresCommunication(counters) ? '' : NO_COMMUNICATION };
  }
  if (!trace.capabilities.duration) return { share: null, lack: 'calls have no durations' };
  const times = timesOfCalls(trace);
  if (form.functionsAreWholeProgram && functions !== undefined && functions.length > 0)
    return { share: functionShare(trace, functions, times.layers).share(), lack: '' };
  const sum = new ShareSum();
  for (const [layer, { seconds, calls, bytes }] of times.layers)
    sum.add('io', layer, Math.max(0, seconds), calls, bytes);
  for (const [paradigm, { seconds, calls, bytes }] of [
    ['sockets', times.sockets],
    ['pipes', times.pipes],
  ] as const) {
    if (calls > 0) sum.add('communication', paradigm, Math.max(0, seconds), calls, bytes);
  }
  if (functions !== undefined) communicationShare(trace, functions, sum);
  const rest = lifetime(trace) - times.waitingForChildren - sum.of('io') - sum.of('communication');
  if (rest > 0) sum.add('computation', 'program', rest, null, null);
  const share = sum.share();
  return { share, lack: share !== null && sum.of('communication') === 0 ? NO_COMMUNICATION : '' };
}

/** Seconds of all processes and threads together. */
function lifetime(trace: Trace): number {
  const { streams, events, durationNs, capabilities } = trace;
  // Other recorders see no more of a process than its I/O: that it lives as long as the others is closer to the truth.
  if (capabilities.systemCallsOnly !== true)
    return (new Set(streams.map(({ processId, host }) => `${host} ${processId}`)).size * durationNs) / 1e9;
  const first = new Float64Array(streams.length).fill(Infinity);
  const last = new Float64Array(streams.length).fill(-Infinity);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const [stream, start] = [chunk.stream[i]!, chunk.start[i]!];
      if (start < first[stream]!) first[stream] = start;
      const end = start + (chunk.duration[i]! > 0 ? chunk.duration[i]! : 0);
      if (end > last[stream]!) last[stream] = end;
    }
  });
  return first.reduce((sum, start, stream) => sum + Math.max(0, last[stream]! - start), 0) / 1e9;
}
