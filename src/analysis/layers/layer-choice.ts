import { LAYERS } from '../../trace/calls.ts';
import type { EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { LAYER_ROLE, layerRoles } from '../metrics/layer-roles.ts';

/**
 * Which calls of a recording of several layers are meant: the name of a layer, or
 * - `outermost`: the program's own calls,
 * - `requests`: those that reach the files,
 * - `all`: the calls of all layers beside each other.
 */
export type LayerChoice = string;

export const DEFAULT_LAYER_CHOICE = 'outermost';
export const LAYER_CHOICES: readonly string[] = [DEFAULT_LAYER_CHOICE, 'requests', 'all'];

/** @returns whether a row is meant; undefined when all are. @throws RangeError that names the choices. */
export function layerFilter(
  trace: Trace,
  choice: LayerChoice,
): ((chunk: EventChunk, i: number) => boolean) | undefined {
  if (choice === 'all') return undefined;
  const layer = LAYERS.findIndex((name) => name.toLowerCase() === choice.toLowerCase());
  if (layer >= 0) return (chunk, i) => chunk.layer[i] === layer;
  if (!LAYER_CHOICES.includes(choice))
    throw new RangeError(
      `there is no layer "${choice}": choose ${LAYER_CHOICES.join(', ')}, or one of ${LAYERS.join(', ')}`,
    );
  const roles = layerRoles(trace);
  if (roles === undefined) return undefined;
  const wanted = choice === 'requests' ? LAYER_ROLE.request : LAYER_ROLE.outermost;
  return (chunk, i) => (roles.of(chunk, i) & wanted) !== 0;
}
