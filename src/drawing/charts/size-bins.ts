import { SIZE_BIN_ENDS } from '../../analysis/metrics/sizes.ts';
import { formatBytes } from '../../base/quantities.ts';

/** `≤ 100 B`, `≤ 1 KiB`, …, `> 1 GiB`: the ten bins, smallest first. */
export const SIZE_BIN_NAMES: readonly string[] = SIZE_BIN_ENDS.map((end, bin) =>
  end === Infinity ? `> ${formatBytes(SIZE_BIN_ENDS[bin - 1]!)}` : `≤ ${formatBytes(end)}`,
);
