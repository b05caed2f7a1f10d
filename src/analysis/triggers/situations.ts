import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { FileUse, Metrics, ProcessUse } from '../metrics/access-metrics.ts';
import type { ProcessLife } from '../metrics/processes.ts';
import { hasRanks, processName } from '../metrics/process-noun.ts';
import type { Thresholds } from './thresholds.ts';
import type { FileSituation, LoneProcess } from './trigger.ts';
import { waitingMeanwhile } from './waiting-meanwhile.ts';

/** A process read "the whole file" when it read this share of what anybody read of it. */
const WHOLE = 0.9;

/** From this share of the time on others wait for somebody. */
const MOSTLY = 0.5;

const BALANCED = { dataImbalance: 0, timeDifference: 0, timeImbalance: 0, timeShare: 0 };

const NOBODY: FileSituation = {
  use: undefined,
  sharedByWriters: false,
  shared: false,
  readSideBySide: false,
  writtenSideBySide: false,
  isHandedOver: false,
  isLocked: false,
  wholeReaders: 0,
  ...BALANCED,
  isSmallOutput: false,
  turns: 0,
  isReadWhole: false,
  isOfDatabase: false,
};

interface Rank {
  readonly processes: number[];
  /** Nanoseconds from the trace's origin. */
  first: number;
  last: number;
}

/** Answers questions on files and processes that a cell's own numbers cannot. */
export class Situations {
  private readonly ofFile: (FileSituation | undefined)[] = [];

  constructor(
    private readonly trace: Trace,
    private readonly metrics: Metrics,
    private readonly thresholds: Thresholds,
  ) {}

  file(file: FileIndex): FileSituation {
    let situation = this.ofFile[file];
    if (situation === undefined) {
      const use = this.metrics.fileUse.get(file);
      situation = use === undefined ? NOBODY : this.describe(use, file);
      this.ofFile[file] = situation;
    }
    return situation;
  }

  private describe(use: FileUse, file: FileIndex): FileSituation {
    const users = new Set([...use.readers, ...use.writers]);
    const written = sum(use, 'writtenBytes');
    const isReadWhole = this.isReadWhole(use);
    return {
      use,
      sharedByWriters: use.writers.size > 1,
      shared: users.size > 1,
      readSideBySide: this.isSideBySide(use, 'readers', 'reading'),
      writtenSideBySide: this.isSideBySide(use, 'writers', 'writing'),
      isHandedOver: isLocked(use) || isHandedOver(use),
      isLocked: isLocked(use),
      wholeReaders: this.wholeReaders(use),
      ...this.imbalanceOf(use),
      isSmallOutput:
        use.writers.size > 0 && use.readers.size === 0 && written > 0 && written <= this.thresholds.small_file_bytes,
      turns: isReadWhole ? this.turnsOf(use) : 0,
      isReadWhole,
      isOfDatabase: this.isOfDatabase(file),
    };
  }

  /** SQLite keeps `x-journal` or `x-wal` beside `x` (https://www.sqlite.org/tempfiles.html, sections 2.1 and 2.2). */
  private isOfDatabase(file: FileIndex): boolean {
    const { files } = this.trace;
    const { host, path } = files.at(file);
    const isThere = (other: string): boolean => files.find(host, other) !== undefined;
    const database = path.replace(/-(journal|wal)$/, '');
    return database === path ? isThere(`${path}-journal`) || isThere(`${path}-wal`) : isThere(database);
  }

  /**
   * Of processes that live side by side the one with most: each of them may read all files once. Where not all of them read
   * the file they divide the files among them: then all of its turns count.
   */
  private turnsOf({ turns, sharedTurns }: FileUse): number {
    const sums = [...turns].map(([program, byProcess]) => {
      const { turns: together, processes } = sharedTurns.get(program)!;
      // Of ranks a group may read the same files once each.
      const divides = byProcess.size < processes.size && !this.areRanks(byProcess.keys());
      let [sum, ended] = [0, -Infinity];
      const lives = [...byProcess].map(([process, own]) => ({ own, ...this.lifeOf(process) }));
      for (const { own, first, last } of lives.sort((a, b) => a.last - b.last)) {
        if (first < ended) sum = Math.max(sum, own);
        else {
          sum += own;
          ended = last;
        }
      }
      return divides ? Math.max(sum, together) : sum;
    });
    return sums.reduce((most, each) => Math.max(most, each), 0);
  }

