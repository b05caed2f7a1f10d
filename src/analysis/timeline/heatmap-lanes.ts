import type { Heatmap } from '../../trace/counters.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Stretches } from './bins.ts';
import { SpreadBytes } from './spread-bytes.ts';

/** Interfaces that reach their files through another one, whose heatmap holds the same bytes again. */
const ABOVE: Readonly<Record<string, string>> = { MPIIO: 'POSIX', DFS: 'DAOS' };

/** The recording counted bytes by time, if not call by call. */
export function hasHeatmaps(trace: Trace): boolean {
  return (trace.counters?.heatmaps.length ?? 0) > 0;
}

/** Bytes that Darshan's heatmaps hold of some stretches: those of a bin are spread evenly over it, as nobody knows better. */
export function heatmapBytes(trace: Trace, stretches: Stretches): { read: Float64Array; written: Float64Array } {
  const read = new SpreadBytes(stretches);
  const written = new SpreadBytes(stretches);
  for (const { binWidth, read: bytesRead, written: bytesWritten } of counting(trace.counters?.heatmaps ?? [])) {
    const width = binWidth * 1e9;
    const add = (lane: SpreadBytes, bytes: number, bin: number): void => {
      if (bytes > 0 && (bin + 1) * width > stretches.from && bin * width < stretches.to)
        lane.add(bin * width, width, bytes);
    };
    bytesRead.forEach((bytes, bin) => add(read, bytes, bin));
    bytesWritten.forEach((bytes, bin) => add(written, bytes, bin));
  }
  return { read: read.sums(), written: written.sums() };
}

function counting(heatmaps: readonly Heatmap[]): Heatmap[] {
  const apis = new Set(heatmaps.map(({ api }) => api));
  return heatmaps.filter(({ api, binWidth }) => binWidth > 0 && !apis.has(ABOVE[api] ?? ''));
}
