import type { Trace } from '../../trace/trace.ts';
import { counted } from '../quantities.ts';
import { inheritStacks } from './inherit-stacks.ts';
import { linkLayers, type LinkOptions } from './link-layers.ts';

/**
 * Links the calls of a recording's layers where its reader did not, and gives those without a stack the one of the call
 * that made them. To be done once for a trace, after it was read and before anything is asked of it; the events are
 * changed in their place.
 *
 * @returns the trace, with a note when calls could belong to several others.
 */
export function withLinkedLayers(trace: Trace, options: LinkOptions = {}): Trace {
  const { ambiguous } = linkLayers(trace, options);
  inheritStacks(trace);
  if (ambiguous === 0) return trace;
  const calls = counted(ambiguous, 'call');
  const note =
    `${calls} of a lower layer ${ambiguous === 1 ? 'lies' : 'lie'} within several calls of the layer above at once: ` +
    'which of them made it is not known, and they count as calls of the program itself';
  return { ...trace, notes: [...trace.notes, note] };
}
