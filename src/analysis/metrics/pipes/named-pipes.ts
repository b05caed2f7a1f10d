import { addToGroup, getOrCreate } from '../../../base/grouping.ts';
import { OPERATION } from '../../../trace/calls.ts';
import { CHUNK_ROWS, NONE, NOT_COUNTED, OPEN_MODE, type EventTable } from '../../../trace/events.ts';
import type { FileIndex } from '../../../trace/indices.ts';
import type { Trace } from '../../../trace/trace.ts';

const MAKES_PIPE = /^mkfifo(at)?$/;
const MILLISECOND = 1e6;
/** An open as long as this waits for somebody. */
const WAITS_NS = 10 * MILLISECOND;

const known = new WeakMap<EventTable, ReadonlySet<FileIndex>>();

/**
 * Files that are named pipes (FIFOs), as their calls show: made by mkfifo, refused to be positioned in (ESPIPE), or opened
 * by a process that waits until another one opens the other end. Their opens wait for that process, and no storage does.
 */
export function namedPipes(trace: Trace): ReadonlySet<FileIndex> {
  const pipes = getOrCreate(known, trace.events, () => findPipes(trace));
  return pipes;
}

function findPipes(trace: Trace): Set<FileIndex> {
  const { calls, errors, events } = trace;
  const makes = calls.names.map((name) => MAKES_PIPE.test(name));
  const pipes = new Set<FileIndex>();
  /** Rows of opens by file; those that wait, and those that may end the wait. */
  const opens = new Map<FileIndex, number[]>();
  const waiting = new Set<FileIndex>();
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const file = chunk.file[i]!;
      if (file === NONE || chunk.flags[i]! & NOT_COUNTED) continue;
      const call = chunk.call[i]!;
      if (makes[call]! || (chunk.error[i] !== 0 && errors.at(chunk.error[i]!) === 'ESPIPE')) pipes.add(file);
      if (calls.operation[call] !== OPERATION.open || !(chunk.duration[i]! >= 0) || chunk.error[i] !== 0) continue;
      if (chunk.duration[i]! >= WAITS_NS) waiting.add(file);
      addToGroup(opens, file, number * CHUNK_ROWS + i);
    }
  });
  for (const file of waiting) if (!pipes.has(file) && hasMeeting(trace, opens.get(file)!)) pipes.add(file);
  return pipes;
}

interface Open {
  readonly stream: number;
  readonly duration: number;
  readonly end: number;
  /** 0 to read, 1 to write. */
  readonly access: number;
}

/** One end was opened and waited; the other was opened at once, and both calls returned together. */
function hasMeeting({ events, streams }: Trace, rows: readonly number[]): boolean {
  const opens = rows.map((row): Open => {
    const [start, duration] = [events.value('start', row), events.value('duration', row)];
    const access = events.value('argument', row) & OPEN_MODE.access;
    return { stream: events.value('stream', row), duration, end: start + duration, access };
  });
  opens.sort((a, b) => a.end - b.end);
  const meets = (a: Open, b: Open): boolean =>
    Math.min(a.duration, b.duration) <= MILLISECOND &&
    Math.max(a.duration, b.duration) >= WAITS_NS &&
    a.access + b.access === 1 &&
    a.stream !== b.stream &&
    streams[a.stream]!.host === streams[b.stream]!.host;
  return opens.some((open, at) => {
    for (let next = at + 1; next < opens.length && opens[next]!.end - open.end <= MILLISECOND; next++)
      if (meets(open, opens[next]!)) return true;
    return false;
  });
}
