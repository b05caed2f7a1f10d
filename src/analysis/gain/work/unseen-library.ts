import { LAYERS, type Layer } from '../../../trace/calls.ts';
import type { Trace } from '../../../trace/trace.ts';
import { layersPresent } from '../../layers/layers-present.ts';
import type { CallSites, SiteIndex } from '../../sites/call-sites.ts';
import { TRAIT } from '../../sites/stack-traits.ts';

const LIBRARIES: readonly (readonly [trait: number, layer: Layer])[] = [
  [TRAIT.netcdf, 'NetCDF'],
  [TRAIT.hdf5, 'HDF5'],
];

/**
 * The library below which the calls of these places are made, as their stacks say, although none of its own calls was
 * recorded: it is linked into the program, or its layer was left out. How long it works besides is not seen then.
 */
export function unseenLibrary(trace: Trace, callSites: CallSites, places: ReadonlySet<SiteIndex>): Layer | undefined {
  const { siteOfNode, traitsOfNode } = callSites;
  if (traitsOfNode === undefined) return undefined;
  const { all } = layersPresent(trace);
  return LIBRARIES.find(([trait, layer]) => {
    if ((all & (1 << LAYERS.indexOf(layer))) !== 0) return false;
    return traitsOfNode.some((traits, node) => (traits & trait) !== 0 && places.has(siteOfNode[node]!));
  })?.[1];
}
