import type { Stream } from '../../trace/trace.ts';
import { streamsOfRanks } from '../../trace/ranks.ts';

/**
 * What loops count streams by: the rank of each rank's main thread, larger numbers of their other threads and of processes
 * without a rank; of recordings without ranks the index of the stream.
 */
export function streamNumbers(streams: readonly Stream[]): readonly number[] {
  const ofRanks = streamsOfRanks(streams);
  if (ofRanks.size === 0) return streams.map((_, stream) => stream);
  let next = 0;
  for (const rank of ofRanks.keys()) next = Math.max(next, rank + 1);
  return streams.map(({ rank }, stream) => (rank !== undefined && ofRanks.get(rank) === stream ? rank : next++));
}
