import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, OPEN_MODE, type EventChunk } from '../../trace/events.ts';
import type { HandleIndex } from '../../trace/indices.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import { PATTERN } from './access-pattern.ts';
import { Coalescing } from './coalescing.ts';
import { METRIC, siteEntry } from './metric-table.ts';
import { incarnationOf, type PassState } from './metrics-pass.ts';
import { sizeBin, SizeDistribution } from './sizes.ts';
import type { StreamFlushes } from './stream-flushes.ts';
import { StreamRefills } from './stream-refills.ts';

/** Calls that name their offset: pread, pwrite, and MPI_File_read_at with its like. */
const POSITIONED = /^p(read|write)|^P?MPI_File_i?(read|write)_at/;

const STDIO = LAYERS.indexOf('STDIO');
const SYNCHRONOUS = OPEN_MODE.sync | OPEN_MODE.dataSync;

/** Counts reads and writes: how large, where in the file, whether again, and through which library. */
export class TransferCounter {
  /** Sizes that each site moved, index site + 1. */
  readonly readSizes: (SizeDistribution | undefined)[] = [];
  readonly writeSizes: (SizeDistribution | undefined)[] = [];
  /** 1 for calls that name their offset. */
  private readonly isPositioned: Uint8Array;
  private readonly readBuffer: Coalescing;
  private readonly writeBuffer: Coalescing;
  private readonly refills: StreamRefills;

  constructor(
    private readonly state: PassState,
    private readonly flushes: StreamFlushes,
  ) {
    const handles = state.trace.handles.length;
    this.isPositioned = Uint8Array.from(state.trace.calls.names, (name) => (POSITIONED.test(name) ? 1 : 0));
    this.readBuffer = new Coalescing(handles, state.limits.bufferBytes);
    this.writeBuffer = new Coalescing(handles, state.limits.bufferBytes);
    this.refills = new StreamRefills(state);
  }

  count(chunk: EventChunk, i: number, cell: number, time: number, traits: number): void {
    const { trace, cells, streams, limits } = this.state;
    const reads = trace.calls.operation[chunk.call[i]!] === OPERATION.read;
    const bytes = chunk.bytes[i]!;
    const requested = chunk.requested[i]!;
    const asked = requested >= 0 ? requested : bytes;
    this.countUse(chunk, i, reads, time);
    const stream = streams[chunk.stream[i]!]!;
    // A property that is chosen by its name takes ten times as long.
    if (reads) stream.readBytes += bytes;
    else stream.writtenBytes += bytes;
    this.addThree(cell, reads ? METRIC.reads : METRIC.writes, bytes, time);
    cells.add(cell, (reads ? METRIC.readSize0 : METRIC.writeSize0) + sizeBin(bytes), 1);
    // The read that finds the end of the file is the price of not knowing the size, whether it moves nothing or the rest.
    const findsEnd = reads && bytes < requested && chunk.layer[i] !== STDIO;
    const isTiny = bytes > 0 && !findsEnd && asked < limits.tinyBytes;
    const isOpening = this.isOpening(chunk.handle[i]!, reads);
    if (isOpening && reads) cells.add(cell, METRIC.initialReads, 1);
    // Nor does a larger buffer of the stream hold back what a seek writes.
    if (!reads && (traits & TRAIT.stdio) !== 0 && this.isSought(chunk.handle[i]!))
      this.writeBuffer.emptied(chunk.handle[i]!);
    const needsCall = this.needsCall(chunk, i, reads, isTiny ? cell : NONE);
    if (bytes > 0) {
      const distributions = reads ? this.readSizes : this.writeSizes;
      (distributions[siteEntry(this.state.siteOfCell[cell]!)] ??= new SizeDistribution()).add(bytes);
    }
    // What a stream's buffer takes in costs no request, however small it is.
    if (this.flushes.isBuffered(chunk, i)) {
      if (!reads) this.flushes.wrote(chunk, i, cell, time);
    } else {
      if (bytes > 0 && asked <= limits.smallBytes)
        this.addThree(cell, reads ? METRIC.smallReads : METRIC.smallWrites, bytes, time);
      if (isTiny) {
        this.addThree(cell, reads ? METRIC.tinyReads : METRIC.tinyWrites, bytes, time);
        if (needsCall) cells.add(cell, reads ? METRIC.coalescedReads : METRIC.coalescedWrites, 1);
        if (isOpening) cells.add(cell, reads ? METRIC.openingReads : METRIC.openingWrites, 1);
        if (isOpening && !reads && this.state.writtenFiles.isFirst(chunk.file[i]!, chunk.handle[i]!))
          cells.add(cell, METRIC.firstTinyWrites, 1);
      }
    }
    if (traits !== 0) {
      this.countLayers(cell, bytes, time, reads, traits);
      if (isTiny && !reads) this.countTinyLayers(cell, bytes, time, traits, this.isSought(chunk.handle[i]!));
    }
    const follows = this.countPlace(chunk, i, cell, time, reads);
    const isFlushed = isTiny && !reads && (traits & TRAIT.flush) !== 0;
    if ((traits & TRAIT.stdio) !== 0 && !isFlushed) this.refills.count(chunk, i, cell, time, follows);
  }

