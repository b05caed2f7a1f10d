import { CHUNK_ROWS, type EventChunk } from '../../trace/events.ts';
import { EventBits, type EventMask } from './event-mask.ts';
import { NothingNamed, type EventCondition } from './event-condition.ts';
import { conditionOf } from './part-conditions.ts';
import type { SelectionInputs } from './selection-inputs.ts';
import type { Selection } from './selection.ts';

export interface SelectedEvents {
  readonly mask: EventMask;
  /** Why nothing is selected, in words for the user; empty when something is. */
  readonly reasons: readonly string[];
}

/**
 * The events that all parts of a selection have in common; all events when it has no part. A part that names nothing in
 * this recording gives none, with the reason. One pass over the events, and one more for each edge.
 *
 * What is selected by a place, a file or a process are all its events, those included that findings leave out and those
 * that never returned; activities and edges are exactly the events that a graph counts.
 */
export function evaluateSelection(inputs: SelectionInputs, selection: Selection): SelectedEvents {
  const { events } = inputs.trace;
  const mask = new EventBits(events.length);
  if (events.length === 0) return { mask, reasons: ['the recording holds no single calls'] };
  const conditions: EventCondition[] = [];
  const reasons: string[] = [];
  for (const part of selection) {
    const condition = conditionOf(inputs, part);
    if (condition instanceof NothingNamed) reasons.push(condition.reason);
    else conditions.push(condition);
  }
  if (reasons.length > 0) return { mask, reasons };
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    const first = number * CHUNK_ROWS;
    for (let i = 0; i < rows; i++) if (allHold(conditions, chunk, i, first + i)) mask.add(first + i);
  });
  return { mask, reasons: mask.count > 0 ? [] : [nothingLeft(selection)] };
}

/** A loop: `every` would make a function for each event. */
function allHold(conditions: readonly EventCondition[], chunk: EventChunk, i: number, row: number): boolean {
  for (const holds of conditions) if (!holds(chunk, i, row)) return false;
  return true;
}

function nothingLeft(selection: Selection): string {
  return selection.length > 1
    ? 'no call belongs to all parts of the selection'
    : 'no call of this recording belongs to the selection';
}
