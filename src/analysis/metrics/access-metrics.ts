import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, NOT_MEASURED, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import { StartUpCalls, type CallSites, type SiteIndex } from '../sites/call-sites.ts';
import { layersPresent } from '../layers/layers-present.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import { CommitOrder } from './commit-order.ts';
import { FileContents } from './file-contents.ts';
import { FileUses, type FileUse } from './file-use.ts';
import { HandleState } from './handle-state.ts';
import { fileThatCounts } from './ignored-files.ts';
import { LAYER_ROLE, layerRoles, type LayerRoles } from './layer-roles.ts';
import { LeftOutCalls } from './left-out.ts';
import { METRIC, MetricTable, siteEntry } from './metric-table.ts';
import { FirstTimes, type PassState } from './metrics-pass.ts';
import { OtherCallCounter } from './other-calls.ts';
import { namedPipes } from './pipes/named-pipes.ts';
import { PipeCounter, type PipeMetrics } from './pipes/pipe-transfers.ts';
import { PollingCounter } from './polling.ts';
import { ProcessLives, processesOfStreams, type ProcessLife } from './processes.ts';
import { ReadingTurns } from './reading-turns.ts';
import { RedundancyLog } from './redundancy/redundancy-log.ts';
import type { SizeDistribution } from './sizes.ts';
import { unseenWays, type UnseenWay } from './unseen-ways.ts';
import { WaitCounter, type Waits } from './waits.ts';
import { StreamFlushes } from './stream-flushes.ts';
import { TransferCounter } from './transfers.ts';

export { siteEntry } from './metric-table.ts';
export type { FileUse, ProcessUse } from './file-use.ts';

/** Bounds that turn counts into findings; all in bytes. */
export interface SizeLimits {
  /** Drishti's `small_bytes`: requests up to this are small. */
  readonly smallBytes: number;
  /** Requests below this are tiny: a page. */
  readonly tinyBytes: number;
  /** Transfers past the page cache below this are small pieces. */
  readonly directBytes: number;
  /** The file system's block. */
  readonly alignment: number;
  /** The buffer that tiny requests could go through. */
  readonly bufferBytes: number;
  /** Transfers through a pipe up to this count as byte by byte. */
  readonly pipeBytes: number;
}

const DEFAULT_SIZE_LIMITS: SizeLimits = {
  smallBytes: 1 << 20,
  tinyBytes: 4096,
  directBytes: 128 << 10,
  alignment: 4096,
  bufferBytes: 1 << 20,
  pipeBytes: 16,
};

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

/**
 * Metrics of a recording. The finest grain is the *cell*: one call site with one file. Sites, files and the run are sums
 * of cells. Only files that are not ignored count, and only calls that are no start-up.
 */
export interface Metrics {
  readonly cells: MetricTable;
  /** Site of each cell, NONE where the stack leads to no code of the user's. */
  readonly siteOfCell: readonly SiteIndex[];
  readonly fileOfCell: readonly FileIndex[];
  /** Sizes that each site asked for, index site + 1 (0 is "no site"). */
  readonly readSizes: readonly (SizeDistribution | undefined)[];
  readonly writeSizes: readonly (SizeDistribution | undefined)[];
  /** Sizes of the tiny writes that flushes made. */
  readonly flushedSizes: readonly (SizeDistribution | undefined)[];
  readonly fileUse: ReadonlyMap<FileIndex, FileUse>;
  readonly streams: readonly StreamMetrics[];
  /** By the stream that leads the process; over all calls, also those that no finding counts. */
  readonly processes: ReadonlyMap<number, Readonly<ProcessLife>>;
  /** The process of each stream: the stream that leads it. */
  readonly processOfStream: Int32Array;
  /** Nanoseconds and calls of each stack node. */
  readonly timeOfNode: Float64Array;
  readonly eventsOfNode: Float64Array;
  /** What the calls of each stack node do: a bit for each of OPERATIONS. */
  readonly operationsOfNode: Uint16Array;
  /** Streams that use each site, index site + 1. */
  readonly streamsOfSite: readonly ReadonlySet<StreamIndex>[];
  readonly pipes: PipeMetrics;
  /** Calls that hand requests to the kernel and wait for them (io_uring, Linux AIO). */
  readonly asynchronous: Waits;
  /** Calls that no finding counts. */
  readonly leftOut: LeftOutCalls['sums'];
  /** 1 for files that do not count. */
  readonly ignored: Uint8Array;
  /** How bytes move that none of this counts. */
  readonly unseen: readonly UnseenWay[];
  readonly limits: SizeLimits;
  /** Which rows are counted where there are several layers; undefined where every row is. */
  readonly roles: LayerRoles | undefined;
}

