import type { StreamIndex } from './indices.ts';
import type { Stream } from './trace.ts';

/** The stream that stands for each rank: its main thread where that was recorded, else the first of its threads. */
export function streamsOfRanks(streams: readonly Stream[]): Map<number, StreamIndex> {
  const found = new Map<number, StreamIndex>();
  streams.forEach(({ rank, pid, processId }, stream) => {
    if (rank === undefined) return;
    const before = found.get(rank);
    if (before === undefined) found.set(rank, stream);
    else if (pid === processId && streams[before]!.pid !== streams[before]!.processId) found.set(rank, stream);
  });
  return found;
}
