import type { Metric } from '../../metrics/metric-table.ts';
import { counted, formatDuration } from '../../../base/quantities.ts';
import { NONE } from '../../../trace/events.ts';
import { bufferSize } from '../../triggers/snippets.ts';
import { scaled } from '../estimate.ts';
import { mainGroup, mainTransfers, NOT_KNOWN, Savings, total, type GainCell, type GainModel } from './model.ts';

const SMALL = {
  read: {
    tiny: ['tinyReads', 'tinyReadBytes'],
    small: ['smallReads', 'smallReadBytes'],
    coalesced: 'coalescedReads',
    all: 'reads',
    apart: ['stridedReads', 'randomReads'],
  },
  write: {
    tiny: ['tinyWrites', 'tinyWrittenBytes'],
    small: ['smallWrites', 'smallWrittenBytes'],
    coalesced: 'coalescedWrites',
    all: 'writes',
    apart: ['stridedWrites', 'randomWrites'],
  },
} as const satisfies Readonly<Record<'read' | 'write', Readonly<Record<string, Metric | readonly [Metric, Metric]>>>>;

/** Small requests become requests of the buffer's size, where they lie side by side; the bytes are moved all the same. */
export function smallRequests(kind: 'read' | 'write'): GainModel {
  const of = SMALL[kind];
  const lieApart = (cell: GainCell): boolean =>
    cell.get(of.apart[0]) + cell.get(of.apart[1]) > cell.get(of.all) / 2 && cell.groups.length > 0;
  return ({ insight, cells, costs }) => {
    // Under Drishti's condition a finding speaks of all requests up to 1 MiB.
    const onlyTiny = total(cells, of.tiny[0]) >= (insight.evidence['count'] ?? 0);
    const [calls, bytes] = onlyTiny ? of.tiny : of.small;
    const buffer = bufferSize(insight.evidence['medianBytes'] ?? NaN);
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, kind);
      if (group === undefined || lieApart(cell)) continue;
      // What is synchronised, or lies elsewhere, is written for itself, however large the buffer is. Where nothing is known of
      // the places, each call would be.
      const coalesced = onlyTiny ? cell.get(of.coalesced) : 0;
      const apart = coalesced < cell.get(calls) / 2 ? coalesced : 0;
      savings.add(group, cell.get(calls) - Math.max(apart, Math.ceil(cell.get(bytes) / buffer)));
    }
    return savings.calls === 0 && cells.some(lieApart) ? GAPS : savings.result(total(cells, calls), kind);
  };
}

const GAPS =
  'a buffer joins what lies side by side, and these calls leave gaps: what saves time is to put whole blocks together first';

/** The data are gathered in memory and written through a buffer. */
export function bufferedWrites(calls: Metric, bytes: Metric): GainModel {
  return ({ insight, cells, costs }) => {
    const buffer = bufferSize(insight.evidence['medianBytes'] ?? NaN);
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, 'write');
      if (group !== undefined) savings.add(group, cell.get(calls) - Math.ceil(cell.get(bytes) / buffer));
    }
    return savings.result(total(cells, calls), 'write');
  };
}

/** A stream is written when its buffer is full: by fewer writes, or, where they show instead, by fewer flushes. */
export const flushes: GainModel = (view) => {
  if (total(view.cells, 'streamFlushes') === 0) return bufferedWrites('flushedWrites', 'flushedWrittenBytes')(view);
  const buffer = bufferSize(view.insight.evidence['medianBytes'] ?? NaN);
  const savings = new Savings(view.costs);
  for (const cell of view.cells) {
    const group = mainGroup(cell, cell.get('streamFlushes') > 0 ? 'flush' : 'write');
    if (group !== undefined)
      savings.add(group, cell.get('flushedWrites') - Math.ceil(cell.get('flushedWrittenBytes') / buffer));
  }
  return savings.result(total(view.cells, 'flushedWrites'), 'flush', 'flushes');
};

const TOGETHER = {
  read: ['consecutiveReads', 'independentReads', 'collectiveReads', 'smallReads', 'smallReadBytes'],
  write: ['consecutiveWrites', 'independentWrites', 'collectiveWrites', 'smallWrites', 'smallWrittenBytes'],
} as const satisfies Readonly<Record<'read' | 'write', readonly Metric[]>>;

/** Small requests to a file of several processes: each for itself makes them fewer where they lie side by side. */
export function sharedRequests(kind: 'read' | 'write'): GainModel {
  const [consecutive, independent, collective] = TOGETHER[kind];
  return (view) => {
    const { cells } = view;
    const goesThroughMpi = total(cells, independent) + total(cells, collective) > 0;
    const isApart = total(cells, consecutive) < total(cells, kind === 'read' ? 'reads' : 'writes') / 2;
    return goesThroughMpi || isApart ? collectiveRequests(kind)(view) : smallRequests(kind)(view);
  };
}

/** Small requests of several processes become collective ones: what the exchange between them takes is not known. */
export function collectiveRequests(kind: 'read' | 'write'): GainModel {
  const [, , , calls, bytes] = TOGETHER[kind];
  return ({ cells, costs, laneShare }) => {
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, kind);
      if (group !== undefined) savings.add(group, cell.get(calls) - Math.ceil(cell.get(bytes) / ONE_PIECE));
    }
    return savings.atMost(
      'the processes hand each other the bytes and wait for each other instead: what that takes depends on the network and on how evenly they come',
      laneShare,
    );
  };
}

const ONE_PIECE = 1 << 20;

/** A stream with a larger buffer makes fewer calls; but a large buffer leaves the processor's cache. */
export const streamBlocks: GainModel = ({ cells, costs, laneShare }) => {
  const savings = new Savings(costs);
  for (const cell of cells) {
    const calls = cell.get('stdioTransfers');
    const group = mainTransfers(cell);
    if (group !== undefined) savings.add(group, calls - Math.ceil(cell.get('stdioBytes') / ONE_PIECE));
  }
  return savings.atMost(
    'a larger buffer means fewer calls, but slower copies where it no longer fits into the cache',
    laneShare,
  );
};

/** What the kernel keeps in a pipe by default. */
const PIPE_BYTES = 65_536;

/** As much is moved with each call as a pipe holds; of processes that do so side by side the busiest counts. */
export const pipedBytes: GainModel = ({ insight, costs }) => {
  const expected = costs.expectedAt(NONE);
  const cost = expected.of('read');
  const { timeNs = 0 } = insight.evidence;
  if (cost === undefined) return NOT_KNOWN;
  const { sites, files } = insight;
  // Without stacks the busiest pipe has to do.
  const places = sites.length > 0 ? sites : files.map((file) => ({ ...file, streams: 1 }));
  const fewer = Math.max(
    0,
    ...places.map(({ events, bytes, streams }) => (events - Math.ceil(bytes / PIPE_BYTES)) / Math.max(1, streams)),
  );
  const ns = scaled(cost.fixed, fewer);
  const how = `${counted(Math.round(fewer), 'call')} fewer, at about ${formatDuration(cost.fixed.value)} each; what they wait for is not counted`;
  return { ns, recordedNs: timeNs, how, basis: expected.measured ? 'measured' : 'usual' };
};