  /** A transfer of an upper layer: where its requests lie counts below. */
  countUpper(chunk: EventChunk, i: number, cell: number, time: number, traits: number): void {
    const reads = this.state.trace.calls.operation[chunk.call[i]!] === OPERATION.read;
    this.countLayers(cell, chunk.bytes[i]!, time, reads, traits);
    if ((traits & TRAIT.stdio) !== 0) this.refills.count(chunk, i, cell, time, true);
  }

  private countUse(chunk: EventChunk, i: number, reads: boolean, time: number): void {
    const { trace, processOfStream, files, handles } = this.state;
    // A descriptor that was inherited is the opener's: parent and child then write through one offset, one after the other.
    const handle = chunk.handle[i]!;
    const opener = handle === NONE ? chunk.stream[i]! : trace.handles.stream.at(handle);
    files.transfer(chunk, i, processOfStream[opener]!, reads, time);
    if (!reads && handle !== NONE && handles.isReopened[handle] === 1)
      files.writtenReopened(chunk.file[i]!, processOfStream[opener]!);
  }

  /** Count, bytes and time of a kind stand one behind the other. */
  private addThree(cell: number, first: number, bytes: number, time: number): void {
    this.state.cells.addThree(cell, first, 1, bytes, time);
  }

  /** Whether it is the first read, or write, of its open. */
  private isOpening(handle: HandleIndex, reads: boolean): boolean {
    const { isRead, isWritten } = this.state.handles;
    const seen = reads ? isRead : isWritten;
    if (handle === NONE || seen[handle] === 1) return false;
    seen[handle] = 1;
    return true;
  }

  /** Whether a buffer needs a call more for a place's tiny accesses. */
  private needsCall(chunk: EventChunk, i: number, reads: boolean, place: number): boolean {
    const handle = chunk.handle[i]!;
    if (handle === NONE || chunk.bytes[i] === 0) return true;
    const bytes = chunk.bytes[i]!;
    const appends = !reads && (chunk.flags[i]! & EVENT_FLAGS.append) !== 0;
    const process = this.state.processOfStream[chunk.stream[i]!]!;
    const isEnd = reads && bytes < chunk.requested[i]!;
    // What is made safe has to be written before.
    if (!reads && this.state.handles.unsyncedWrites[handle] === 0) this.writeBuffer.emptied(handle);
    return (reads ? this.readBuffer : this.writeBuffer).needsCall(
      handle,
      chunk.offset[i]!,
      bytes,
      appends,
      isEnd,
      process,
      place,
    );
  }

  /** Counts a transfer by the libraries that it went through. */
  private countLayers(cell: number, bytes: number, time: number, reads: boolean, traits: number): void {
    if (traits & TRAIT.stdio) this.addThree(cell, METRIC.stdioTransfers, bytes, time);
    if (traits & TRAIT.independent)
      this.addThree(cell, reads ? METRIC.independentReads : METRIC.independentWrites, bytes, time);
    if (traits & TRAIT.collective)
      this.addThree(cell, reads ? METRIC.collectiveReads : METRIC.collectiveWrites, bytes, time);
  }

  /** A stream's seek writes what its buffer holds: without the flushes between seeks there are as many writes. */
  private isSought(handle: HandleIndex): boolean {
    return handle !== NONE && this.state.handles.isSought[handle] === 1;
  }

  private countTinyLayers(cell: number, bytes: number, time: number, traits: number, isSought: boolean): void {
    if (traits & TRAIT.flush && !isSought) {
      this.addThree(cell, METRIC.flushedWrites, bytes, time);
      if (traits & TRAIT.stdio) this.addThree(cell, METRIC.flushedTransfers, bytes, time);
      this.flushes.addSize(cell, bytes);
    }
    if (traits & TRAIT.hdf5) this.addThree(cell, METRIC.hdf5TinyWrites, bytes, time);
  }

  /** @returns whether it begins where the one before it ended, as far as that is known. */
  private countPlace(chunk: EventChunk, i: number, cell: number, time: number, reads: boolean): boolean {
    const { cells, handles } = this.state;
    const handle = chunk.handle[i]!;
    const offset = chunk.offset[i]!;
    const bytes = chunk.bytes[i]!;
    if (handle !== NONE) {
      if (!reads) {
        handles.unsyncedWrites[handle]!++;
        handles.unsyncedBytes[handle]! += bytes;
      }
      if (this.isPositioned[chunk.call[i]!] === 0) this.settleSeek(handle, reads);
    }
    const appends = (chunk.flags[i]! & EVENT_FLAGS.append) !== 0;
    const isPlaceless = !appends && (handle === NONE || !(offset >= 0));
    let follows = appends;
    if (appends) cells.add(cell, METRIC.consecutiveWrites, 1);
    else if (isPlaceless) cells.add(cell, reads ? METRIC.placelessReads : METRIC.placelessWrites, 1);
    else follows = this.countPattern(chunk, i, cell, time, reads) === PATTERN.consecutive;
    if (handle !== NONE) {
      handles.streamSeekTime[handle] = 0;
      handles.isSought[handle] = 0;
    }
    if (handle !== NONE && handles.openMode[handle] !== 0) this.countOpenMode(chunk, i, cell, reads, follows);
    const hasPlace = offset >= 0 && bytes > 0;
    if (hasPlace) this.countBytes(chunk, i, cell, time, reads);
    // Where an appended record begins is the kernel's choice.
    if (hasPlace && !appends) this.countAlignment(offset, bytes, cell, time, reads);
    return follows || isPlaceless;
  }

