import type { Metric } from '../metrics/metric-table.ts';
import { sizesOfAll } from './call-sizes.ts';
import type { Amount } from './insight.ts';
import type { GroupView } from './trigger.ts';

/** Several places as one: the view of a finding. */
export function mergedView(views: readonly GroupView[], offence: Amount): GroupView {
  return {
    get: (metric: Metric) => views.reduce((sum, view) => sum + view.get(metric), 0),
    offence,
    files: views.flatMap(({ files }) => files),
    sharedByWriters: views.some((view) => view.sharedByWriters),
    imbalance: (direction) => views.reduce((most, view) => Math.max(most, view.imbalance(direction)), 0),
    medianBytes: medianOf(views),
    sizes: sizesOfAll(views.map(({ sizes }) => sizes)),
  };
}

/** The median of the places' medians, each counted by its offending calls; NaN when nothing is moved. */
function medianOf(views: readonly GroupView[]): number {
  const sized = views.filter(({ medianBytes }) => !Number.isNaN(medianBytes));
  sized.sort((a, b) => a.medianBytes - b.medianBytes);
  const half = sized.reduce((sum, { offence }) => sum + offence.events, 0) / 2;
  let seen = 0;
  return sized.find(({ offence }) => (seen += offence.events) >= half)?.medianBytes ?? NaN;
}
