import { getOrCreate } from '../../base/grouping.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Metrics } from '../metrics/access-metrics.ts';
import { processNoun } from '../metrics/process-noun.ts';
import { sumOf } from './groups.ts';
import type { InsightFile } from './insight.ts';
import type { Situations } from './situations.ts';
import { backgroundTransfers, isMpiProgram, showsMpi } from './shown-mpi.ts';
import type { FileSituation, MetricView, RunView } from './trigger.ts';

/** The recording as a whole, for conditions on totals. */
export function runView(trace: Trace, metrics: Metrics, situations: Situations): RunView {
  const total = sumOf(metrics, () => true);
  const shared = sumOf(metrics, (cell) => situations.file(metrics.fileOfCell[cell]!).shared);
  const viaMpi = ['independentReads', 'independentWrites', 'collectiveReads', 'collectiveWrites'] as const;
  return {
    get: (metric) => total.get(metric),
    longestMetadataTime: longestMetadataTime(metrics),
    sharedFiles: shared,
    sharedFileAmounts: sharedFileAmounts(metrics, situations),
    ranks: situations.ranks().length,
    noun: processNoun(trace),
    usesMpiIo: viaMpi.some((metric) => total.get(metric) > 0),
    isMpi: isMpiProgram(trace, metrics),
    callsMpi: stacksShowMpi(trace, metrics) || (showsMpi(trace) && movesMuch(shared, metrics)),
    background: backgroundTransfers(trace),
    loneProcess: situations.loneProcess(),
    durationNs: trace.durationNs,
  };
}

function stacksShowMpi({ capabilities }: Trace, { processes }: Metrics): boolean {
  return capabilities.stacks && [...processes.values()].some(({ callsMpi }) => callsMpi);
}

/** Whether what processes share is worth another interface: records behind locks are not. */
function movesMuch(shared: MetricView, { limits, processes }: Metrics): boolean {
  return shared.get('readBytes') + shared.get('writtenBytes') > limits.smallBytes * processes.size;
}

/** Of all processes; the threads of one count together. */
function longestMetadataTime(metrics: Metrics): number {
  const times = new Map<number, number>();
  let longest = 0;
  metrics.streams.forEach(({ metadataTime }, stream) => {
    const process = metrics.processOfStream[stream]!;
    const time = (times.get(process) ?? 0) + metadataTime;
    times.set(process, time);
    if (time > longest) longest = time;
  });
  return longest;
}

/**
 * Parts of one file that processes could move together: what all read as a whole is one's to read and hand on, and what one
 * writes and another reads later is moved by one at a time.
 */
function isSharedWork({ sharedByWriters, wholeReaders, use }: FileSituation): boolean {
  const readers = use?.readers.size ?? 0;
  return sharedByWriters || (readers > 1 && wholeReaders < readers);
}

function sharedFileAmounts(metrics: Metrics, situations: Situations): InsightFile[] {
  const byFile = new Map<number, InsightFile>();
  for (let cell = 0; cell < metrics.cells.length; cell++) {
    const file = metrics.fileOfCell[cell]!;
    if (!isSharedWork(situations.file(file))) continue;
    const amount = getOrCreate(byFile, file, () => ({ file, events: 0, bytes: 0, timeNs: 0 }));
    amount.events += metrics.cells.get(cell, 'events');
    amount.bytes += metrics.cells.get(cell, 'readBytes') + metrics.cells.get(cell, 'writtenBytes');
    amount.timeNs += metrics.cells.get(cell, 'time');
  }
  return [...byFile.values()].sort((a, b) => b.timeNs - a.timeNs || b.events - a.events);
}
