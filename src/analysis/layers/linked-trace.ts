import type { Trace } from '../../trace/trace.ts';
import { counted, formatDuration } from '../../base/quantities.ts';
import { clocksOf } from './clocks.ts';
import { inheritStacks } from './inherit-stacks.ts';
import { linkLayers } from './link-layers.ts';

/**
 * Links the calls of a recording's layers where its reader did not, and gives those without a stack the one of the call
 * that made them. To be done once for a trace, after it was read and before anything is asked of it; the events are
 * changed in their place.
 *
 * @returns the trace, with a note when calls could belong to several others.
 */
export function withLinkedLayers(trace: Trace): Trace {
  const { ambiguous, uncertain } = linkLayers(trace, clocksOf(trace));
  inheritStacks(trace);
  const notes = [...trace.notes];
  if (ambiguous > 0)
    notes.push(
      `${counted(ambiguous, 'call')} of a lower layer ${ambiguous === 1 ? 'lies' : 'lie'} within several calls of the ` +
        'layer above at once: which of them made it is not known, and they count as calls of the program itself',
    );
  if (uncertain > 0) notes.push(uncertainNote(uncertain, trace));
  return notes.length > trace.notes.length ? { ...trace, notes } : trace;
}

/** Why calls of joined recordings are not linked although their times lie within each other. */
function uncertainNote(calls: number, { sources = [] }: Trace): string {
  const known = Math.max(
    ...sources.map(({ uncertaintyNs }) => (Number.isNaN(uncertaintyNs) ? Infinity : uncertaintyNs)),
  );
  const clocks = known === Infinity ? 'is a guess' : `is known to ± ${formatDuration(known)} only`;
  return (
    `${counted(calls, 'call')} may lie within calls of the layer above in another recording, but how their clocks differ ` +
    `${clocks}, so they are not linked: no call is long enough to be sure. Finer times are needed, or the offset ` +
    '(--add-offset) where only that is unknown'
  );
}
