import { NONE, type EventChunk } from '../../trace/events.ts';
import { METRIC } from './metric-table.ts';
import type { PassState } from './metrics-pass.ts';
import { tracerOverhead } from './tracer-overhead.ts';

/** Nanoseconds from which on it is worth while to fill a stream's buffer less often: the page cache takes a microsecond. */
const SLOW_NS = 50e3;
/** Bytes from which on a call is large enough, or goes past the buffer. */
const LARGE = 64 << 10;

/** Tells what a larger buffer of a stream would be for: slow calls that fill or empty it, one behind the other. */
export class StreamRefills {
  private readonly slowFromNs: number;

  constructor(private readonly state: PassState) {
    const { perCallNs } = tracerOverhead(state.trace, NaN, NaN);
    this.slowFromNs = SLOW_NS + (Number.isNaN(perCallNs) ? 0 : perCallNs);
  }

  /** @param follows whether a stream's transfer begins where the one before it ended. */
  count(chunk: EventChunk, i: number, cell: number, time: number, follows: boolean): void {
    const { cells, handles } = this.state;
    const handle = chunk.handle[i]!;
    const bytes = chunk.bytes[i]!;
    const isSought = !follows || (handle !== NONE && handles.isMoved[handle] === 1);
    if (handle !== NONE) handles.isMoved[handle] = 0;
    // A seek throws away what the buffer holds: the larger it is, the more is read for nothing.
    if (isSought) cells.addThree(cell, METRIC.soughtTransfers, 1, bytes, time);
    else if (bytes < LARGE && time >= this.slowFromNs) cells.add(cell, METRIC.slowRefills, 1);
  }
}
