import { EVENT_FLAGS } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';

/** Rows that are calls, and not parts of one. */
export function callRows(trace: Trace): number[] {
  const rows = Array.from({ length: trace.events.length }, (_, row) => row);
  return rows.filter((row) => (trace.events.value('flags', row) & EVENT_FLAGS.part) === 0);
}
