import { SYSTEM_CALL_LAYER } from '../../trace/calls.ts';
import { CHUNK_MASK, EVENT_FLAGS, NONE, type EventChunk } from '../../trace/events.ts';
import type { TraceBuilder } from './trace-builder.ts';

/** Rows that get what most calls begin with at once; a power of two. */
const BLOCK = 1024;

/**
 * Adds the row of a call that begins: of its return nothing is known yet.
 * @param start in nanoseconds of the clock.
 */
export function appendRow(builder: TraceBuilder, stream: number, call: number, start: number, line: number): number {
  const row = builder.events.append();
  const chunk = builder.events.chunkOf(row);
  const i = row & CHUNK_MASK;
  if ((i & (BLOCK - 1)) === 0) prepare(chunk, i);
  if (!Number.isNaN(start)) builder.capabilities.time = true;
  chunk.start[i] = builder.placed(start);
  chunk.stream[i] = stream;
  chunk.line[i] = line;
  chunk.call[i] = call;
  return row;
}

function prepare(chunk: EventChunk, from: number): void {
  const end = from + BLOCK;
  chunk.duration.fill(NaN, from, end);
  chunk.offset.fill(NaN, from, end);
  chunk.requested.fill(NaN, from, end);
  chunk.argument.fill(NaN, from, end);
  chunk.file.fill(NONE, from, end);
  chunk.handle.fill(NONE, from, end);
  chunk.stack.fill(NONE, from, end);
  chunk.parent.fill(NONE, from, end);
  chunk.layer.fill(SYSTEM_CALL_LAYER, from, end);
  chunk.flags.fill(EVENT_FLAGS.neverReturned, from, end);
}
