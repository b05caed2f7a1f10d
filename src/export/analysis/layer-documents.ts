import { LayerTree } from '../../analysis/layers/layer-tree.ts';
import { layersOf } from '../../analysis/layers/layers-present.ts';
import { layeredCalls } from '../../analysis/layers/site-layers.ts';
import type { CallSites } from '../../analysis/sites/call-sites.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, LINKS, type Link } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { layerAmountDocument, type LayerAmountDocument } from './layer-amounts.ts';
import type { LocateSource } from './site-documents.ts';

export type LinkCounts = Readonly<Partial<Record<Link, number>>>;

/** `iolens layers --json` */
export interface LayersDocument {
  readonly schema: 'iolens/layers@1';
  /** Layers of the recording, the highest first. */
  readonly layers: readonly string[];
  /** Calls of each layer: in all, and how many of them are known in which way to be made by a call of an upper layer. */
  readonly links: readonly { readonly layer: string; readonly calls: number; readonly links: LinkCounts }[];
  /** The program's calls that became others, by source line and name, what takes most time first. */
  readonly calls: readonly (LayerAmountDocument & {
    readonly file: string;
    readonly isHere: boolean;
    readonly line: number;
    readonly function: string;
    readonly call: string;
    readonly became: readonly (LayerAmountDocument & { readonly links: LinkCounts })[];
  })[];
}

export function layersDocument(
  trace: Trace,
  callSites: CallSites,
  ignored: Uint8Array,
  locate: LocateSource,
): LayersDocument {
  return {
    schema: 'iolens/layers@1',
    layers: layersOf(trace).map((layer) => LAYERS[layer]!),
    links: linksOf(trace),
    calls: layeredCalls(trace, callSites, ignored).map(({ site, call, became, ...amount }) => {
      const place = callSites.sites[site];
      return {
        ...(place === undefined ? { file: '', isHere: false } : locate(place.file)),
        line: place?.line ?? 0,
        function: place?.functionName ?? '',
        call: trace.calls.names[call]!,
        ...layerAmountDocument(amount),
        became: became.map((each) => ({ ...layerAmountDocument(each), links: each.links })),
      };
    }),
  };
}

function linksOf(trace: Trace): LayersDocument['links'] {
  const { events } = trace;
  if (!LayerTree.of(trace).hasLinks) return [];
  const counted = LAYERS.map(() => new Float64Array(LINKS.length));
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++)
      if (!(chunk.flags[i]! & EVENT_FLAGS.part)) counted[chunk.layer[i]!]![chunk.link[i]!]!++;
  });
  return layersOf(trace).map((layer) => {
    const of = counted[layer]!;
    const known = LINKS.flatMap((link, at) => (link !== 'none' && of[at]! > 0 ? [[link, of[at]!] as const] : []));
    return {
      layer: LAYERS[layer]!,
      calls: of.reduce((sum, calls) => sum + calls, 0),
      links: Object.fromEntries(known),
    };
  });
}
