import type { Metric } from '../../metrics/metric-table.ts';
import { estimate, scaled, sumOf, type Estimate } from '../estimate.ts';
import type { CallGroup } from '../observed-calls.ts';
import type { UntracedCost } from '../untraced-costs.ts';
import { mainGroup, NOT_KNOWN, Savings, total, type GainModel } from './model.ts';

/** What was read or written before is kept in memory: calls and bytes go. */
export function repeatedTransfers(kind: 'read' | 'write'): GainModel {
  const [calls, bytes, time]: [Metric, Metric, Metric] =
    kind === 'read'
      ? ['redundantReads', 'redundantReadBytes', 'redundantReadTime']
      : ['redundantWrites', 'redundantWrittenBytes', 'redundantWriteTime'];
  return ({ cells, costs }) => {
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, kind);
      if (group === undefined) continue;
      const expected = costs.expectedAt(cell.file);
      const again = kind === 'read' ? expected.perByteReadAgain : expected.perByteRewritten;
      const perByte = ({ basis, perByte: own }: UntracedCost): Estimate => (basis === 'recording' ? own : again);
      savings.addOffending(cell.get(time), group, cell.get(calls), cell.get(bytes), perByte);
    }
    return savings.result(total(cells, calls), kind);
  };
}

/** Nanoseconds a byte for pages that a program has not touched before: a fault and a page of zeros for each 4 KiB. */
const FRESH_MEMORY = estimate(0.09, 0.05);
const ONE_PIECE = 1 << 20;

/**
 * The touched part of the file is read once, in large pieces, and looked at in memory.
 * @param instead what saves time where that takes longer.
 */
export function readAtOnce(instead: string): GainModel {
  return ({ cells, costs, groupsOn, readExtents }) => {
    const savings = new Savings(costs);
    const files = new Map<number, CallGroup>();
    const reads = new Map<number, number>();
    for (const cell of cells) {
      const group = mainGroup(cell, 'read');
      if (group === undefined) continue;
      savings.add(group, cell.get('reads'), cell.get('readBytes'), ({ perByte }) => perByte);
      reads.set(cell.file, (reads.get(cell.file) ?? 0) + cell.get('reads'));
      files.set(cell.file, group);
    }
    for (const [file, group] of files) {
      // The seek may stand on another line.
      const seeks = groupsOn(file).filter(({ of }) => of.kind === 'seek');
      const all = seeks.reduce((sum, { events }) => sum + events, 0);
      const part = Math.min(1, reads.get(file)! / all);
      for (const seek of seeks) savings.addAlong(seek, seek.events * part, ' with their seeks');
      const extent = readExtents.get(file);
      const cost = costs.of(group.of);
      if (extent === undefined || cost === undefined) return NOT_KNOWN;
      const bytes = extent.end - extent.start;
      savings.subtract(scaled(cost.fixed, Math.ceil(bytes / ONE_PIECE)));
      savings.subtract(scaled(sumOf([cost.perByte, FRESH_MEMORY]), bytes));
    }
    if (savings.calls > 0 && savings.total.value <= 0) {
      return `the reads touch little of a large part of the file: reading all of it at once would take longer, and what ${instead} saves depends on the storage`;
    }
    return savings.result(total(cells, 'reads'), 'read');
  };
}

/** Share of a file's written part that its bytes fill, from which on its gaps are filled in the end. */
const FILLED = 0.9;

/** What is written with gaps that other writes fill is put together in memory, and written in large pieces. */
export const stridedWrites: GainModel = ({ cells, costs, writeExtents, laneShare }) => {
  const savings = new Savings(costs);
  let isFilled = true;
  for (const cell of cells) {
    const group = mainGroup(cell, 'write');
    const extent = writeExtents.get(cell.file);
    if (group === undefined || extent === undefined) continue;
    isFilled &&= extent.bytes >= FILLED * (extent.end - extent.start);
    savings.add(group, cell.get('stridedWrites') - Math.ceil(cell.get('stridedWrittenBytes') / ONE_PIECE));
  }
  if (isFilled) return savings.result(total(cells, 'stridedWrites'), 'write');
  return savings.atMost(
    'the program does not write what lies in the gaps: writing it too takes longer the wider they are, and a layout without gaps changes the file',
    laneShare,
  );
};
