import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import { FUNCTION_ROLES, type FunctionCallTable, type FunctionRole } from '../../trace/function-calls.ts';
import type { Trace } from '../../trace/trace.ts';

const ROLES = FUNCTION_ROLES.length;
const roleNumber = (role: FunctionRole): number => FUNCTION_ROLES.indexOf(role);
const ROLE_OF_OPERATION: ReadonlyMap<number, number> = new Map([
  ...[OPERATION.read, OPERATION.write, OPERATION.copy, OPERATION.sync].map((it) => [it, roleNumber('I/O')] as const),
  [OPERATION.message, roleNumber('communication')],
]);
/** Calls on files that are not counted with their time: parts of others, and what goes on while the program does. */
const BESIDE = EVENT_FLAGS.part | EVENT_FLAGS.nonBlocking;

/** Whether the functions of a recording are those of MPI alone: what contains them, and I/O, is not among them. */
export function areMessagesAlone({ functions, events }: Trace): boolean {
  const isAlone = (role: FunctionRole): boolean => role === 'communication' || role === 'synchronisation';
  return events.length > 0 && functions?.functions.every(({ role }) => isAlone(role)) === true;
}

/**
 * Time by stream and role (in the order of FUNCTION_ROLES; nanoseconds) where functions are those of MPI alone: I/O is that of
 * the outermost calls on files, less the messages inside of them; computation is what is left of the process's life, of
 * a thread what lies between its first call and its last.
 */
export function timesBesideMessages(trace: Trace): Float64Array {
  const { streams } = trace;
  const times = new Float64Array(streams.length * ROLES);
  const spans = new Spans(trace.functions!, streams.length);
  spans.addTo(times);
  addOutermostCalls(trace, spans, times);
  const computation = roleNumber('computation');
  for (let stream = 0; stream < streams.length; stream++) {
    if (!spans.has(stream)) continue;
    const busy = times.subarray(stream * ROLES, (stream + 1) * ROLES).reduce((sum, time) => sum + time, 0);
    times[stream * ROLES + computation] = Math.max(0, lastedNs(trace, spans, stream) - busy);
  }
  return times;
}

function lastedNs({ streams, parts }: Trace, spans: Spans, stream: number): number {
  const { pid, processId, part } = streams[stream]!;
  const life = pid === processId ? parts[part]!.life : undefined;
  return life === undefined ? spans.last[stream]! - spans.first[stream]! : life.lastedNs - (life.recorderNs ?? 0);
}

function addOutermostCalls(trace: Trace, spans: Spans, times: Float64Array): void {
  const { events, calls } = trace;
  const metadata = roleNumber('metadata');
  const roleOfCall = calls.operation.map((operation) => ROLE_OF_OPERATION.get(operation) ?? metadata);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const stream = chunk.stream[i]!;
      const duration = chunk.duration[i]!;
      if (chunk.parent[i] !== NONE || chunk.flags[i]! & BESIDE || !(duration > 0) || !spans.has(stream)) continue;
      const start = chunk.start[i]!;
      spans.note(stream, start, start + duration);
      times[stream * ROLES + roleOfCall[chunk.call[i]!]!]! += duration - spans.within(stream, start, start + duration);
    }
  });
}

/** Calls of functions by stream, in the order in which they began; those of a stream lie apart. */
class Spans {
  readonly first: Float64Array;
  readonly last: Float64Array;
  /** Rows of all streams, stream by stream; where those of each begin and how far they are behind what is asked for. */
  private readonly rows: Int32Array;
  private readonly begin: Int32Array;
  private readonly at: Int32Array;

  constructor(
    private readonly functions: FunctionCallTable,
    streams: number,
  ) {
    this.first = new Float64Array(streams).fill(Infinity);
    this.last = new Float64Array(streams).fill(-Infinity);
    this.begin = new Int32Array(streams + 1);
    for (let row = 0; row < functions.length; row++) this.begin[functions.stream.at(row) + 1]!++;
    for (let stream = 0; stream < streams; stream++) this.begin[stream + 1]! += this.begin[stream]!;
    this.at = this.begin.slice(0, streams);
    this.rows = new Int32Array(functions.length);
    const next = this.at.slice();
    for (let row = 0; row < functions.length; row++) this.rows[next[functions.stream.at(row)]!++] = row;
  }

  has(stream: number): boolean {
    return this.begin[stream + 1]! > this.begin[stream]!;
  }

  note(stream: number, start: number, end: number): void {
    this.first[stream] = Math.min(this.first[stream]!, start);
    this.last[stream] = Math.max(this.last[stream]!, end);
  }

  addTo(times: Float64Array): void {
    const { functions } = this;
    const roleOf = functions.functions.map(({ role }) => roleNumber(role));
    for (let row = 0; row < functions.length; row++) {
      const stream = functions.stream.at(row);
      times[stream * ROLES + roleOf[functions.function.at(row)]!]! += functions.duration.at(row);
      this.note(stream, functions.start.at(row), this.endOf(row));
    }
  }

  /** Nanoseconds of a stream's functions in a time; times are asked for in the order in which they begin. */
  within(stream: number, start: number, end: number): number {
    const { rows, at, functions } = this;
    const until = this.begin[stream + 1]!;
    while (at[stream]! < until && this.endOf(rows[at[stream]!]!) <= start) at[stream]!++;
    let common = 0;
    for (let next = at[stream]!; next < until && functions.start.at(rows[next]!) < end; next++)
      common += Math.min(end, this.endOf(rows[next]!)) - Math.max(start, functions.start.at(rows[next]!));
    return common;
  }

  private endOf(row: number): number {
    return this.functions.start.at(row) + this.functions.duration.at(row);
  }
}
