import { LayerTree } from '../layers/layer-tree.ts';
import { LAYERS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { TimelineRecording } from './timeline-recording.ts';
import type { EventLayers, LayerStep, LinkedCall } from './timeline.ts';

/** What made a call, and what it became; undefined for a call that is linked with none of another layer. */
export function eventLayers({ trace }: TimelineRecording, event: number): EventLayers | undefined {
  const tree = LayerTree.of(trace);
  const callers = tree.ancestorsOf(event);
  if (callers.length === 0 && tree.childrenOf(event).length === 0) return undefined;
  const { events, calls } = trace;
  // Each is the caller of the one before it, and that one's link says how this is known.
  const above = callers.map((row, at): LinkedCall => {
    const duration = events.value('duration', row);
    return {
      call: calls.names[events.value('call', row)]!,
      layer: LAYERS[events.value('layer', row)]!,
      bytes: events.value('bytes', row),
      durationNs: Number.isNaN(duration) ? null : duration,
      link: tree.linkOf(callers[at - 1] ?? event),
    };
  });
  const below = tree.amountsBelow(event).map(({ layer, ...amount }) => ({ layer: LAYERS[layer]!, ...amount }));
  const has = (step: LayerStep): boolean => linkedEvent(tree, event, step) !== NONE;
  return { above, below, hasNext: has('next'), hasPrevious: has('previous') };
}

/** The call that a step leads to, or NONE. */
export function linkedEvent(tree: LayerTree, event: number, step: LayerStep): number {
  if (step === 'up') return tree.parentOf(event);
  if (step === 'down') return tree.childrenOf(event)[0] ?? NONE;
  const parent = tree.parentOf(event);
  if (parent === NONE) return NONE;
  const siblings = tree.childrenOf(parent);
  // They stand in the order of their rows.
  let [low, high] = [0, siblings.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (siblings[middle]! < event) low = middle + 1;
    else high = middle;
  }
  return siblings[low + (step === 'next' ? 1 : -1)] ?? NONE;
}
