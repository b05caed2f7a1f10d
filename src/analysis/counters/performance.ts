/** What a module cost the job, as `darshan-parser --perf` estimates it (darshan-util, `darshan-logutils-accumulator.c`). */
import type { CounterTable } from '../../trace/counters.ts';
import { FILE_MODULES } from './categories.ts';
import { counterPrefix } from './module-counters.ts';
import { RankSums } from './rank-sums.ts';
import { totalOf } from './sums.ts';
import { valueOrZero } from './lacking.ts';

export interface Performance {
  readonly totalBytes: number;
  /** The process that spent most time with files of its own. */
  readonly slowestRank: number;
  readonly slowestRankSeconds: number;
  readonly slowestRankMetadataSeconds: number;
  /** Reads and writes. */
  readonly slowestRankTransferSeconds: number;
  /** Of the slowest process in each shared file, summed over these files. */
  readonly sharedFilesSeconds: number;
  /** The two together: an estimate of what the module cost the job. */
  readonly seconds: number;
  /** Estimated bandwidth in MiB/s (agg_perf_by_slowest); 0 when no time was measured. */
  readonly mebibytesPerSecond: number;
}

/**
 * @param leftOut 1 for records that do not count; darshan-parser counts all.
 * @returns undefined for modules that darshan-parser derives nothing of.
 */
export function performance(table: CounterTable, leftOut?: Uint8Array): Performance | undefined {
  if (!FILE_MODULES.includes(table.module)) return undefined;
  const prefix = counterPrefix(table.module);
  const own = new RankSums(['metadata', 'transfer'] as const);
  const column = (name: string): number | undefined => table.find(`${prefix}_F_${name}`);
  const [metadata, read, write] = [column('META_TIME'), column('READ_TIME'), column('WRITE_TIME')];
  const slowestInShared = column('SLOWEST_RANK_TIME');
  let sharedFilesSeconds = 0;
  for (let record = 0; record < table.length; record++) {
    if (leftOut?.[record] === 1) continue;
    const rank = table.rank(record);
    // Text forms of a log may lack counters: these took no time.
    const value = (index: number | undefined): number =>
      valueOrZero(index === undefined ? 0 : table.value(record, index));
    if (rank < 0) sharedFilesSeconds += value(slowestInShared);
    else {
      own.add(rank, 'metadata', value(metadata));
      own.add(rank, 'transfer', value(read) + value(write));
    }
  }
  const [bytesRead, bytesWritten] = [`${prefix}_BYTES_READ`, `${prefix}_BYTES_WRITTEN`];
  const totalBytes = totalOf(table, bytesRead, leftOut) + totalOf(table, bytesWritten, leftOut);
  const slowest = slowestOf(own);
  const seconds = slowest.slowestRankSeconds + sharedFilesSeconds;
  const mebibytesPerSecond = seconds === 0 ? 0 : totalBytes / 1_048_576 / seconds;
  return { totalBytes, ...slowest, sharedFilesSeconds, seconds, mebibytesPerSecond };
}

/** The lowest of the ranks with most time; rank 0 when none took any. */
function slowestOf(
  own: RankSums<'metadata' | 'transfer'>,
): Pick<
  Performance,
  'slowestRank' | 'slowestRankSeconds' | 'slowestRankMetadataSeconds' | 'slowestRankTransferSeconds'
> {
  let slowestRank = 0;
  let slowestRankSeconds = 0;
  for (const rank of own.ranks()) {
    const seconds = own.get(rank, 'metadata') + own.get(rank, 'transfer');
    if (seconds > slowestRankSeconds) [slowestRank, slowestRankSeconds] = [rank, seconds];
  }
  const part = (name: 'metadata' | 'transfer'): number => (slowestRankSeconds === 0 ? 0 : own.get(slowestRank, name));
  return {
    slowestRank,
    slowestRankSeconds,
    slowestRankMetadataSeconds: part('metadata'),
    slowestRankTransferSeconds: part('transfer'),
  };
}
