import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import { CallArguments } from './call-arguments.ts';
import type { RecordedFunction } from './recorded-functions.ts';

/** An event while its row is made; there is one at a time, and one object for all of them. */
export class EventAtHand {
  called!: RecordedFunction;
  readonly given = new CallArguments();
  /** Nanoseconds from the trace's reference. */
  start = 0;
  end = 0;
  /** Index into `Trace.streams`. */
  stream = 0;
  /** Row that it is going to have. */
  row = 0;
  failed = false;
  /** Handle of the nearest call of a layer above that has one, or NONE. */
  above = NONE;
}

export type Occurrence = Readonly<EventAtHand>;

/** Whether it only begins a transfer, of which another event says that it is complete. */
export function isBegun({ called, given }: Occurrence): boolean {
  return (called.flags & EVENT_FLAGS.nonBlocking) !== 0 && given.request !== 0;
}
