import { launchedRanks } from './launched-ranks.ts';
import type { Trace } from '../../trace/trace.ts';

/** What is known of a process as a whole. */
export interface ProcessLife {
  /** Start of its first and end of its last call, nanoseconds from the trace's origin. */
  first: number;
  last: number;
  /** A rank of a parallel program: it calls MPI, or the recording, its launcher or the name of its file says so. */
  isRank: boolean;
  callsMpi: boolean;
}

/** For each stream the first stream of its process, so that threads of one process count as one. */
export function processesOfStreams(trace: Trace): Int32Array {
  const leaders = new Map<string, number>();
  return Int32Array.from(trace.streams, ({ host, processId, part }, stream) => {
    // Pids are unique within one run of the recorder only.
    const key = `${host} ${processId} ${trace.parts[part]!.run}`;
    const leader = leaders.get(key) ?? stream;
    leaders.set(key, leader);
    return leader;
  });
}

/** Collects the lives of all processes, over all of their calls. */
export class ProcessLives {
  private readonly first: Float64Array;
  private readonly last: Float64Array;
  private readonly callsMpi: Uint8Array;

  constructor(private readonly trace: Trace) {
    this.first = new Float64Array(trace.streams.length).fill(NaN);
    this.last = new Float64Array(trace.streams.length);
    this.callsMpi = new Uint8Array(trace.streams.length);
  }

  /** Every event goes through here: arrays, no objects. */
  see(process: number, start: number, time: number, callsMpi: boolean): void {
    if (Number.isNaN(this.first[process]!)) {
      this.first[process] = start;
      this.last[process] = start;
    }
    if (start + time > this.last[process]!) this.last[process] = start + time;
    if (callsMpi) this.callsMpi[process] = 1;
  }

  /** Of the processes that made a call at a known time. */
  byProcess(processOfStream: Int32Array): Map<number, ProcessLife> {
    const launched = launchedRanks(this.trace, processOfStream);
    const lives = new Map<number, ProcessLife>();
    this.first.forEach((first, process) => {
      if (Number.isNaN(first)) return;
      const { commandId, launchId } = this.trace.parts[this.trace.streams[process]!.part]!;
      const callsMpi = this.callsMpi[process] === 1;
      const named = commandId !== '' && launchId !== '';
      const isRank = callsMpi || named || launched.has(process) || this.trace.streams[process]!.rank !== undefined;
      lives.set(process, { first, last: this.last[process]!, isRank, callsMpi });
    });
    return lives;
  }
}
