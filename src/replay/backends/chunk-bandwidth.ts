import type { Backend, BackendKind, BackendReport, ReplayCall } from './backend.ts';
import { bandwidthText, sizeText } from './words.ts';

/** Of one direction and request size. */
interface Chunk {
  readonly direction: 'read' | 'write';
  /** Bytes asked for by a call. */
  readonly size: number;
  calls: number;
  bytes: number;
  seconds: number;
}

/** Different sizes that are kept apart in one task; the rest is one row. */
const MOST_SIZES = 10_000;
/** Stands for all sizes beyond. */
const OTHER = -1;

class ChunkCounter implements Backend {
  private readonly chunks = new Map<string, Chunk>();

  end(call: ReplayCall, moved: number, seconds: number, _now: number, times: number): void {
    if (call.direction === 'none') return;
    const chunk = this.chunk(call.direction, call.bytes);
    chunk.calls += times;
    chunk.bytes += moved;
    chunk.seconds += seconds;
  }

  state(): Chunk[] {
    return [...this.chunks.values()];
  }

  private chunk(direction: 'read' | 'write', size: number): Chunk {
    const name = `${direction} ${size}`;
    const found = this.chunks.get(name);
    if (found !== undefined) return found;
    if (this.chunks.size >= MOST_SIZES && size !== OTHER) return this.chunk(direction, OTHER);
    const made: Chunk = { direction, size, calls: 0, bytes: 0, seconds: 0 };
    this.chunks.set(name, made);
    return made;
  }
}

/** "prints the average bandwidth separately for each I/O request size" */
export const chunkBandwidth: BackendKind = {
  name: 'ChunkBandwidth',
  describes: 'bytes over time inside the calls, for each request size',
  start: () => new ChunkCounter(),
  report: (states): BackendReport => {
    const chunks = new Map<string, Chunk>();
    for (const chunk of (states as readonly Chunk[][]).flat()) {
      const name = `${chunk.direction} ${chunk.size}`;
      const sum = chunks.get(name) ?? { ...chunk, calls: 0, bytes: 0, seconds: 0 };
      sum.calls += chunk.calls;
      sum.bytes += chunk.bytes;
      sum.seconds += chunk.seconds;
      chunks.set(name, sum);
    }
    const rows = [...chunks.values()]
      .sort((a, b) => a.direction.localeCompare(b.direction) || a.size - b.size)
      .map((chunk) => ({ ...chunk, bytesPerSecond: chunk.seconds > 0 ? chunk.bytes / chunk.seconds : 0 }));
    const text = rows.map(({ direction, size, calls, bytesPerSecond }) => {
      const what = size === OTHER ? 'other sizes' : sizeText(size);
      return `${direction} ${what}: ${bandwidthText(bytesPerSecond)} in ${calls} calls`;
    });
    return {
      backend: 'ChunkBandwidth',
      text: text.length > 0 ? text : ['no bytes were moved'],
      values: { chunks: rows },
    };
  },
};
