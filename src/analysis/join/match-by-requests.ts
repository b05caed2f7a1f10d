import { OPERATION } from '../../trace/calls.ts';
import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import type { Stream, Trace } from '../../trace/trace.ts';

/** Different requests that are remembered of one recording. */
const MOST_REQUESTS = 200_000;
/** Fewest requests that only one process of each recording made, before the two are taken to be the same. */
const FEWEST = 3;
/** Share of these requests that has to be of one process. */
const MOST_OF_THEM = 0.9;
/** Several streams made it. */
const SEVERAL = -2;

/**
 * Which processes made the same requests: `strace -f mpirun` knows processes by their numbers, the tracers of MPI programs
 * by their ranks, and nothing else leads from one to the other. A request is the same when operation, file, offset and
 * bytes are; only those count that one stream alone made, in each recording.
 *
 * @returns by stream of the added recording: the stream of the base, or NONE.
 */
export function matchByRequests(base: Trace, added: Trace): Int32Array {
  const matches = new Int32Array(added.streams.length).fill(NONE);
  const ofBase = requestsOf(base);
  if (ofBase.size === 0) return matches;
  const votes = added.streams.map(() => new Map<number, number>());
  for (const [request, stream] of requestsOf(added)) {
    const other = ofBase.get(request) ?? NONE;
    if (stream < 0 || other < 0 || bothHaveRanks(added.streams[stream]!, base.streams[other]!)) continue;
    votes[stream]!.set(other, (votes[stream]!.get(other) ?? 0) + 1);
  }
  votes.forEach((of, stream) => {
    const total = [...of.values()].reduce((sum, count) => sum + count, 0);
    const [best] = [...of].sort(([, a], [, b]) => b - a);
    if (best !== undefined && best[1] >= FEWEST && best[1] >= total * MOST_OF_THEM) matches[stream] = best[0];
  });
  return matches;
}

function bothHaveRanks(a: Stream, b: Stream): boolean {
  return a.rank !== undefined && b.rank !== undefined;
}

/** Reads and writes with a known place, and the stream that made them, or SEVERAL. */
function requestsOf({ events, calls, files }: Trace): Map<string, number> {
  const requests = new Map<string, number>();
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const operation = calls.operation[chunk.call[i]!]!;
      const isRequest = operation === OPERATION.read || operation === OPERATION.write;
      const offset = chunk.offset[i]!;
      if (!isRequest || !(offset >= 0) || chunk.file[i] === NONE || chunk.flags[i]! & NOT_COUNTED) continue;
      const request = `${operation} ${offset} ${chunk.bytes[i]!} ${files.at(chunk.file[i]!).path}`;
      const known = requests.get(request);
      const stream = chunk.stream[i]!;
      if (known === undefined && requests.size < MOST_REQUESTS) requests.set(request, stream);
      else if (known !== undefined && known !== stream) requests.set(request, SEVERAL);
    }
  });
  return requests;
}
