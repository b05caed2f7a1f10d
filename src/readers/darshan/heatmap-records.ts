import type { Heatmap } from '../../trace/counters.ts';
import { baseProblem } from './counter-records.ts';
import type { RegionReader } from './region-reader.ts';

const HEAD_BYTES = 48;
/** Darshan keeps 200 bins or fewer unless it is told otherwise. */
const MOST_BINS = 1 << 16;
/** Five interfaces of 200,000 processes. */
const MOST_HEATMAPS = 1_000_000;
const MOST_BINS_KEPT = 1 << 25;

/**
 * Reads the heatmaps: one for each process and interface, bins of writes before bins of reads.
 * @returns what is wrong; '' when the region was read to its end.
 */
export async function readHeatmaps(
  reader: RegionReader,
  add: (recordId: bigint, heatmap: Omit<Heatmap, 'api'>) => void,
): Promise<string> {
  /** Bins of the first record of each width. */
  const binsOfWidth = new Map<number, number>();
  let kept = 0;
  for (let heatmaps = 0; reader.left >= HEAD_BYTES || (await reader.fill(HEAD_BYTES)); heatmaps++) {
    if (heatmaps === MOST_HEATMAPS) return `more than ${MOST_HEATMAPS} heatmaps`;
    const problem = baseProblem(reader);
    if (problem !== '') return problem;
    const { at } = reader;
    const [recordId, rank, bins] = [reader.uint64(at), reader.int64(at + 8), reader.int64(at + 24)];
    const binWidth = reader.float64(at + 16);
    if (rank < 0) return `a heatmap of process ${rank}`;
    if (bins < 0 || bins > MOST_BINS) return `a heatmap of ${bins} bins`;
    if (!(binWidth >= 0 && binWidth < Infinity)) return `a heatmap whose bins are ${binWidth} seconds wide`;
    if ((kept += bins) > MOST_BINS_KEPT) return `more than ${MOST_BINS_KEPT} bins`;
    reader.at += HEAD_BYTES;
    const written = await readBins(reader, bins);
    const read = written === undefined ? undefined : await readBins(reader, bins);
    if (written === undefined || read === undefined) return 'a heatmap that ends in the middle';
    const usual = binsOfWidth.get(binWidth) ?? bins;
    binsOfWidth.set(binWidth, usual);
    // Darshan 3.4.0 to 3.4.3 may have written one bin more or less than in the first record.
    const length = Math.abs(usual - bins) === 1 ? usual : bins;
    add(recordId, { rank, binWidth, read: resized(read, length), written: resized(written, length) });
  }
  return reader.left === 0 ? '' : 'a heatmap that ends in the middle';
}

async function readBins(reader: RegionReader, count: number): Promise<number[] | undefined> {
  const bins: number[] = [];
  for (let bin = 0; bin < count; bin++) {
    if (reader.left < 8 && !(await reader.fill(8))) return undefined;
    bins.push(reader.int64(reader.at));
    reader.at += 8;
  }
  return bins;
}

function resized(bins: readonly number[], length: number): Float64Array {
  const array = new Float64Array(length);
  array.set(bins.slice(0, length));
  return array;
}
