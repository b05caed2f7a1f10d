import type { EventChunk } from '../../trace/events.ts';
import type { SelectionInputs } from './selection-inputs.ts';

/** Whether the event at place `i` of `chunk`, row `row` of the table, belongs to a part of a selection. */
export type EventCondition = (chunk: EventChunk, i: number, row: number) => boolean;

/** Why a part of a selection names nothing in a recording, in words for the user. */
export class NothingNamed {
  constructor(readonly reason: string) {}
}

/** A path of a source file as on this machine or as recorded: a selection may come from either. */
export function isSourceFile(inputs: SelectionInputs, recorded: string, wanted: string): boolean {
  return recorded === wanted || inputs.localFile(recorded) === wanted;
}
