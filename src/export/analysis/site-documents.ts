import { siteEntry, type Metrics } from '../../analysis/metrics/access-metrics.ts';
import { counts } from '../../analysis/metrics/ignored-files.ts';
import { METRIC, MetricTable } from '../../analysis/metrics/metric-table.ts';
import { SIZE_BIN_ENDS } from '../../analysis/metrics/sizes.ts';
import { layersOfSites } from '../../analysis/layers/site-layers.ts';
import { formatRanks, hasRanks } from '../../analysis/metrics/process-noun.ts';
import { chainOf, type CallSites, type SiteGrouping } from '../../analysis/sites/call-sites.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import { OPERATION, OPERATIONS, type Operation } from '../../trace/calls.ts';
import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { RunCosts } from '../../analysis/gain/run-costs.ts';
import { costNs } from './cost-text.ts';
import { leftOutDocument } from './left-out-document.ts';
import { layerAmountDocument } from './layer-amounts.ts';
import { talliedDocument } from './tallied-document.ts';
import type { FrameDocument, SitesDocument } from './documents.ts';

/** Path of a source file on this machine, or as recorded. */
export type LocateSource = (recorded: string) => { file: string; isHere: boolean };

/** A stack as a list of frames, innermost first, inlined calls expanded. */
export function stackDocument(
  trace: Trace,
  resolved: ResolvedStacks,
  node: number,
  locate: LocateSource,
): FrameDocument[] {
  return chainOf(trace, resolved, node).map(({ functionName, file, line, module, address }) => ({
    function: functionName,
    file: locate(file).file,
    line,
    module,
    address: Number.isNaN(address) ? '' : `0x${address.toString(16)}`,
  }));
}

/**
 * For each site the node of its costliest stack: the chain of callers that is worth showing.
 *
 * @param operations what its calls do, where the site has such calls: several calls may share a line.
 */
export function costliestNodes(
  callSites: CallSites,
  { timeOfNode, eventsOfNode, operationsOfNode }: Metrics,
  operations: readonly Operation[] = OPERATIONS,
): Int32Array {
  const wanted = operations.reduce((mask, operation) => mask | (1 << OPERATION[operation]), 0);
  const best = Int32Array.from(callSites.sites, ({ node }) => node);
  const doesIt = (node: number): number => (operationsOfNode[node]! & wanted ? 1 : 0);
  callSites.siteOfNode.forEach((site, node) => {
    if (site === NONE || (eventsOfNode[node] === 0 && timeOfNode[node] === 0)) return;
    const known = best[site]!;
    const more =
      doesIt(node) - doesIt(known) ||
      timeOfNode[node]! - timeOfNode[known]! ||
      eventsOfNode[node]! - eventsOfNode[known]!;
    if (more > 0) best[site] = node;
  });
  return best;
}

/** Calls with what they cost. */
export interface MeasuredCalls {
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  readonly callSites: CallSites;
  readonly metrics: Metrics;
  readonly costs: RunCosts;
}

/** All call sites with what their calls amount to, by cost. Calls on ignored files and of start-up are left out. */
export function sitesDocument(
  { trace, resolved, callSites, metrics, costs }: MeasuredCalls,
  by: SiteGrouping,
  ignored: Uint8Array,
  locate: LocateSource,
): SitesDocument {
  const sums = new MetricTable();
  for (let entry = 0; entry <= callSites.sites.length; entry++) sums.addRow();
  for (let cell = 0; cell < metrics.cells.length; cell++) {
    sums.addFrom(siteEntry(metrics.siteOfCell[cell]!), metrics.cells, cell);
  }
  const calls = callsOfSites(trace, callSites, ignored);
  const layers = layersOfSites(trace, callSites, ignored);
  const nodes = costliestNodes(callSites, metrics);
  const total = Array.from({ length: sums.length }, (_, entry) => sums.get(entry, 'time')).reduce((a, b) => a + b, 0);
  const costOf = costs.ofSites(callSites, metrics);
  const sites = [NONE, ...callSites.sites.keys()].map((site) => {
    const entry = siteEntry(site);
    const timeNs = sums.get(entry, 'time');
    const cost = costOf(site, timeNs);
    const place = callSites.sites[site];
    return {
      ...(place === undefined ? { file: '', isHere: false } : locate(place.file)),
      line: place?.line ?? 0,
      column: place?.column ?? 0,
      function: place?.functionName ?? '',
      module: place?.module ?? '',
      events: sums.get(entry, 'events'),
      bytes: sums.get(entry, 'readBytes') + sums.get(entry, 'writtenBytes') + sums.get(entry, 'copiedBytes'),
      timeNs,
      share: total === 0 ? 0 : timeNs / total,
      ...(cost && { cost }),
      streams: metrics.streamsOfSite[entry]!.size,
      ...ranksOfSite(trace, metrics, site),
      sizes: { read: sizesOf(sums, entry, METRIC.readSize0), written: sizesOf(sums, entry, METRIC.writeSize0) },
      calls: Object.fromEntries(calls[entry] ?? []),
      ...(layers !== undefined && { layers: layers[entry]!.map(layerAmountDocument) }),
      stack: place === undefined ? [] : stackDocument(trace, resolved, nodes[site]!, locate),
    };
  });
  const used = sites.filter(({ events, timeNs }) => events > 0 || timeNs > 0);
  used.sort((a, b) => costNs(b) - costNs(a) || b.timeNs - a.timeNs || b.events - a.events);
  const { events, timeNs } = leftOutDocument(metrics);
  const tallied = talliedDocument(trace, callSites, locate);
  const document: SitesDocument = {
    schema: 'iolens/sites@1',
    by,
    run: costs.run,
    leftOut: { events, timeNs },
    sites: used,
  };
  return tallied === undefined ? document : { ...document, tallied };
}

/** The ranks that make a site's calls, in words; nothing where the recording knows no ranks. */
export function ranksOfSite(trace: Trace, metrics: Metrics, site: number): { ranks?: string } {
  if (!hasRanks(trace)) return {};
  const ranks = [...metrics.streamsOfSite[siteEntry(site)]!].map((stream) => trace.streams[stream]!.rank!);
  return ranks.length === 0 ? {} : { ranks: formatRanks(ranks) };
}

/** Calls in each of Darshan's size bins, whose metrics stand one behind the other. */
function sizesOf(sums: MetricTable, entry: number, first: number): number[] {
  return SIZE_BIN_ENDS.map((_, bin) => sums.at(entry, first + bin));
}

/** How often each call is made from each site, on the files that count. */
function callsOfSites(trace: Trace, callSites: CallSites, ignored: Uint8Array): Map<string, number>[] {
  const found: Map<string, number>[] = [];
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (chunk.flags[i]! & NOT_COUNTED || !counts(ignored, chunk.file[i]!)) continue;
      const node = chunk.stack[i]!;
      const entry = siteEntry(node === NONE ? NONE : callSites.siteOfNode[node]!);
      const of = (found[entry] ??= new Map<string, number>());
      const name = trace.calls.names[chunk.call[i]!]!;
      of.set(name, (of.get(name) ?? 0) + 1);
    }
  });
  return found;
}
