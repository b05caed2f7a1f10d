import type { RunCost } from '../../analysis/gain/cost.ts';
import { formatCount, formatDuration } from '../../base/quantities.ts';

/** `Of the 16 processes the slowest spends 2 s in I/O, all of them 1.2 s on average, the quickest 500 ms.` */
export function ioSpreadText({ ioNs, ioOfProcesses }: RunCost): string | undefined {
  if (ioOfProcesses === undefined || ioNs === 0) return undefined;
  const { processes, meanNs, leastNs } = ioOfProcesses;
  const least = leastNs === null ? '' : `, the quickest ${formatDuration(leastNs)}`;
  return `Of the ${formatCount(processes)} processes the slowest spends ${formatDuration(ioNs)} in I/O, all of them ${formatDuration(meanNs)} on average${least}.`;
}
