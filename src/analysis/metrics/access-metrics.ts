import { OPERATION } from '../../trace/calls.ts';
import { NONE, NOT_COUNTED, EVENT_FLAGS, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { AccessPattern, PATTERN } from './access-pattern.ts';
import { FileContents } from './file-contents.ts';
import { METRIC, MetricTable } from './metric-table.ts';
import { RedundancyLog } from './redundancy.ts';
import { sizeBin, SizeDistribution } from './sizes.ts';

/** Bounds that turn counts into findings; all in bytes. */
export interface SizeLimits {
  /** Drishti's `small_bytes`: requests up to this are small. */
  readonly smallBytes: number;
  /** Requests below this are tiny: a page. */
  readonly tinyBytes: number;
  /** The file system's block. */
  readonly alignment: number;
}

export const DEFAULT_SIZE_LIMITS: SizeLimits = { smallBytes: 1 << 20, tinyBytes: 4096, alignment: 4096 };

/** Who uses a file: the processes that opened it. */
export interface FileUse {
  readonly readers: ReadonlySet<number>;
  readonly writers: ReadonlySet<number>;
}

interface MutableFileUse {
  readers: Set<number>;
  writers: Set<number>;
}

/** What one process or thread did to the files that count. */
export interface StreamMetrics {
  events: number;
  /** Nanoseconds in calls. */
  time: number;
  readBytes: number;
  writtenBytes: number;
  /** Nanoseconds in open, close, stat and their like. */
  metadataTime: number;
}

/** Events that no finding counts, and the time they took. */
export interface LeftOut {
  events: number;
  time: number;
}

/**
 * Metrics of a recording. The finest grain is the *cell*: one call site with one file. Sites, files and the run are sums
 * of cells. Only files that are not ignored count, and only calls that are no start-up.
 */
export interface Metrics {
  readonly cells: MetricTable;
  /** Site of each cell, NONE where the stack leads to no code of the user's. */
  readonly siteOfCell: readonly number[];
  readonly fileOfCell: readonly number[];
  /** Sizes that each site asked for, index site + 1 (0 is "no site"). */
  readonly readSizes: readonly (SizeDistribution | undefined)[];
  readonly writeSizes: readonly (SizeDistribution | undefined)[];
  readonly fileUse: ReadonlyMap<number, FileUse>;
  readonly streams: readonly StreamMetrics[];
  /** Nanoseconds and calls of each stack node. */
  readonly timeOfNode: Float64Array;
  readonly eventsOfNode: Float64Array;
  /** Streams that use each site, index site + 1. */
  readonly streamsOfSite: readonly ReadonlySet<number>[];
  /** Calls on ignored files, and calls without a file. */
  readonly ignored: LeftOut;
  readonly startUp: LeftOut;
  readonly limits: SizeLimits;
}

/** Position of the site's own entry in arrays that also have one for "no site". */
export function siteEntry(site: number): number {
  return site + 1;
}

export function measure(
  trace: Trace,
  callSites: CallSites,
  ignored: Uint8Array,
  limits: SizeLimits = DEFAULT_SIZE_LIMITS,
): Metrics {
  const pass = new MetricsPass(trace, callSites, ignored, limits);
  trace.events.chunks.forEach((chunk, number) => {
    pass.read(chunk, trace.events.rowsIn(number));
  });
  return pass.finish();
}

class MetricsPass {
  private readonly cells = new MetricTable();
  private readonly siteOfCell: number[] = [];
  private readonly fileOfCell: number[] = [];
  private readonly cellOfKey = new Map<number, number>();
  private readonly readSizes: (SizeDistribution | undefined)[] = [];
  private readonly writeSizes: (SizeDistribution | undefined)[] = [];
  private readonly fileUse = new Map<number, MutableFileUse>();
  private readonly streams: StreamMetrics[];
  private readonly streamsOfSite: Set<number>[];
  private readonly timeOfNode: Float64Array;
  private readonly eventsOfNode: Float64Array;
  private readonly ignoredCalls: LeftOut = { events: 0, time: 0 };
  private readonly startUp: LeftOut = { events: 0, time: 0 };
  private readonly redundancy = new RedundancyLog();
  private readonly contents = new FileContents();
  private readonly readPattern: AccessPattern;
  private readonly writePattern: AccessPattern;
  /** 1 for calls that name their offset. */
  private readonly isPositioned: Uint8Array;
  /** Process (not thread) of each stream: the stream that leads it. */
  private readonly processOfStream: Int32Array;
  /** Per handle: writes since the last synchronisation; the cell of a seek that waits for its access; reopened. */
  private readonly unsyncedWrites: Int32Array;
  private readonly waitingSeek: Int32Array;
  private readonly waitingSeekTime: Float64Array;
  private readonly isReopened: Uint8Array;
  private readonly openedBefore = new Set<string>();

  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
    private readonly ignored: Uint8Array,
    private readonly limits: SizeLimits,
  ) {
    const handles = trace.handles.length;
    this.readPattern = new AccessPattern(handles, trace.streams.length);
    this.writePattern = new AccessPattern(handles, trace.streams.length);
    this.isPositioned = Uint8Array.from(trace.calls.names, (name) => (/^p(read|write)/.test(name) ? 1 : 0));
    this.unsyncedWrites = new Int32Array(handles);
    this.waitingSeek = new Int32Array(handles).fill(NONE);
    this.waitingSeekTime = new Float64Array(handles);
    this.isReopened = new Uint8Array(handles);
    this.processOfStream = processesOfStreams(trace);
    this.streams = trace.streams.map(() => ({ events: 0, time: 0, readBytes: 0, writtenBytes: 0, metadataTime: 0 }));
    this.timeOfNode = new Float64Array(trace.stacks.nodes);
    this.eventsOfNode = new Float64Array(trace.stacks.nodes);
    this.streamsOfSite = Array.from({ length: callSites.sites.length + 1 }, () => new Set<number>());
  }

  read(chunk: EventChunk, rows: number): void {
    for (let i = 0; i < rows; i++) {
      if (chunk.flags[i]! & NOT_COUNTED) continue;
      const time = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
      const file = chunk.file[i]!;
      if (file === NONE || this.ignored[file] === 1) {
        this.ignoredCalls.events++;
        this.ignoredCalls.time += time;
        continue;
      }
      const node = chunk.stack[i]!;
      if (node !== NONE && this.callSites.isStartUp[node] === 1) {
        this.startUp.events++;
        this.startUp.time += time;
        continue;
      }
      if (node !== NONE) {
        this.timeOfNode[node]! += time;
        this.eventsOfNode[node]!++;
      }
      this.count(chunk, i, this.cellOf(node === NONE ? NONE : this.callSites.siteOfNode[node]!, file), time);
    }
  }

  finish(): Metrics {
    const { cells, siteOfCell, fileOfCell, readSizes, writeSizes, fileUse, streams, streamsOfSite, limits } = this;
    const { ignoredCalls, startUp, timeOfNode, eventsOfNode } = this;
    const sums = { cells, siteOfCell, fileOfCell, readSizes, writeSizes, fileUse, streams, streamsOfSite };
    return { ...sums, timeOfNode, eventsOfNode, ignored: ignoredCalls, startUp, limits };
  }

  private cellOf(site: number, file: number): number {
    const key = (site + 1) * 0x80000000 + file;
    let cell = this.cellOfKey.get(key);
    if (cell === undefined) {
      cell = this.cells.addRow();
      this.siteOfCell.push(site);
      this.fileOfCell.push(file);
      this.cellOfKey.set(key, cell);
    }
    return cell;
  }

  private count(chunk: EventChunk, i: number, cell: number, time: number): void {
    const { cells } = this;
    const stream = chunk.stream[i]!;
    const of = this.streams[stream]!;
    of.events++;
    of.time += time;
    this.streamsOfSite[siteEntry(this.siteOfCell[cell]!)]!.add(stream);
    cells.add(cell, METRIC.events, 1);
    cells.add(cell, METRIC.time, time);
    const operation = this.trace.calls.operation[chunk.call[i]!]!;
    const error = chunk.error[i]!;
    if (error !== 0) {
      cells.add(cell, METRIC.failed, 1);
      if (this.trace.errors.at(error) === 'ENOENT') cells.add(cell, METRIC.missing, 1);
    }
    const handle = chunk.handle[i]!;
    if (operation === OPERATION.read || operation === OPERATION.write) {
      if (error === 0) this.countTransfer(chunk, i, cell, time, operation === OPERATION.read);
      return;
    }
    this.countOther(operation, chunk, i, cell, time, of);
    if (handle !== NONE && operation !== OPERATION.seek) this.waitingSeek[handle] = NONE;
  }

  private countTransfer(chunk: EventChunk, i: number, cell: number, time: number, reads: boolean): void {
    const { cells, limits } = this;
    const bytes = chunk.bytes[i]!;
    const stream = chunk.stream[i]!;
    const requested = chunk.requested[i]!;
    const asked = requested >= 0 ? requested : bytes;
    const of = this.streams[stream]!;
    const use = this.useOf(chunk.file[i]!);
    // A descriptor that was inherited is the opener's: parent and child then write through one offset, one after the other.
    const handle = chunk.handle[i]!;
    const opener = handle === NONE ? stream : this.trace.handles.stream.at(handle);
    const process = this.processOfStream[opener]!;
    if (reads) {
      use.readers.add(process);
      of.readBytes += bytes;
    } else {
      use.writers.add(process);
      of.writtenBytes += bytes;
    }
    cells.add(cell, reads ? METRIC.reads : METRIC.writes, 1);
    cells.add(cell, reads ? METRIC.readBytes : METRIC.writtenBytes, bytes);
    cells.add(cell, reads ? METRIC.readTime : METRIC.writeTime, time);
    cells.add(cell, (reads ? METRIC.readSize0 : METRIC.writeSize0) + sizeBin(bytes), 1);
    // The read that finds the end of the file moves nothing: it is the price of not knowing the size, no small request.
    if (bytes > 0) {
      const distributions = reads ? this.readSizes : this.writeSizes;
      (distributions[siteEntry(this.siteOfCell[cell]!)] ??= new SizeDistribution()).add(bytes);
      if (asked <= limits.smallBytes) this.countBySize(cell, reads, false, bytes, time);
      if (asked < limits.tinyBytes) this.countBySize(cell, reads, true, bytes, time);
    }
    this.countPlace(chunk, i, cell, time, reads);
  }

  private countBySize(cell: number, reads: boolean, tiny: boolean, bytes: number, time: number): void {
    const { cells } = this;
    // The three metrics of a kind stand one behind the other.
    const first = reads ? (tiny ? METRIC.tinyReads : METRIC.smallReads) : tiny ? METRIC.tinyWrites : METRIC.smallWrites;
    cells.add(cell, first, 1);
    cells.add(cell, first + 1, bytes);
    cells.add(cell, first + 2, time);
  }

  private countPlace(chunk: EventChunk, i: number, cell: number, time: number, reads: boolean): void {
    const { cells, limits } = this;
    const handle = chunk.handle[i]!;
    const offset = chunk.offset[i]!;
    const bytes = chunk.bytes[i]!;
    if (handle !== NONE) {
      if (!reads) this.unsyncedWrites[handle]!++;
      this.settleSeek(handle);
    }
    const appends = (chunk.flags[i]! & EVENT_FLAGS.append) !== 0;
    if (appends) cells.add(cell, METRIC.consecutiveWrites, 1);
    else if (handle === NONE || !(offset >= 0))
      cells.add(cell, reads ? METRIC.placelessReads : METRIC.placelessWrites, 1);
    else this.countPattern(chunk, i, cell, time, reads);
    if (!(offset >= 0) || bytes === 0) return;
    if (offset % limits.alignment !== 0) {
      cells.add(cell, reads ? METRIC.misalignedReads : METRIC.misalignedWrites, 1);
      if (!reads) {
        cells.add(cell, METRIC.misalignedWrittenBytes, bytes);
        cells.add(cell, METRIC.misalignedWriteTime, time);
      }
    }
    const process = this.processOfStream[chunk.stream[i]!]!;
    const contents = this.contents.of(chunk.file[i]!, incarnationOf(this.trace, handle), reads, offset, bytes);
    const again = this.redundancy.add(process, contents, reads ? 0 : 1, offset, bytes);
    if (again === 0) return;
    cells.add(cell, reads ? METRIC.redundantReads : METRIC.redundantWrites, 1);
    cells.add(cell, reads ? METRIC.redundantReadBytes : METRIC.redundantWrittenBytes, again);
    cells.add(cell, reads ? METRIC.redundantReadTime : METRIC.redundantWriteTime, time);
  }

  private countPattern(chunk: EventChunk, i: number, cell: number, time: number, reads: boolean): void {
    const { cells } = this;
    const bytes = chunk.bytes[i]!;
    const positioned = this.isPositioned[chunk.call[i]!] === 1;
    const follower = reads ? this.readPattern : this.writePattern;
    const pattern = follower.next(chunk.handle[i]!, chunk.stream[i]!, chunk.offset[i]!, bytes, positioned);
    switch (pattern) {
      case PATTERN.consecutive:
        cells.add(cell, reads ? METRIC.consecutiveReads : METRIC.consecutiveWrites, 1);
        break;
      case PATTERN.strided:
        cells.add(cell, reads ? METRIC.stridedReads : METRIC.stridedWrites, 1);
        break;
      case PATTERN.repeated:
        cells.add(cell, reads ? METRIC.repeatedReads : METRIC.repeatedWrites, 1);
        break;
      default: {
        const first = reads ? METRIC.randomReads : METRIC.randomWrites;
        cells.add(cell, first, 1);
        cells.add(cell, first + 1, bytes);
        cells.add(cell, first + 2, time);
        if (pattern === PATTERN.backward) cells.add(cell, reads ? METRIC.backwardReads : METRIC.backwardWrites, 1);
      }
    }
  }

  /** A seek was waiting for this access. */
  private settleSeek(handle: number): void {
    const cell = this.waitingSeek[handle]!;
    if (cell === NONE) return;
    this.cells.add(cell, METRIC.accessSeeks, 1);
    this.cells.add(cell, METRIC.accessSeekTime, this.waitingSeekTime[handle]!);
    this.waitingSeek[handle] = NONE;
  }

  private countOther(op: number, chunk: EventChunk, i: number, cell: number, time: number, of: StreamMetrics): void {
    const { cells } = this;
    const handle = chunk.handle[i]!;
    switch (op) {
      case OPERATION.open:
        of.metadataTime += time;
        cells.add(cell, METRIC.opens, 1);
        cells.add(cell, METRIC.openTime, time);
        if (chunk.error[i] === 0) this.countReopen(chunk, i, cell, time);
        break;
      case OPERATION.close:
        of.metadataTime += time;
        cells.add(cell, METRIC.closes, 1);
        cells.add(cell, METRIC.closeTime, time);
        if (handle !== NONE && this.isReopened[handle] === 1) {
          cells.add(cell, METRIC.recloses, 1);
          cells.add(cell, METRIC.recloseTime, time);
        }
        break;
      case OPERATION.seek:
        cells.add(cell, METRIC.seeks, 1);
        cells.add(cell, METRIC.seekTime, time);
        if (handle !== NONE && chunk.error[i] === 0) {
          this.readPattern.moved(handle);
          this.writePattern.moved(handle);
          this.waitingSeek[handle] = cell;
          this.waitingSeekTime[handle] = time;
        }
        break;
      case OPERATION.sync:
        cells.add(cell, METRIC.syncs, 1);
        cells.add(cell, METRIC.syncTime, time);
        if (handle !== NONE) this.countSync(handle, cell, time);
        break;
      case OPERATION.metadata:
        of.metadataTime += time;
        cells.add(cell, METRIC.metadataCalls, 1);
        cells.add(cell, METRIC.metadataTime, time);
        break;
      case OPERATION.copy:
        cells.add(cell, METRIC.copies, 1);
        cells.add(cell, METRIC.copiedBytes, chunk.bytes[i]!);
        cells.add(cell, METRIC.copyTime, time);
        break;
      case OPERATION.map:
        cells.add(cell, METRIC.maps, 1);
        break;
    }
  }

  private countReopen(chunk: EventChunk, i: number, cell: number, time: number): void {
    const handle = chunk.handle[i]!;
    // A name that leads to another file is no reopened file.
    const key = `${this.processOfStream[chunk.stream[i]!]!} ${cell} ${incarnationOf(this.trace, handle)}`;
    if (!this.openedBefore.has(key)) {
      this.openedBefore.add(key);
      return;
    }
    this.cells.add(cell, METRIC.reopens, 1);
    this.cells.add(cell, METRIC.reopenTime, time);
    if (handle !== NONE) this.isReopened[handle] = 1;
  }

  private countSync(handle: number, cell: number, time: number): void {
    const writes = this.unsyncedWrites[handle]!;
    this.unsyncedWrites[handle] = 0;
    if (writes === 0) return;
    this.cells.add(cell, METRIC.writeSyncs, 1);
    this.cells.add(cell, METRIC.writeSyncTime, time);
    this.cells.add(cell, METRIC.syncedWrites, writes);
  }

  private useOf(file: number): MutableFileUse {
    let use = this.fileUse.get(file);
    if (use === undefined) {
      use = { readers: new Set(), writers: new Set() };
      this.fileUse.set(file, use);
    }
    return use;
  }
}

function incarnationOf(trace: Trace, handle: number): number {
  return handle === NONE ? 0 : trace.handles.incarnation.at(handle);
}

/** For each stream the first stream of its process, so that threads of one process count as one. */
function processesOfStreams(trace: Trace): Int32Array {
  const leaders = new Map<string, number>();
  return Int32Array.from(trace.streams, ({ host, processId, part }, stream) => {
    // Pids are unique within one recording file's tracer only.
    const key = `${part} ${host} ${processId}`;
    const leader = leaders.get(key) ?? stream;
    leaders.set(key, leader);
    return leader;
  });
}
