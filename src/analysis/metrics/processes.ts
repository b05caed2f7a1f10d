import type { Trace } from '../../trace/trace.ts';

/** What is known of a process as a whole. */
export interface ProcessLife {
  /** Start of its first and end of its last call, nanoseconds from the trace's origin. */
  first: number;
  last: number;
  /** A rank of a parallel program: it calls MPI, or its recording file is named as the rank of a launch. */
  isRank: boolean;
  callsMpi: boolean;
}

/** For each stream the first stream of its process, so that threads of one process count as one. */
export function processesOfStreams(trace: Trace): Int32Array {
  const leaders = new Map<string, number>();
  return Int32Array.from(trace.streams, ({ host, processId, part }, stream) => {
    // Pids are unique within one recording file's tracer only.
    const key = `${part} ${host} ${processId}`;
    const leader = leaders.get(key) ?? stream;
    leaders.set(key, leader);
    return leader;
  });
}

/** Collects the lives of all processes, over all of their calls. */
export class ProcessLives {
  readonly byProcess = new Map<number, ProcessLife>();

  constructor(private readonly trace: Trace) {}

  see(process: number, start: number, time: number, callsMpi: boolean): void {
    let life = this.byProcess.get(process);
    if (life === undefined) {
      const { commandId, launchId } = this.trace.parts[this.trace.streams[process]!.part]!;
      life = { first: start, last: start + time, isRank: commandId !== '' && launchId !== '', callsMpi };
      this.byProcess.set(process, life);
    }
    if (start + time > life.last) life.last = start + time;
    if (!callsMpi) return;
    life.callsMpi = true;
    life.isRank = true;
  }
}
