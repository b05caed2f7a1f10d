import { counted, formatDuration, formatShare } from '../../../base/quantities.ts';
import type { CounterLog } from '../../../trace/counters.ts';
import type { Trace } from '../../../trace/trace.ts';
import { leftOutFiles, leftOutRecords } from '../../counters/left-out-records.ts';

const CALLS = ['POSIX_OPENS', 'POSIX_READS', 'POSIX_WRITES', 'POSIX_STATS'];
const TIMES = ['POSIX_F_READ_TIME', 'POSIX_F_WRITE_TIME', 'POSIX_F_META_TIME'];

/** From this share of the run on, of each process on average, it is no trifle how the program starts. */
const DEAR_START = 0.1;

/** How much of the requests is on files that do not count; undefined where there is none. */
export function leftOutNote(trace: Trace, { modules, job }: CounterLog, ignored: Uint8Array): string | undefined {
  const posix = modules.find(({ module }) => module === 'POSIX');
  const leftOut = posix && leftOutRecords(posix, leftOutFiles(trace, ignored));
  if (posix === undefined || leftOut === undefined) return undefined;
  const files = new Set<number>();
  let [calls, seconds] = [0, 0];
  // What was not measured is -1.
  const sum = (record: number, counters: readonly string[]): number =>
    counters.reduce((all, counter) => all + Math.max(0, posix.get(record, counter) || 0), 0);
  for (let record = 0; record < posix.length; record++) {
    if (leftOut[record] !== 1) continue;
    files.add(posix.file(record));
    calls += sum(record, CALLS);
    seconds += sum(record, TIMES);
  }
  return `${counted(files.size, 'file')} of the system, of run-times or of imports left out of the findings on counters (iolens.ignoredFiles): ${counted(calls, 'call')}, ${formatDuration(seconds * 1e9)} of all processes together.${startText(seconds / job.processes / job.runTime)}`;
}

/** Many ranks that import from one file system wait for it, and no finding says so. */
function startText(share: number): string {
  if (!(share >= DEAR_START)) return '';
  return ` For each process that is ${formatShare(Math.min(1, share))} of the run on average: the program takes so long to be loaded. Imports and libraries are quicker from a disk of each node, or from the image of a container, than from a file system that all ranks ask at once.`;
}
