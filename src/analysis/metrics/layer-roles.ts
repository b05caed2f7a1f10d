import type { EventTable } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LayerRoles } from './layer-role.ts';
import { linkedRoles } from './linked-roles.ts';
import { logRoles } from './log-roles.ts';

export { LAYER_ROLE, type LayerRoles } from './layer-role.ts';

const known = new WeakMap<EventTable, { readonly roles: LayerRoles | undefined }>();

/** @returns undefined for recordings of which every row is both: those of one layer, and those where nothing is linked. */
export function layerRoles(trace: Trace): LayerRoles | undefined {
  let found = known.get(trace.events);
  if (found === undefined) {
    const isLog = trace.counters !== undefined && trace.sources === undefined;
    found = { roles: isLog ? logRoles(trace) : linkedRoles(trace) };
    known.set(trace.events, found);
  }
  return found.roles;
}
