import { SYSTEM_CALL_LAYER } from '../../trace/calls.ts';
import { CHUNK_MASK, EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { TraceBuilder } from './trace-builder.ts';

/**
 * Adds the row of a call that begins: of its return nothing is known yet.
 * @param start in nanoseconds of the clock.
 */
export function appendRow(builder: TraceBuilder, stream: number, call: number, start: number, line: number): number {
  const row = builder.events.append();
  const chunk = builder.events.chunkOf(row);
  const i = row & CHUNK_MASK;
  if (!Number.isNaN(start)) builder.capabilities.time = true;
  chunk.start[i] = builder.placed(start);
  chunk.duration[i] = NaN;
  chunk.offset[i] = NaN;
  chunk.bytes[i] = 0;
  chunk.requested[i] = NaN;
  chunk.argument[i] = NaN;
  chunk.file[i] = NONE;
  chunk.handle[i] = NONE;
  chunk.stack[i] = NONE;
  chunk.parent[i] = NONE;
  chunk.stream[i] = stream;
  chunk.line[i] = line;
  chunk.call[i] = call;
  chunk.layer[i] = SYSTEM_CALL_LAYER;
  chunk.flags[i] = EVENT_FLAGS.neverReturned;
  return row;
}
