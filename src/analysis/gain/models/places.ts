import type { Metric } from '../../metrics/metric-table.ts';
import { estimate, scaled, sumOf } from '../estimate.ts';
import type { CallGroup } from '../observed-calls.ts';
import { mainGroup, NOT_KNOWN, Savings, total, type GainModel } from './model.ts';

/** What was read or written before is kept in memory: calls and bytes go. */
export function repeatedTransfers(kind: 'read' | 'write'): GainModel {
  const [calls, bytes]: [Metric, Metric] =
    kind === 'read' ? ['redundantReads', 'redundantReadBytes'] : ['redundantWrites', 'redundantWrittenBytes'];
  return ({ cells, costs }) => {
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, kind);
      if (group === undefined) continue;
      const expected = costs.expectedAt(cell.file);
      const again = kind === 'read' ? expected.perByteReadAgain : expected.perByteRewritten;
      savings.add(group, cell.get(calls), cell.get(bytes), (cost) =>
        cost.basis === 'recording' ? cost.perByte : again,
      );
    }
    return savings.result(total(cells, calls), kind);
  };
}

/** Nanoseconds a byte for pages that a program has not touched before: a fault and a page of zeros for each 4 KiB. */
const FRESH_MEMORY = estimate(0.09, 0.05);
const ONE_READ = 1 << 20;

/** The touched part of the file is read once, in large pieces, and looked at in memory. */
export const randomReads: GainModel = ({ cells, costs, readExtents }) => {
  const savings = new Savings(costs);
  const files = new Map<number, CallGroup>();
  for (const cell of cells) {
    const group = mainGroup(cell, 'read');
    if (group === undefined) continue;
    savings.add(group, cell.get('reads'), cell.get('readBytes'), ({ perByte }) => perByte);
    files.set(cell.file, group);
  }
  for (const [file, group] of files) {
    const extent = readExtents.get(file);
    const cost = costs.of(group.of);
    if (extent === undefined || cost === undefined) return NOT_KNOWN;
    const bytes = extent.end - extent.start;
    savings.subtract(scaled(cost.fixed, Math.ceil(bytes / ONE_READ)));
    savings.subtract(scaled(sumOf([cost.perByte, FRESH_MEMORY]), bytes));
  }
  if (savings.calls > 0 && savings.total.value <= 0) {
    return 'the reads touch little of a large part of the file: to read all of it at once would take longer, and what sorting saves depends on the storage';
  }
  return savings.result(total(cells, 'reads'), 'read');
};
