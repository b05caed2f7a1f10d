import { OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import { counts } from '../metrics/ignored-files.ts';
import { StartUpCalls } from '../sites/call-sites.ts';
import { LAYER_ROLE, layerRoles, type LayerRoles } from '../metrics/layer-roles.ts';
import type { SelectionInputs } from './selection-inputs.ts';

/** Bits that say what an event adds to. */
export const WEIGHT = {
  /** A call of which something is known: it returned, and is no other side of a copy. */
  call: 1,
  /** A request that reaches the file; where a recording shows one layer, every call. */
  request: 2,
  /** A call of the program itself: its time is spent by the program; where a recording shows one layer, every call. */
  outermost: 4,
  /** Findings and their totals count it: its file is not ignored, and it is no start-up. */
  counted: 8,
} as const;

/** Tells what events add to, by the same rules as the metrics (`metrics/access-metrics`). */
export class CallWeights {
  private readonly roles: LayerRoles | undefined;
  private readonly isCopy: Uint8Array;
  private readonly startUp: StartUpCalls;

  constructor(private readonly inputs: Pick<SelectionInputs, 'trace' | 'callSites' | 'ignored'>) {
    this.roles = layerRoles(inputs.trace);
    this.startUp = new StartUpCalls(inputs.trace, inputs.callSites);
    this.isCopy = Uint8Array.from(inputs.trace.calls.operation, (operation) => (operation === OPERATION.copy ? 1 : 0));
  }

  /** Bits of WEIGHT. */
  of(chunk: EventChunk, i: number): number {
    const flags = chunk.flags[i]!;
    if (flags & NOT_MEASURED) return 0;
    if (flags & EVENT_FLAGS.part && this.isCopy[chunk.call[i]!] === 1) return 0;
    let weight: number = WEIGHT.call;
    const role = this.roles?.of(chunk, i) ?? LAYER_ROLE.request | LAYER_ROLE.outermost;
    if (role & LAYER_ROLE.request) weight |= WEIGHT.request;
    if (role & LAYER_ROLE.outermost) weight |= WEIGHT.outermost;
    const isStartUp = this.startUp.has(chunk.call[i]!, chunk.stack[i]!);
    if (!isStartUp && counts(this.inputs.ignored, chunk.file[i]!)) weight |= WEIGHT.counted;
    return weight;
  }
}
