import type { Metrics } from '../../analysis/metrics/access-metrics.ts';
import type { CallSite, CallSites, SiteIndex } from '../../analysis/sites/call-sites.ts';
import { NONE } from '../../trace/events.ts';
import type { Row } from '../schema/tables.ts';
import type { RowKey } from './recording-facts.ts';

type SiteRow = Omit<Row<'site'>, keyof RowKey>;

interface SiteSums {
  events: number;
  bytesRead: number;
  bytesWritten: number;
  nanoseconds: number;
}

/** The call sites of a recording that use files which count, costliest first. */
export function siteRows(metrics: Metrics, callSites: CallSites): SiteRow[] {
  return measuredSites(metrics, callSites).map(({ row }) => row);
}

/** The same with the index of each site. */
export function measuredSites(
  { cells, siteOfCell }: Metrics,
  { sites }: CallSites,
): { readonly site: SiteIndex; readonly row: SiteRow }[] {
  const sums = sites.map((): SiteSums => ({ events: 0, bytesRead: 0, bytesWritten: 0, nanoseconds: 0 }));
  let all = 0;
  siteOfCell.forEach((site, cell) => {
    all += cells.get(cell, 'time');
    if (site === NONE) return;
    const sum = sums[site]!;
    sum.events += cells.get(cell, 'events');
    sum.bytesRead += cells.get(cell, 'readBytes');
    sum.bytesWritten += cells.get(cell, 'writtenBytes');
    sum.nanoseconds += cells.get(cell, 'time');
  });
  return sites
    .map((place, index) => ({ place, site: index, sum: sums[index]! }))
    .filter(({ sum }) => sum.events > 0)
    .sort((a, b) => b.sum.nanoseconds - a.sum.nanoseconds || b.sum.events - a.sum.events)
    .map(({ place, site, sum }) => ({
      site,
      row: {
        ...placeOf(place),
        module: place.module === '' ? null : place.module,
        events: sum.events,
        bytes_read: sum.bytesRead,
        bytes_written: sum.bytesWritten,
        seconds: sum.nanoseconds / 1e9,
        share: all > 0 ? sum.nanoseconds / all : null,
      },
    }));
}

/** Where a call site stands in the source, as far as that is known. */
export function placeOf({ file, line, functionName }: CallSite): Pick<SiteRow, 'source_file' | 'line' | 'function'> {
  return {
    source_file: file === '' ? null : file,
    line: line > 0 ? line : null,
    function: functionName === '' ? null : functionName,
  };
}
