import type { Bins } from './bins.ts';
import type { TimelineRecording } from './timeline-recording.ts';
import type { StorageLanes } from './timeline.ts';

type Noted = Pick<TimelineRecording, 'storage'> & {
  readonly trace: Pick<TimelineRecording['trace'], 'startTime' | 'durationNs'>;
};

/**
 * What storage did while the recordings of a timeline were made, each from its own origin; undefined where nothing was noted.
 * Of several the bytes are added, as in the other lanes, and the longest waiting stands.
 */
export function storageLanes(recordings: readonly Noted[], bins: Bins): StorageLanes | undefined {
  const read = new Float32Array(bins.count);
  const written = new Float32Array(bins.count);
  const waiting = new Float32Array(bins.count);
  let isNoted = false;
  let isWaitingKnown = false;
  const seconds = bins.width / 1e9;
  for (const { trace, storage } of recordings) {
    if (storage === undefined || trace.startTime === null) continue;
    const { startTime, durationNs } = trace;
    const times = storage.at.map((time) => (time - startTime) * 1e9);
    // A note of another time is of another run: one that was recorded under the same name.
    if (times.at(-1)! < 0 || times[0]! > durationNs) continue;
    isNoted = true;
    addGrowth(times, storage.read, bins, (bin, bytes) => (read[bin]! += bytes / seconds));
    addGrowth(times, storage.written, bins, (bin, bytes) => (written[bin]! += bytes / seconds));
    if (storage.stalled === undefined) continue;
    isWaitingKnown = true;
    addGrowth(times, storage.stalled, bins, (bin, stalled) => {
      waiting[bin] = Math.max(waiting[bin]!, Math.min(100, (100 * stalled) / seconds));
    });
  }
  if (!isNoted) return undefined;
  return { readRate: read, writeRate: written, ...(isWaitingKnown && { waiting }) };
}

/** By how much a sum grew in each bin. */
function addGrowth(
  times: readonly number[],
  sums: readonly number[],
  bins: Bins,
  add: (bin: number, growth: number) => void,
): void {
  let look = 0;
  const sumAt = (time: number): number => {
    while (look < times.length - 2 && times[look + 1]! <= time) look++;
    const share = (time - times[look]!) / (times[look + 1]! - times[look]!);
    return sums[look]! + (sums[look + 1]! - sums[look]!) * Math.min(1, Math.max(0, share));
  };
  let before = sumAt(bins.edge(0));
  for (let bin = 0; bin < bins.count; bin++) {
    const after = sumAt(bins.edge(bin + 1));
    if (after > before) add(bin, after - before);
    before = after;
  }
}
