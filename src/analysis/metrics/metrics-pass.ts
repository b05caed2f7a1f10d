import type { SiteIndex } from '../sites/call-sites.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, HandleIndex } from '../../trace/indices.ts';
import type { FileContents } from './file-contents.ts';
import type { CommitOrder } from './commit-order.ts';
import type { FileUses } from './file-use.ts';
import type { HandleState } from './handle-state.ts';
import type { SizeLimits, StreamMetrics } from './access-metrics.ts';
import type { MetricTable } from './metric-table.ts';
import type { RedundancyLog } from './redundancy/redundancy-log.ts';
import { TripleSet } from './triple-set.ts';

/** What the counters of one pass over the events share. */
export interface PassState {
  readonly trace: Trace;
  readonly limits: SizeLimits;
  readonly cells: MetricTable;
  readonly siteOfCell: SiteIndex[];
  readonly fileOfCell: FileIndex[];
  readonly streams: readonly StreamMetrics[];
  readonly processOfStream: Int32Array;
  readonly handles: HandleState;
  readonly files: FileUses;
  readonly redundancy: RedundancyLog;
  readonly commits: CommitOrder;
  readonly contents: FileContents;
  readonly writtenFiles: FirstTimes;
  readonly synchronisedFiles: FirstTimes;
  /** The same by process. */
  readonly synchronisedByProcess: FirstTimes;
}

/** Tells what is the first of its kind for a file, however often the file is opened. */
export class FirstTimes {
  private readonly seen = new TripleSet();

  constructor(private readonly trace: Trace) {}

  /** @param process who does it, where each has a first time of its own. */
  isFirst(file: FileIndex, handle: HandleIndex, process = NONE): boolean {
    return this.seen.add(file, incarnationOf(this.trace, handle), process);
  }
}

/** How often the path of a handle had led to another file before. */
export function incarnationOf(trace: Trace, handle: HandleIndex): number {
  return handle === NONE ? 0 : trace.handles.incarnation.at(handle);
}
