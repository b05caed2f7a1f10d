import type { Metric } from '../../metrics/metric-table.ts';
import { bufferSize } from '../../triggers/snippets.ts';
import { mainGroup, Savings, total, type GainModel } from './model.ts';

/** Small requests become requests of the buffer's size; the bytes are moved all the same. */
export function smallRequests(kind: 'read' | 'write'): GainModel {
  const reads = kind === 'read';
  const [tiny, tinyBytes]: [Metric, Metric] = reads
    ? ['tinyReads', 'tinyReadBytes']
    : ['tinyWrites', 'tinyWrittenBytes'];
  const [small, smallBytes]: [Metric, Metric] = reads
    ? ['smallReads', 'smallReadBytes']
    : ['smallWrites', 'smallWrittenBytes'];
  return ({ insight, cells, costs }) => {
    // Under Drishti's condition a finding speaks of all requests up to 1 MiB.
    const onlyTiny = total(cells, tiny) >= (insight.evidence['count'] ?? 0);
    const [calls, bytes] = onlyTiny ? [tiny, tinyBytes] : [small, smallBytes];
    const buffer = bufferSize(insight.evidence['medianBytes'] ?? NaN);
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, kind);
      if (group !== undefined) savings.add(group, cell.get(calls) - Math.ceil(cell.get(bytes) / buffer));
    }
    return savings.result(total(cells, calls), kind);
  };
}

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
