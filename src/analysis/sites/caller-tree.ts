import type { ResolvedStacks, SourceFrame } from '../../symbols/resolved-stacks.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import { chainOf } from './call-sites.ts';

/** A source line that calls, directly or through others, the line at the tree's root. */
export interface Caller {
  readonly frame: SourceFrame;
  /** Calls that came this way. */
  events: number;
  /** Nanoseconds of these calls. */
  timeNs: number;
  /** By time, then calls. */
  readonly callers: Caller[];
}

/** Deeper chains are recursion that nobody walks. */
const DEEPEST = 64;

/**
 * All ways that lead to a source line, merged into a tree: the line itself at the root, its callers below it. Frames
 * without a source line (the start code, libraries) are passed over. Only calls that count for findings count here.
 *
 * @param isPlace whether a frame stands at the line that the walk starts from.
 * @returns undefined when no counted call went through the line.
 */
export function callerTree(
  trace: Trace,
  resolved: ResolvedStacks,
  metrics: Metrics,
  isPlace: (frame: SourceFrame) => boolean,
): Caller | undefined {
  let root: Caller | undefined;
  for (let node = 0; node < trace.stacks.nodes; node++) {
    const events = metrics.eventsOfNode[node]!;
    if (events === 0 && metrics.timeOfNode[node] === 0) continue;
    const chain = chainOf(trace, resolved, node).filter((frame) => frame.line > 0);
    const start = chain.findIndex(isPlace);
    if (start < 0) continue;
    root ??= { frame: chain[start]!, events: 0, timeNs: 0, callers: [] };
    addChain(root, chain.slice(start + 1, start + DEEPEST), events, metrics.timeOfNode[node]!);
  }
  if (root !== undefined) sort(root);
  return root;
}

function addChain(root: Caller, chain: readonly SourceFrame[], events: number, timeNs: number): void {
  let at = root;
  at.events += events;
  at.timeNs += timeNs;
  for (const frame of chain) {
    let caller = at.callers.find((known) => known.frame.line === frame.line && known.frame.file === frame.file);
    if (caller === undefined) {
      caller = { frame, events: 0, timeNs: 0, callers: [] };
      at.callers.push(caller);
    }
    caller.events += events;
    caller.timeNs += timeNs;
    at = caller;
  }
}

function sort(caller: Caller): void {
  caller.callers.sort((a, b) => b.timeNs - a.timeNs || b.events - a.events);
  caller.callers.forEach(sort);
}
