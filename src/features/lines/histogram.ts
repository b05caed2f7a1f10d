import { formatCount } from '../../base/quantities.ts';
import { SIZE_BIN_NAMES } from '../../export/analysis/size-bins.ts';

/** Width of the longest bar, in characters. */
const WIDTH = 16;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/**
 * Access sizes as lines of text: Darshan's bins from the smallest to the largest that occur, a bar, and the number of
 * calls, so that nothing depends on seeing the bar. For a fixed-width font.
 *
 * @param counts calls in each bin.
 * @returns no line when there was no call.
 */
export function histogram(counts: readonly number[]): string[] {
  const used = [...counts.keys()].filter((bin) => counts[bin]! > 0);
  if (used.length === 0) return [];
  const bins = [...counts.keys()].slice(used[0], used.at(-1)! + 1);
  const most = Math.max(...counts);
  const name = Math.max(...bins.map((bin) => SIZE_BIN_NAMES[bin]!.length));
  const number = formatCount(most).length;
  return bins.map((bin) => {
    const count = counts[bin]!;
    return `${SIZE_BIN_NAMES[bin]!.padStart(name)}  ${bar(count / most).padEnd(WIDTH)}  ${formatCount(count).padStart(number)}`;
  });
}

/** A bar of eighths of a character; what occurs at all is to be seen. */
function bar(share: number): string {
  if (share === 0) return '';
  const eighths = Math.max(1, Math.round(share * WIDTH * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!;
}