  private countAlignment(offset: number, bytes: number, cell: number, time: number, reads: boolean): void {
    const { alignment } = this.state.limits;
    // The same as a remainder, at a tenth of its cost.
    if (Math.floor(offset / alignment) * alignment !== offset)
      this.addThree(cell, reads ? METRIC.misalignedReads : METRIC.misalignedWrites, bytes, time);
  }

  private countBytes(chunk: EventChunk, i: number, cell: number, time: number, reads: boolean): void {
    const { trace, redundancy, contents, processOfStream } = this.state;
    const handle = chunk.handle[i]!;
    const offset = chunk.offset[i]!;
    const bytes = chunk.bytes[i]!;
    const seen = contents.of(chunk.file[i]!, incarnationOf(trace, handle), reads, offset, bytes);
    const process = processOfStream[chunk.stream[i]!]!;
    const again = redundancy.add(process, seen, reads ? 0 : 1, offset, bytes);
    if (again === 0) return;
    this.addThree(cell, reads ? METRIC.redundantReads : METRIC.redundantWrites, again, time);
    if (reads) this.state.files.reread(chunk.file[i]!, process, again);
  }

  /** Counts what waits for the storage because of how the file was opened. */
  private countOpenMode(chunk: EventChunk, i: number, cell: number, reads: boolean, follows: boolean): void {
    const { handles, limits } = this.state;
    const mode = handles.openMode[chunk.handle[i]!]!;
    const bytes = chunk.bytes[i]!;
    const time = chunk.duration[i]! > 0 ? chunk.duration[i]! : 0;
    if (bytes === 0) return;
    if (!reads && (mode & SYNCHRONOUS) !== 0 && bytes <= limits.smallBytes)
      this.addThree(cell, METRIC.synchronousWrites, bytes, time);
    // Pieces from all over the file cannot be joined.
    if ((mode & OPEN_MODE.direct) !== 0 && follows && bytes < limits.directBytes)
      this.addThree(cell, METRIC.directTransfers, bytes, time);
  }

  private countPattern(chunk: EventChunk, i: number, cell: number, time: number, reads: boolean): number {
    const { cells, handles } = this.state;
    const bytes = chunk.bytes[i]!;
    const positioned = this.isPositioned[chunk.call[i]!] === 1;
    const follower = reads ? handles.readPattern : handles.writePattern;
    const handle = chunk.handle[i]!;
    const pattern = follower.next(handle, chunk.stream[i]!, chunk.offset[i]!, bytes, positioned);
    // A seek of a stream reads what the read behind it takes out of the buffer.
    const timeOfPlace = time + (reads && chunk.layer[i] === STDIO ? handles.streamSeekTime[handle]! : 0);
    switch (pattern) {
      case PATTERN.consecutive:
        cells.add(cell, reads ? METRIC.consecutiveReads : METRIC.consecutiveWrites, 1);
        break;
      case PATTERN.strided:
        this.addThree(cell, reads ? METRIC.stridedReads : METRIC.stridedWrites, bytes, time);
        break;
      case PATTERN.repeated:
        cells.add(cell, reads ? METRIC.repeatedReads : METRIC.repeatedWrites, 1);
        break;
      default:
        this.addThree(cell, reads ? METRIC.randomReads : METRIC.randomWrites, bytes, timeOfPlace);
        if (pattern === PATTERN.backward)
          this.addThree(cell, reads ? METRIC.backwardReads : METRIC.backwardWrites, bytes, timeOfPlace);
    }
    return pattern;
  }

  /** A seek was waiting for this access, or led to the one before it. */
  private settleSeek(handle: HandleIndex, reads: boolean): void {
    const { cells, handles } = this.state;
    const served = handles.servedSeek[handle]!;
    if (served !== NONE) cells.add(served, METRIC.sharedSeeks, 1);
    const cell = handles.waitingSeek[handle]!;
    handles.servedSeek[handle] = cell;
    handles.waitingSeek[handle] = NONE;
    if (cell === NONE) return;
    cells.add(cell, METRIC.accessSeeks, 1);
    cells.add(cell, METRIC.accessSeekTime, handles.waitingSeekTime[handle]!);
    if (!reads && handles.seeksToEnd[handle] === 1) cells.add(cell, METRIC.appendSeeks, 1);
  }
}
