import { siteEntry } from '../../analysis/metrics/access-metrics.ts';
import type { CallSites } from '../../analysis/sites/call-sites.ts';
import { NONE } from '../../trace/events.ts';
import type { PowerCounts, Tally } from '../../trace/tallies.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TalliedDocument } from './documents.ts';
import type { LocateSource } from './site-documents.ts';

/** Calls of one function from one site. */
interface SiteTally {
  readonly site: number;
  readonly name: string;
  readonly layer: string;
  sum: Omit<Tally, 'name' | 'layer' | 'stack' | 'times' | 'sizes'>;
  readonly times: Map<number, number>;
  readonly sizes: Map<number, number>;
}

/** What was counted once processes had recorded as many events as they might; undefined where none had. */
export function talliedDocument(
  { tallied }: Trace,
  callSites: CallSites,
  locate: LocateSource,
): TalliedDocument | undefined {
  if (tallied === undefined) return undefined;
  const sums = new Map<string, SiteTally>();
  for (const { tallies } of tallied) for (const tally of tallies) add(sums, tally, siteOf(callSites, tally.stack));
  const rows = [...sums.values()].map((row) => {
    const place = callSites.sites[row.site];
    const sizes = median(row.sizes);
    return {
      ...(place === undefined ? { file: '', isHere: false } : locate(place.file)),
      line: place?.line ?? 0,
      function: place?.functionName ?? '',
      call: row.name,
      layer: row.layer,
      ...row.sum,
      medianNs: median(row.times) ?? [0, 0],
      ...(sizes !== undefined && { medianBytes: sizes }),
    };
  });
  return {
    processes: tallied.length,
    recordedNs: Math.max(...tallied.map(({ recordedNs }) => recordedNs)),
    countedNs: Math.max(...tallied.map(({ countedNs }) => countedNs)),
    calls: rows.sort((a, b) => b.timeNs - a.timeNs || b.calls - a.calls),
  };
}

function siteOf({ siteOfNode }: CallSites, stack: number): number {
  return stack === NONE ? NONE : (siteOfNode[stack] ?? NONE);
}

function add(sums: Map<string, SiteTally>, { name, layer, times, sizes, ...more }: Tally, site: number): void {
  const key = `${siteEntry(site)} ${layer} ${name}`;
  let row = sums.get(key);
  if (row === undefined) {
    const sum = { calls: 0, failed: 0, bytes: 0, timeNs: 0, longestNs: 0 };
    sums.set(key, (row = { site, name, layer, sum, times: new Map(), sizes: new Map() }));
  }
  const { calls, failed, bytes, timeNs, longestNs } = row.sum;
  row.sum = {
    calls: calls + more.calls,
    failed: failed + more.failed,
    bytes: bytes + more.bytes,
    timeNs: timeNs + more.timeNs,
    longestNs: Math.max(longestNs, more.longestNs),
  };
  addPowers(row.times, times);
  addPowers(row.sizes, sizes);
}

function addPowers(sums: Map<number, number>, powers: PowerCounts): void {
  for (const [power, count] of powers) sums.set(power, (sums.get(power) ?? 0) + count);
}

/** The bounds between which the median lies: that of a power of two. */
function median(powers: ReadonlyMap<number, number>): [from: number, to: number] | undefined {
  const sorted = [...powers].sort(([a], [b]) => a - b);
  let left = sorted.reduce((sum, [, count]) => sum + count, 0) / 2;
  for (const [power, count] of sorted) {
    left -= count;
    if (left <= 0) return [power === 0 ? 0 : 2 ** power, 2 ** (power + 1)];
  }
  return undefined;
}
