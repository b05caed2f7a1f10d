import { OPERATION } from '../../trace/calls.ts';
import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

/** Nanoseconds from the trace's origin. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const MOVES: ReadonlySet<number> = new Set([OPERATION.read, OPERATION.write, OPERATION.copy, OPERATION.sync]);

/**
 * Share of the time of one process's transfers that the others spend in communication and synchronisation: whether they
 * wait for it, or do their own work meanwhile.
 *
 * @param isOne whether a stream is one of that process; `isOther` whether it is one of the others.
 * @returns undefined where no functions were recorded, or nothing takes time.
 */
export function waitingMeanwhile(
  trace: Trace,
  isOne: (stream: number) => boolean,
  isOther: (stream: number) => boolean,
): number | undefined {
  const { functions } = trace;
  if (functions === undefined || functions.length === 0) return undefined;
  const transfers = union(transfersOf(trace, isOne));
  const length = transfers.reduce((sum, { start, end }) => sum + end - start, 0);
  const isWaiting = functions.functions.map(({ role }) => role === 'communication' || role === 'synchronisation');
  const waits = new Map<number, Span[]>();
  for (let row = 0; row < functions.length; row++) {
    const stream = functions.stream.at(row);
    if (!isOther(stream)) continue;
    let spans = waits.get(stream);
    if (spans === undefined) waits.set(stream, (spans = []));
    if (!isWaiting[functions.function.at(row)]) continue;
    const start = functions.start.at(row);
    const duration = functions.duration.at(row);
    // What was not left lasts to the end.
    spans.push({ start, end: Number.isNaN(duration) ? Infinity : start + duration });
  }
  if (waits.size === 0 || length === 0) return undefined;
  const shared = [...waits.values()].reduce((sum, spans) => sum + overlap(transfers, union(spans)), 0);
  return shared / (length * waits.size);
}

function transfersOf({ events, calls }: Trace, isOne: (stream: number) => boolean): Span[] {
  const spans: Span[] = [];
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (chunk.flags[i]! & NOT_COUNTED || !isOne(chunk.stream[i]!) || chunk.file[i] === NONE) continue;
      if (!MOVES.has(calls.operation[chunk.call[i]!]!) || !(chunk.duration[i]! > 0)) continue;
      spans.push({ start: chunk.start[i]!, end: chunk.start[i]! + chunk.duration[i]! });
    }
  });
  return spans;
}

/** The same time without overlaps, in order. */
function union(spans: Span[]): Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Nanoseconds that two lists of spans have in common. */
function overlap(some: readonly Span[], others: readonly Span[]): number {
  let common = 0;
  let at = 0;
  for (const { start, end } of some) {
    while (at < others.length && others[at]!.end <= start) at++;
    for (let next = at; next < others.length && others[next]!.start < end; next++)
      common += Math.min(end, others[next]!.end) - Math.max(start, others[next]!.start);
  }
  return common;
}
