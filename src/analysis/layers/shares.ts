import { NONE } from '../../trace/events.ts';
import { FUNCTION_ROLES, type FunctionCallTable, type FunctionRole } from '../../trace/function-calls.ts';
import type { Trace } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import { processName } from '../metrics/process-noun.ts';
import { areMessagesAlone, timesBesideMessages } from './times-beside-messages.ts';

/** Nanoseconds by what the program did. */
export type RoleTimes = Readonly<Record<FunctionRole, number>>;

/** How the time of the processes and threads divides into computation, communication, synchronisation and I/O. */
export interface RoleShares {
  /** Of all streams together: the time of two that run side by side counts twice. */
  readonly total: RoleTimes;
  readonly totalNs: number;
  /** In the order of `Trace.streams`; those without functions are left out. */
  readonly streams: readonly { readonly stream: StreamIndex; readonly name: string; readonly times: RoleTimes }[];
}

/**
 * The exclusive time of all functions that were recorded, by their role: what a function does itself, without those that it
 * calls. A function that was not left lasts until the last that is known of its stream. Where only functions of MPI were
 * recorded the calls on files count besides, and what is left is computation (`timesBesideMessages`).
 *
 * @returns undefined when the recording holds no functions.
 */
export function roleShares(trace: Trace): RoleShares | undefined {
  const { functions, streams } = trace;
  if (functions === undefined || functions.length === 0) return undefined;
  const roles = FUNCTION_ROLES.length;
  const times = areMessagesAlone(trace) ? timesBesideMessages(trace) : exclusiveTimes(trace, functions);
  const isUsed = new Uint8Array(streams.length);
  for (let row = 0; row < functions.length; row++) isUsed[functions.stream.at(row)] = 1;
  const sums = new Float64Array(roles);
  times.forEach((time, at) => {
    sums[at % roles]! += time;
  });
  return {
    total: named(sums),
    totalNs: sums.reduce((sum, time) => sum + time, 0),
    streams: streams.flatMap((stream, index) =>
      isUsed[index] === 0
        ? []
        : [
            {
              stream: index,
              name: streamName(stream),
              times: named(times.subarray(index * roles, (index + 1) * roles)),
            },
          ],
    ),
  };
}

/** Nanoseconds by stream and role. */
function exclusiveTimes(trace: Trace, functions: FunctionCallTable): Float64Array {
  const roles = FUNCTION_ROLES.length;
  const roleOf = functions.functions.map(({ role }) => FUNCTION_ROLES.indexOf(role));
  const times = new Float64Array(trace.streams.length * roles);
  forEachExclusive(trace, functions, (stream, called, ns) => {
    times[stream * roles + roleOf[called]!]! += ns;
  });
  return times;
}

/** What adds up to the exclusive time of each function: its calls, less (below 0) those that it makes. */
export function forEachExclusive(
  trace: Trace,
  functions: FunctionCallTable,
  see: (stream: StreamIndex, called: number, ns: number) => void,
): void {
  const ends = lastEnds(trace);
  for (let row = 0; row < functions.length; row++) {
    const stream = functions.stream.at(row);
    const known = functions.duration.at(row);
    const duration = Number.isNaN(known) ? Math.max(0, ends[stream]! - functions.start.at(row)) : known;
    see(stream, functions.function.at(row), duration);
    const caller = functions.caller.at(row);
    if (caller !== NONE) see(stream, functions.function.at(caller), -duration);
  }
}

function lastEnds({ functions, streams }: Trace): Float64Array {
  const ends = new Float64Array(streams.length);
  for (let row = 0; row < functions!.length; row++) {
    const duration = functions!.duration.at(row);
    const end = functions!.start.at(row) + (Number.isNaN(duration) ? 0 : duration);
    const stream = functions!.stream.at(row);
    if (end > ends[stream]!) ends[stream] = end;
  }
  return ends;
}

function named(times: Float64Array): RoleTimes {
  return Object.fromEntries(FUNCTION_ROLES.map((role, index) => [role, times[index]!])) as Record<FunctionRole, number>;
}

/** `rank 3 (n0001), thread 5`. */
export function streamName(stream: Trace['streams'][number]): string {
  const name = processName(stream);
  return stream.pid === stream.processId ? name : `${name}, thread ${stream.pid}`;
}

/** Roles with their share of the whole, the largest first; those that take no time are left out. */
export function largestShares({ total, totalNs }: RoleShares): { role: FunctionRole; timeNs: number; share: number }[] {
  return FUNCTION_ROLES.map((role) => ({ role, timeNs: total[role], share: totalNs > 0 ? total[role] / totalNs : 0 }))
    .filter(({ timeNs }) => timeNs > 0)
    .sort((a, b) => b.timeNs - a.timeNs);
}
