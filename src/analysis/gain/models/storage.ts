import { difference, estimate } from '../estimate.ts';
import { mainGroup, mainTransfers, Savings, total, type GainModel } from './model.ts';

/** Records that each wait for the storage are collected: of each file's waits one remains. */
export const synchronousWrites: GainModel = ({ cells, costs }) => {
  const savings = new Savings(costs);
  const last = new Set<number>();
  for (const cell of cells) {
    const group = mainGroup(cell, 'write');
    if (group === undefined) continue;
    savings.add(group, cell.get('synchronousWrites') - (last.has(cell.file) ? 0 : 1));
    last.add(cell.file);
  }
  return savings.result(total(cells, 'synchronousWrites'), 'synchronous write');
};

const ONE_PIECE = 1 << 20;
/** Nanoseconds a byte that today's devices take for large pieces: 0.3 to 10 GB/s. */
const OF_DEVICE = estimate(1.5, 0.9);

/** Pieces past the page cache become large ones, whose bytes the device moves no faster than it can. */
export const directTransfers: GainModel = ({ cells, costs }) => {
  const savings = new Savings(costs);
  for (const cell of cells) {
    const group = mainTransfers(cell);
    const bytes = cell.get('directBytes');
    if (group === undefined) continue;
    savings.add(group, cell.get('directTransfers') - Math.ceil(bytes / ONE_PIECE), bytes, ({ perByte }) =>
      perByte.value >= OF_DEVICE.value ? estimate(0, perByte.deviation) : difference(perByte, OF_DEVICE),
    );
  }
  return savings.result(total(cells, 'directTransfers'), 'transfer');
};

/** What a splice moves at once: a pipe by default holds no more. */
const ONE_COPY = 65_536;

export const copies: GainModel = ({ cells, costs }) => {
  const savings = new Savings(costs);
  for (const cell of cells) {
    const group = mainGroup(cell, 'copy');
    if (group !== undefined)
      savings.add(group, cell.get('tinyCopies') - Math.ceil(cell.get('tinyCopiedBytes') / ONE_COPY));
  }
  return savings.result(total(cells, 'tinyCopies'), 'copy', 'copies');
};