  private areRanks(processes: Iterable<number>): boolean {
    return [...processes].some((process) => this.isRank(process));
  }

  private isRank(process: number): boolean {
    return this.metrics.processes.get(process)?.isRank === true;
  }

  private lifeOf(process: number): { first: number; last: number } {
    const life = this.metrics.processes.get(process);
    return life === undefined || life.isRank ? { first: 0, last: Number.MAX_VALUE } : life;
  }

  private isReadWhole(use: FileUse): boolean {
    const length = [...use.byProcess.values()].reduce((furthest, own) => Math.max(furthest, own.furthestRead), 0);
    const isWhole = sum(use, 'readBytes') >= WHOLE * length * use.readings;
    return use.readings > 0 && isWhole && length <= this.thresholds.small_bytes;
  }

  private wholeReaders(use: FileUse): number {
    if (use.readers.size < 2 || !this.runSideBySide([...use.readers])) return 0;
    const readers = [...use.readers].map((process) => use.byProcess.get(process)!);
    const length = readers.reduce((furthest, { furthestRead }) => Math.max(furthest, furthestRead), 0);
    return readers.filter(({ readBytes, rereadBytes }) => readBytes - rereadBytes >= WHOLE * length).length;
  }

  /**
   * Drishti's P18 and P19: bytes and times of the slowest and the fastest process, by the time they spend on the file.
   * Those that write are compared, or else those that read: one that writes and one that reads are a pipeline, no team.
   */
  private imbalanceOf(use: FileUse): typeof BALANCED {
    const team = [...(use.writers.size > 1 ? use.writers : use.readers)];
    if (team.length < 2 || !this.runSideBySide(team)) return BALANCED;
    const uses = team.map((process) => use.byProcess.get(process)!).sort((a, b) => a.time - b.time);
    const fastest = uses[0]!;
    const slowest = uses.at(-1)!;
    const time = uses.reduce((total, own) => total + own.time, 0);
    const bytes = uses.reduce((total, own) => total + bytesOf(own), 0);
    // Nobody waits long for a few bytes, nor for what is a small part of the run: at that scale chance decides.
    if (bytes <= this.thresholds.small_bytes) return BALANCED;
    const timeDifference = slowest.time - fastest.time;
    const isLong = timeDifference >= this.thresholds.site_share * this.trace.durationNs;
    return {
      dataImbalance: share(Math.abs(bytesOf(slowest) - bytesOf(fastest)), bytes),
      timeDifference,
      timeImbalance: isLong ? share(timeDifference, time) : 0,
      timeShare: share(timeDifference, time),
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
    const [least, most] = bounds(moved.values());
    // Below this a difference is no load.
    if (most < this.thresholds.small_bytes) return 0;
    return (most - least) / most;
  }

  /**
   * The ranks of a parallel program, each with its processes: those that call MPI or are named as ranks, and run side by
   * side. A recording file that is named as a rank is one, whatever it forks.
   */
  ranks(): Rank[] {
    const ranks = new Map<string, Rank>();
    for (const [process, { isRank, first, last }] of [...this.metrics.processes, ...this.silentRanks()]) {
      if (!isRank) continue;
      const { part } = this.trace.streams[process]!;
      const key = this.trace.parts[part]!.launchId === '' ? `process ${process}` : `part ${part}`;
      const known = ranks.get(key);
      if (known === undefined) ranks.set(key, { processes: [process], first, last });
      else {
        known.processes.push(process);
        known.first = Math.min(known.first, first);
        known.last = Math.max(known.last, last);
      }
    }
    const all = [...ranks.values()];
    return (hasRanks(this.trace) ? all.length > 1 : overlap(all)) ? all : [];
  }

  /** Ranks that the recording names, and that made no call on any file: they are there all the same. */
  private silentRanks(): [process: number, life: Omit<ProcessLife, 'callsMpi'>][] {
    const { streams, durationNs } = this.trace;
    const { processes, processOfStream } = this.metrics;
    const leaders = new Set(processOfStream);
    return [...leaders]
      .filter((process) => !processes.has(process) && streams[process]!.rank !== undefined)
      .map((process) => [process, { isRank: true, first: 0, last: durationNs }]);
  }

  /** One rank of several that moves nearly all bytes, where its I/O is long enough for others to wait. */
  loneProcess(): LoneProcess | undefined {
    const rankOfProcess = new Map<number, Rank>();
    const moved = new Map<Rank, { bytes: number; time: number }>();
    for (const rank of this.ranks()) {
      moved.set(rank, { bytes: 0, time: 0 });
      for (const process of rank.processes) rankOfProcess.set(process, rank);
    }
    this.metrics.streams.forEach((of, stream) => {
      const sums = moved.get(rankOfProcess.get(this.metrics.processOfStream[stream]!)!);
      if (sums === undefined) return;
      sums.bytes += of.readBytes + of.writtenBytes;
      sums.time += of.time;
    });
    const all = [...moved.values()].reduce((total, { bytes }) => total + bytes, 0);
    const allTime = [...moved.values()].reduce((total, own) => total + own.time, 0);
    const { lone_process_share, site_share, small_bytes } = this.thresholds;
    if (all < small_bytes) return undefined;
    const [rank, { bytes, time }] = [...moved].reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a));
    if (bytes <= lone_process_share * all || time < site_share * this.trace.durationNs) return undefined;
    // Others that move little and take long for it do not wait.
    if (time < allTime / 2) return undefined;
    const { processOfStream } = this.metrics;
    const rankOf = (stream: number): Rank | undefined => rankOfProcess.get(processOfStream[stream]!);
    const isOther = (stream: number): boolean => ![undefined, rank].includes(rankOf(stream));
    const waiting = waitingMeanwhile(this.trace, (stream) => rankOf(stream) === rank, isOther);
    // One that does the I/O while the others compute is there for it.
    if (waiting !== undefined && waiting < MOSTLY) return undefined;
    const name = processName(this.trace.streams[rank.processes[0]!]!);
    return { name, processes: moved.size, shareOfBytes: bytes / all, ...(waiting !== undefined && { waiting }) };
  }

  /** Two of them live at one moment. */
  /**
   * Two processes at least read, or write, at the same time. Ranks of one job do, whose turn it may be; what a shell reads
   * before it starts a program that reads it, too, is nobody's to divide.
   */
  private isSideBySide(use: FileUse, who: 'readers' | 'writers', when: 'reading' | 'writing'): boolean {
    if (use[who].size < 2) return false;
    let ended = -Infinity;
    const spans = [...use[who]].map((process) =>
      this.isRank(process) ? this.lifeOf(process) : use.byProcess.get(process)![when],
    );
    return spans
      .sort((a, b) => a.first - b.first)
      .some(({ first, last }) => {
        const overlaps = first < ended;
        ended = Math.max(ended, last);
        return overlaps;
      });
  }

  /** There is a moment at which all of them are alive: one after the other is no imbalance. Ranks of one job all are. */
  private runSideBySide(processes: readonly number[]): boolean {
    if (hasRanks(this.trace)) return processes.length > 1;
    const lives = processes.map((process) => this.metrics.processes.get(process)).filter((life) => life !== undefined);
    return lives.length === processes.length && overlap(lives);
  }
}

/** Who locks a file for most of its accesses shares it with others, whether these are recorded or not. */
function isLocked(use: FileUse): boolean {
  return use.locks > (sum(use, 'reads') + sum(use, 'writes')) / 4;
}

function isHandedOver({ readers, writers, byProcess }: FileUse): boolean {
  return [...writers].some((writer) => {
    const { first, last } = byProcess.get(writer)!.writing;
    return [...readers].some((reader) => {
      const { reading } = byProcess.get(reader)!;
      return reader !== writer && reading.first < last && first < reading.last;
    });
  });
}

/** The least and the most of some numbers; a recording can have more of them than a call takes arguments. */
function bounds(values: Iterable<number>): [least: number, most: number] {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

/** Two or more that all live at one moment. */
function overlap(lives: readonly { first: number; last: number }[]): boolean {
  if (lives.length < 2) return false;
  const [, lastBegin] = bounds(lives.map(({ first }) => first));
  const [firstEnd] = bounds(lives.map(({ last }) => last));
  return lastBegin < firstEnd;
}

function sum(use: FileUse, what: Exclude<keyof ProcessUse, 'reading' | 'writing'>): number {
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