export function measure(
  trace: Trace,
  callSites: CallSites,
  ignored: Uint8Array,
  limits: SizeLimits = DEFAULT_SIZE_LIMITS,
): Metrics {
  const pass = new MetricsPass(trace, callSites, ignored, limits);
  trace.events.chunks.forEach((chunk, number) => pass.read(chunk, trace.events.rowsIn(number)));
  return pass.finish();
}

/** What hands requests to the kernel, and what waits for them. */
const ASYNCHRONOUS = /^(io_uring_\w+|io_submit|io_p?getevents)$/;
const STDIO = LAYERS.indexOf('STDIO');

class MetricsPass {
  private readonly state: PassState;
  private readonly cellOfKey = new Map<number, number>();
  private readonly streamsOfSite: Set<number>[];
  private readonly lastStreamOfSite: Int32Array;
  private lastCellKey = NaN;
  private lastCell = NONE;
  private readonly timeOfNode: Float64Array;
  private readonly eventsOfNode: Float64Array;
  private readonly operationsOfNode: Uint16Array;
  private readonly leftOut: LeftOutCalls;
  private readonly startUp: StartUpCalls;
  private readonly flushes: StreamFlushes;
  private readonly transfers: TransferCounter;
  private readonly others: OtherCallCounter;
  private readonly pipes: PipeCounter;
  private readonly turns: ReadingTurns;
  private readonly asynchronous = new WaitCounter();
  /** 1 for calls of io_uring and Linux AIO. */
  private readonly isAsynchronous: Uint8Array;
  private readonly polling: PollingCounter;
  private readonly lives: ProcessLives;
  private readonly roles: LayerRoles | undefined;
  private readonly showsStdio: boolean;

  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
    private readonly ignored: Uint8Array,
    limits: SizeLimits,
  ) {
    const cells = new MetricTable();
    this.state = {
      trace,
      limits,
      cells,
      commits: new CommitOrder(trace, cells),
      siteOfCell: [],
      fileOfCell: [],
      streams: trace.streams.map(() => ({ events: 0, time: 0, readBytes: 0, writtenBytes: 0, metadataTime: 0 })),
      processOfStream: processesOfStreams(trace),
      handles: new HandleState(trace.handles, trace.streams.length),
      files: new FileUses(),
      redundancy: new RedundancyLog(),
      contents: new FileContents(),
      writtenFiles: new FirstTimes(trace),
      synchronisedFiles: new FirstTimes(trace),
      synchronisedByProcess: new FirstTimes(trace),
    };
    this.leftOut = new LeftOutCalls(trace.files, namedPipes(trace));
    this.startUp = new StartUpCalls(trace, callSites);
    this.flushes = new StreamFlushes(this.state);
    this.transfers = new TransferCounter(this.state, this.flushes);
    this.others = new OtherCallCounter(this.state);
    this.pipes = new PipeCounter(trace, limits.pipeBytes);
    this.lives = new ProcessLives(trace);
    this.isAsynchronous = Uint8Array.from(trace.calls.names, (name) => (ASYNCHRONOUS.test(name) ? 1 : 0));
    this.polling = new PollingCounter(trace, this.state.processOfStream, this.state.cells);
    this.turns = new ReadingTurns(trace, this.state.processOfStream, this.state.files);
    this.roles = layerRoles(trace);
    this.showsStdio = (layersPresent(trace).all & (1 << STDIO)) !== 0;
    this.timeOfNode = new Float64Array(trace.stacks.nodes);
    this.eventsOfNode = new Float64Array(trace.stacks.nodes);
    this.operationsOfNode = new Uint16Array(trace.stacks.nodes);
    this.lastStreamOfSite = new Int32Array(callSites.sites.length + 1).fill(NONE);
    this.streamsOfSite = Array.from({ length: callSites.sites.length + 1 }, () => new Set<number>());
  }

  read(chunk: EventChunk, rows: number): void {
    for (let i = 0; i < rows; i++) {
      const flags = chunk.flags[i]!;
      if (flags & NOT_MEASURED) continue;
      // The other side of a copy: its call's own row counts.
      if (flags & EVENT_FLAGS.part && this.trace.calls.operation[chunk.call[i]!] === OPERATION.copy) continue;
      this.readRow(chunk, i);
    }
  }

  private readRow(chunk: EventChunk, i: number): void {
    const { siteOfNode, traitsOfNode } = this.callSites;
    const time = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
    const file = fileThatCounts(this.trace, this.ignored, chunk, i);
    const node = chunk.stack[i]!;
    const stream = chunk.stream[i]!;
    const flags = chunk.flags[i]!;
    const site = node === NONE ? NONE : (siteOfNode[node] ?? NONE);
    let traits = node === NONE ? 0 : (traitsOfNode?.[node] ?? 0);
    let isRequest = true;
    let isOutermost = true;
    if (this.roles !== undefined) {
      const role = this.roles.of(chunk, i);
      isRequest = (role & LAYER_ROLE.request) !== 0;
      isOutermost = (role & LAYER_ROLE.outermost) !== 0;
      traits = this.roles.traitsOf(chunk, i, this.isRead(chunk.call[i]!), traits);
    }
    if (this.showsStdio) traits = this.withStdio(chunk, i, traits);
    const spent = isOutermost ? time : 0;
    this.lives.see(this.state.processOfStream[stream]!, chunk.start[i]!, time, (traits & TRAIT.mpi) !== 0);
    this.pipes.see(chunk, i, site, traits, time);
    this.state.commits.see(chunk, i);
    this.turns.see(chunk, i);
    this.polling.see(chunk, i);
    if (this.isAsynchronous[chunk.call[i]!] === 1 && (flags & EVENT_FLAGS.part) === 0) {
      this.asynchronous.add(site, stream, 0, time);
      this.leftOut.addAsynchronous(isRequest, spent);
      return;
    }
    if (file === NONE || this.ignored[file] === 1) {
      this.leftOut.addOfFile(file, isRequest, spent);
      return;
    }
    if (this.startUp.has(chunk.call[i]!, node)) {
      this.leftOut.addStartUp(isRequest, spent);
      return;
    }
    if (node !== NONE) {
      this.timeOfNode[node]! += spent;
      if (isRequest) this.eventsOfNode[node]!++;
      this.operationsOfNode[node]! |= 1 << this.trace.calls.operation[chunk.call[i]!]!;
    }
    const cell = this.cellOf(site, file);
    this.spend(cell, stream, spent);
    if (isOutermost) this.others.countReopening(chunk, i, cell, time, traits);
    if (isRequest) this.count(chunk, i, cell, time, traits);
    else this.countUpperTransfer(chunk, i, cell, time, traits);
  }

  /** Where calls of stdio are rows of their own, what they become does not count once more. */
  private withStdio(chunk: EventChunk, i: number, traits: number): number {
    if (chunk.layer[i] === STDIO) return traits | TRAIT.stdio;
    return chunk.parent[i] === NONE ? traits : traits & ~TRAIT.stdio;
  }

  /** A transfer of an upper layer: its requests are counted below, but how it went through the libraries shows here. */
  private countUpperTransfer(chunk: EventChunk, i: number, cell: number, time: number, traits: number): void {
    const operation = this.trace.calls.operation[chunk.call[i]!]!;
    if (operation === OPERATION.seek && chunk.handle[i] !== NONE) {
      this.state.handles.isMoved[chunk.handle[i]!] = 1;
      this.state.handles.isSought[chunk.handle[i]!] = 1;
    }
    if (operation !== OPERATION.read && operation !== OPERATION.write) return;
    this.transfers.countUpper(chunk, i, cell, time, traits);
  }

  private isRead(call: number): boolean {
    return this.trace.calls.operation[call] === OPERATION.read;
  }

  /** Counts the time that the program itself spends. */
  private spend(cell: number, stream: StreamIndex, time: number): void {
    const { cells, streams, siteOfCell } = this.state;
    streams[stream]!.time += time;
    const entry = siteEntry(siteOfCell[cell]!);
    if (this.lastStreamOfSite[entry] !== stream) {
      this.lastStreamOfSite[entry] = stream;
      this.streamsOfSite[entry]!.add(stream);
    }
    cells.add(cell, METRIC.time, time);
  }

  finish(): Metrics {
    const { state, streamsOfSite, timeOfNode, eventsOfNode, operationsOfNode, pipes } = this;
    const { cells, siteOfCell, fileOfCell, streams, files, limits, processOfStream } = state;
    const { readSizes, writeSizes } = this.transfers;
    const sizes = { readSizes, writeSizes, flushedSizes: this.flushes.sizes };
    const nodes = { timeOfNode, eventsOfNode, operationsOfNode };
    const places = { cells, siteOfCell, fileOfCell, ...sizes, streamsOfSite, ...nodes };
    const who = { fileUse: files.byFile, streams, processes: this.lives.byProcess(processOfStream), processOfStream };
    const asynchronous = this.asynchronous.bySite;
    return {
      ...places,
      ...who,
      pipes: pipes.finish(),
      asynchronous,
      leftOut: this.leftOut.sums,
      ignored: this.ignored,
      unseen: unseenWays(this.trace, this.others.maps > 0),
      limits,
      roles: this.roles,
    };
  }

  private cellOf(site: SiteIndex, file: FileIndex): number {
    const key = (site + 1) * 0x80000000 + file;
    if (key === this.lastCellKey) return this.lastCell;
    let cell = this.cellOfKey.get(key);
    if (cell === undefined) {
      cell = this.state.cells.addRow();
      this.state.siteOfCell.push(site);
      this.state.fileOfCell.push(file);
      this.cellOfKey.set(key, cell);
    }
    this.lastCellKey = key;
    this.lastCell = cell;
    return cell;
  }

  private count(chunk: EventChunk, i: number, cell: number, time: number, traits: number): void {
    const { cells, streams } = this.state;
    streams[chunk.stream[i]!]!.events++;
    cells.add(cell, METRIC.events, 1);
    const error = chunk.error[i]!;
    if (error !== 0) {
      cells.add(cell, METRIC.failed, 1);
      if (this.trace.errors.at(error) === 'ENOENT') {
        cells.add(cell, METRIC.missing, 1);
        cells.add(cell, METRIC.missingTime, time);
      }
    }
    const operation = this.trace.calls.operation[chunk.call[i]!]!;
    this.polling.count(chunk, i, cell, time, this.others.asks(chunk.call[i]!));
    const reads = operation === OPERATION.read;
    if (!reads && operation !== OPERATION.write) {
      this.others.count(chunk, i, cell, time, traits);
      if (operation === OPERATION.seek) this.others.leaveLibrarySeek(chunk, i, traits);
      const empties = operation === OPERATION.seek || operation === OPERATION.close;
      this.flushes.see(chunk, i, cell, time, empties);
      return;
    }
    if (error !== 0) return;
    if (reads) this.turns.read(chunk, i);
    else this.others.changed(chunk.file[i]!);
    this.transfers.count(chunk, i, cell, time, traits);
  }
}
