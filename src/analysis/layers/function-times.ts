import type { FunctionRole } from '../../trace/function-calls.ts';
import type { Trace } from '../../trace/trace.ts';
import { forEachExclusive, streamName } from './shares.ts';

/** Nanoseconds that one process or thread spends in a function. */
interface TimeOfStream {
  readonly name: string;
  readonly exclusiveNs: number;
}

/** A function of the program or of a library, with what it does itself: without the functions that it calls. */
export interface FunctionTimes {
  readonly name: string;
  readonly role: FunctionRole;
  /** Who recorded it, such as `MPI`; '' where the recording does not say. */
  readonly paradigm: string;
  readonly calls: number;
  /** Of all processes and threads together. */
  readonly exclusiveNs: number;
  /** Who spends least and most in it: a wide gap is a load that is not even. Null where there is one, or far too many. */
  readonly least: TimeOfStream | null;
  readonly most: TimeOfStream | null;
}

/** Sums by function and stream that are kept: 128 MiB. */
const MOST_SUMS = 1 << 24;

/** The functions of a recording by exclusive time, the largest first; undefined where it holds none. */
export function functionTimes(trace: Trace, mostSums = MOST_SUMS): readonly FunctionTimes[] | undefined {
  const { functions, streams } = trace;
  if (functions === undefined || functions.length === 0) return undefined;
  const { length } = functions.functions;
  const calls = new Float64Array(length);
  const isUsed = new Uint8Array(streams.length);
  for (let row = 0; row < functions.length; row++) {
    calls[functions.function.at(row)]!++;
    isUsed[functions.stream.at(row)] = 1;
  }
  const used = streams.flatMap((_, stream) => (isUsed[stream] === 1 ? [stream] : []));
  const isCompared = used.length > 1 && length * streams.length <= mostSums;
  const ofStreams = new Float64Array(isCompared ? length * streams.length : 0);
  const sums = new Float64Array(length);
  forEachExclusive(trace, functions, (stream, called, ns) => {
    sums[called]! += ns;
    if (isCompared) ofStreams[called * streams.length + stream]! += ns;
  });
  const extreme = (called: number, sign: 1 | -1): TimeOfStream | null => {
    if (!isCompared) return null;
    const timeOf = (stream: number): number => ofStreams[called * streams.length + stream]!;
    const stream = used.reduce((best, other) => (sign * (timeOf(other) - timeOf(best)) > 0 ? other : best));
    return { name: streamName(streams[stream]!), exclusiveNs: timeOf(stream) };
  };
  return functions.functions
    .map(({ name, role, paradigm }, called) => ({
      ...{ name, role, paradigm, calls: calls[called]!, exclusiveNs: sums[called]! },
      least: extreme(called, -1),
      most: extreme(called, 1),
    }))
    .filter((times) => times.calls > 0)
    .sort((a, b) => b.exclusiveNs - a.exclusiveNs);
}
