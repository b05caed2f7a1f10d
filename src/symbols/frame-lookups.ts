import { addToGroup } from '../base/grouping.ts';
import { NONE } from '../trace/events.ts';
import type { Trace } from '../trace/trace.ts';

/** Symbols of the code that the kernel returns to from a signal handler. libunwind names the second one. */
const SIGNAL_RETURN = /^(__restore_rt|__sigaction)$/;

/** What of a trace is needed to resolve its stacks. */
export type RecordedStacks = Pick<Trace, 'stacks' | 'program'>;

/** A recorded frame as it is to be looked up. */
export interface Lookup {
  readonly frame: number;
  /** The number is an instruction that was interrupted, not one to return to. */
  readonly exact: boolean;
  readonly nodes: number[];
}

/** The frames of each module; one that was also interrupted where others return to is there twice. */
export function lookupsByModule(trace: RecordedStacks): Map<number, Lookup[]> {
  const { stacks } = trace;
  const exactNodes = interruptedNodes(trace);
  const byKey = new Map<number, Lookup>();
  const byModule = new Map<number, Lookup[]>();
  for (let node = 0; node < stacks.nodes; node++) {
    const frame = stacks.nodeFrame.at(node);
    const exact = exactNodes.has(node);
    const key = frame * 2 + (exact ? 1 : 0);
    let lookup = byKey.get(key);
    if (lookup === undefined) {
      lookup = { frame, exact, nodes: [] };
      byKey.set(key, lookup);
      const module = stacks.frameModule.at(frame);
      addToGroup(byModule, module, lookup);
    }
    lookup.nodes.push(node);
  }
  return byModule;
}

/** Nodes whose frame a signal interrupted: those that "called" the return from the signal handler. */
function interruptedNodes(trace: RecordedStacks): Set<number> {
  const { stacks } = trace;
  const nodes = new Set<number>();
  for (let node = 0; node < stacks.nodes; node++) {
    const caller = stacks.nodeParent.at(node);
    if (caller === NONE) continue;
    const { symbol, symbolOffset } = stacks.frame(stacks.nodeFrame.at(node));
    if (SIGNAL_RETURN.test(symbol) && (symbol === '__restore_rt' || symbolOffset === 0x40)) nodes.add(caller);
  }
  return nodes;
}
