import type { Layer } from '../../trace/calls.ts';

/**
 * Which calls make up a sequence: one layer's only. `outermost` are those that the program made itself, `requests` those
 * that reached the system: without a call of a lower layer under them.
 */
export type LoopCalls = 'outermost' | 'requests' | Layer;

export interface LoopOptions {
  /** `outermost` unless said. */
  readonly calls?: LoopCalls;
  /** Calls from different places are different calls: the call site of each node of the stacks (NONE for none). */
  readonly siteOfNode?: Int32Array | undefined;
  /** 1 for each node of the stacks whose calls are left out. */
  readonly leftOutNodes?: Uint8Array | undefined;
  /** 1 for each file whose calls are left out. */
  readonly leftOutFiles?: Uint8Array | undefined;
  /** Whether numbers may count with the iterations (figure 8 of the paper); true unless said. */
  readonly loopVariables?: boolean;
  /** Calls that are looked at in all: the first ones of each stream, as many of one as of another. All unless said. */
  readonly mostCalls?: number;
  /** 1 for each row of `Trace.messages` that stands in the sequences; all unless said. */
  readonly messages?: Uint8Array | undefined;
}
