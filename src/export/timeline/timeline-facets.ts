import type { Colour } from '../../drawing/timeline/category-colours.ts';
import type { RowsRequest } from '../../analysis/timeline/timeline.ts';

/** What a drawn timeline shows, each a picture of its own on the same axis of time. */
export const FACETS = ['layers', 'operations', 'sizes', 'files', 'offsets', 'heatmap'] as const;
export type Facet = (typeof FACETS)[number];

/** Facets whose rows are those of the timeline. */
export type RowFacet = Exclude<Facet, 'offsets' | 'heatmap'>;

interface FacetDefinition {
  readonly title: string;
  readonly about: string;
  readonly request: Pick<RowsRequest, 'grouping' | 'facets' | 'colourBy'>;
}

export const ROW_FACETS: Readonly<Record<RowFacet, FacetDefinition>> = {
  layers: {
    title: 'Layers',
    about: 'Each layer of the I/O software with its processes, by what their calls do.',
    request: { grouping: 'stream', facets: true, colourBy: 'operation' },
  },
  operations: {
    title: 'Operations',
    about:
      'Each process, or rank, by what its calls do; above it the bytes per second, the calls in flight and, where it was noted, what the machine did for all programs.',
    request: { grouping: 'stream', facets: false, colourBy: 'operation' },
  },
  sizes: {
    title: 'Transfer sizes',
    about: 'Each process, or rank, by how many bytes its calls move.',
    request: { grouping: 'stream', facets: false, colourBy: 'size' },
  },
  files: {
    title: 'Files',
    about: 'Each file, by what the calls on it do.',
    request: { grouping: 'file', facets: false, colourBy: 'operation' },
  },
};

export function isRowFacet(facet: Facet): facet is RowFacet {
  return facet in ROW_FACETS;
}

/** Paper: light, as the reports are printed. */
export const PAPER_COLOURS = {
  background: [255, 255, 255],
  text: [31, 35, 40],
  softText: [89, 99, 110],
  rule: [209, 217, 224],
} as const satisfies Record<string, Colour>;

/** Pixels of the plot of every picture, so that they stand below each other on one axis. */
export const PLOT_WIDTH = 860;
export const LABEL_WIDTH = 190;
