import type { Trace } from '../../trace/trace.ts';
import type { FileUse, Metrics, ProcessUse } from '../metrics/access-metrics.ts';
import type { Thresholds } from './thresholds.ts';
import type { FileSituation, LoneProcess } from './trigger.ts';

/** A process read "the whole file" when it read this share of what anybody read of it. */
const WHOLE = 0.9;

const NOBODY: FileSituation = {
  use: undefined,
  sharedByWriters: false,
  shared: false,
  wholeReaders: 0,
  dataImbalance: 0,
  timeDifference: 0,
  timeImbalance: 0,
  isSmallOutput: false,
};

/** Answers questions on files and processes that a cell's own numbers cannot. */
export class Situations {
  private readonly ofFile = new Map<number, FileSituation>();

  constructor(
    private readonly trace: Trace,
    private readonly metrics: Metrics,
    private readonly thresholds: Thresholds,
  ) {}

  file(file: number): FileSituation {
    let situation = this.ofFile.get(file);
    if (situation === undefined) {
      const use = this.metrics.fileUse.get(file);
      situation = use === undefined ? NOBODY : this.describe(use);
      this.ofFile.set(file, situation);
    }
    return situation;
  }

  private describe(use: FileUse): FileSituation {
    const users = new Set([...use.readers, ...use.writers]);
    const written = sum(use, 'writtenBytes');
    return {
      use,
      sharedByWriters: use.writers.size > 1,
      shared: users.size > 1,
      wholeReaders: this.wholeReaders(use),
      ...this.imbalanceOf(use, users),
      isSmallOutput:
        use.writers.size > 0 && use.readers.size === 0 && written > 0 && written <= this.thresholds.small_file_bytes,
    };
  }

  private wholeReaders(use: FileUse): number {
    if (use.readers.size < 2 || !this.runSideBySide([...use.readers])) return 0;
    const readers = [...use.readers].map((process) => use.byProcess.get(process)!);
    const length = readers.reduce((furthest, { furthestRead }) => Math.max(furthest, furthestRead), 0);
    return readers.filter(({ readBytes, rereadBytes }) => readBytes - rereadBytes >= WHOLE * length).length;
  }

  /** Drishti's P18 and P19: bytes and times of the slowest and the fastest process, by the time they spend on the file. */
  private imbalanceOf(
    use: FileUse,
    users: ReadonlySet<number>,
  ): Pick<FileSituation, 'dataImbalance' | 'timeDifference' | 'timeImbalance'> {
    if (users.size < 2 || !this.runSideBySide([...users])) return NOBODY;
    const uses = [...users].map((process) => use.byProcess.get(process)!).sort((a, b) => a.time - b.time);
    const fastest = uses[0]!;
    const slowest = uses.at(-1)!;
    const time = sum(use, 'time');
    const bytes = sum(use, 'readBytes') + sum(use, 'writtenBytes');
    const timeDifference = slowest.time - fastest.time;
    // Nobody waits long for what is a small part of the run, nor for a few bytes: at that scale chance decides.
    const isLong = timeDifference >= this.thresholds.site_share * this.trace.durationNs;
    const isMuch = bytes > this.thresholds.small_bytes;
    return {
      dataImbalance: isMuch ? share(Math.abs(bytesOf(slowest) - bytesOf(fastest)), bytes) : 0,
      timeDifference,
      timeImbalance: isLong ? share(timeDifference, time) : 0,
    };
  }

  /**
   * How unevenly the processes use files that are theirs alone: (most − least) / most bytes, over the processes that make
   * these calls side by side. 0 where there is nothing to compare.
   */
  individualImbalance(cells: readonly number[], direction: 'read' | 'write'): number {
    const moved = new Map<number, number>();
    for (const cell of cells) {
      const { use } = this.file(this.metrics.fileOfCell[cell]!);
      const bytes = this.metrics.cells.get(cell, direction === 'read' ? 'readBytes' : 'writtenBytes');
      if (use === undefined || bytes === 0) continue;
      const users = new Set([...use.readers, ...use.writers]);
      if (users.size !== 1) continue;
      const [process] = users;
      moved.set(process!, (moved.get(process!) ?? 0) + bytes);
    }
    if (moved.size < 2 || !this.runSideBySide([...moved.keys()])) return 0;
    const most = Math.max(...moved.values());
    // Below this a difference is no load.
    if (most < this.thresholds.small_bytes) return 0;
    return (most - Math.min(...moved.values())) / most;
  }

  /** The processes of a parallel program: those that call MPI or are named as ranks, and run side by side. */
  ranks(): number[] {
    const ranks = [...this.metrics.processes].filter(([, life]) => life.isRank).map(([process]) => process);
    return this.runSideBySide(ranks) ? ranks : [];
  }

  /** One rank of several that moves nearly all bytes, where its I/O is long enough for others to wait. */
  loneProcess(): LoneProcess | undefined {
    const ranks = this.ranks();
    if (ranks.length < 2) return undefined;
    const moved = new Map<number, number>(ranks.map((process) => [process, 0]));
    const times = new Map<number, number>(ranks.map((process) => [process, 0]));
    this.metrics.streams.forEach((of, stream) => {
      const process = this.metrics.processOfStream[stream]!;
      const before = moved.get(process);
      if (before === undefined) return;
      moved.set(process, before + of.readBytes + of.writtenBytes);
      times.set(process, times.get(process)! + of.time);
    });
    const all = [...moved.values()].reduce((a, b) => a + b, 0);
    const [process, bytes] = [...moved].reduce((a, b) => (b[1] > a[1] ? b : a));
    const isLong = times.get(process)! >= this.thresholds.site_share * this.trace.durationNs;
    if (all < this.thresholds.small_bytes || bytes <= this.thresholds.lone_process_share * all || !isLong)
      return undefined;
    return { pid: this.trace.streams[process]!.pid, processes: ranks.length, shareOfBytes: bytes / all };
  }

  /** There is a moment at which all of them are alive: one after the other is no imbalance. */
  private runSideBySide(processes: readonly number[]): boolean {
    const lives = processes.map((process) => this.metrics.processes.get(process)).filter((life) => life !== undefined);
    if (lives.length < 2 || lives.length < processes.length) return false;
    return Math.max(...lives.map(({ first }) => first)) < Math.min(...lives.map(({ last }) => last));
  }
}

function sum(use: FileUse, what: keyof ProcessUse): number {
  let total = 0;
  for (const own of use.byProcess.values()) total += own[what];
  return total;
}

function bytesOf(use: Readonly<ProcessUse>): number {
  return use.readBytes + use.writtenBytes;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
