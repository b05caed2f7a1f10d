import { getOrCreate } from '../../base/grouping.ts';
import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { NONE, OPEN_MODE, type EventChunk } from '../../trace/events.ts';
import type { FileIndex, HandleIndex } from '../../trace/indices.ts';
import { TRAIT } from '../sites/stack-traits.ts';
import { METRIC } from './metric-table.ts';
import { asksHandle, asksPath, onlyAsks } from './questions.ts';
import { incarnationOf, type PassState } from './metrics-pass.ts';
import { TripleSet } from './triple-set.ts';

const OPENS_FOLDER = /^opendir$/;
const RENAMES = /^rename(at2?)?$/;
const REMOVES = /^(unlink|unlinkat|remove|rmdir)$/;
const WRAPS = /^fdopen$/;
const DUPLICATES = /^dup$/;
const TRUNCATES = /^f?truncate(64)?$/;
const LISTS =
  /^(fdopendir|readdir(64)?(_r)?|getdents(64)?|scandir(64)?(at)?|closedir|n?ftw(64)?|fts_(open|read|children|close)|glob(64)?)$/;
const CHANGES_NAMES = /^(rename|renameat2?|unlink|unlinkat|remove|mkdir|mkdirat|rmdir|link|linkat|symlink|symlinkat)$/;

const STDIO = LAYERS.indexOf('STDIO');
const SEEK_CUR = 1;
const SEEK_END = 2;
/** Of OPEN_MODE.access. */
const WRITE_ONLY = 1;
/** Of `HandleState.isReopened`: it is a stream of a descriptor that had one before. */
const WRAPPED = 2;
/** Libraries that seek and ask for themselves: who calls them cannot change it. */
const LIBRARIES = TRAIT.stdio | TRAIT.hdf5 | TRAIT.netcdf | TRAIT.mpi;

/** Counts what moves no bytes: open, close, seek, synchronisation, metadata. */
export class OtherCallCounter {
  /** Files that were mapped. */
  maps = 0;
  /** By cell, incarnation and process. */
  private readonly openedBefore = new TripleSet();
  /** Opens of a process and file that no stream has been made of yet, by both; 1 where the file had been open before. */
  private readonly unwrapped = new Map<number, Map<FileIndex, number>>();
  /** A call that makes a stream of an open descriptor is known: only then it matters what was opened before. */
  private readonly hasWraps: boolean;
  private readonly isQuestion: Uint8Array;
  private readonly asksHandle: Uint8Array;
  private readonly asksPath: Uint8Array;
  private readonly opensFolder: Uint8Array;
  private readonly wraps: Uint8Array;
  private readonly duplicates: Uint8Array;
  private readonly truncates: Uint8Array;
  private readonly renames: Uint8Array;
  private readonly removes: Uint8Array;
  private readonly lists: Uint8Array;
  private readonly changesNames: Uint8Array;
  /** Renames and removals, by process, call and file. */
  private readonly namesChangedBefore = new Set<string>();
  /** Questions that were answered, by file; forgotten when the file changes. */
  private readonly askedOf = new Map<number, Set<string>>();

  constructor(private readonly state: PassState) {
    const are = (names: (name: string) => boolean): Uint8Array =>
      Uint8Array.from(state.trace.calls.names, (name) => Number(names(name)));
    this.isQuestion = are((name) => onlyAsks(name) && !asksHandle(name));
    this.asksHandle = are((name) => onlyAsks(name) && !asksPath(name));
    this.asksPath = are(asksPath);
    this.opensFolder = are((name) => OPENS_FOLDER.test(name));
    this.renames = are((name) => RENAMES.test(name));
    this.removes = are((name) => REMOVES.test(name));
    this.duplicates = are((name) => DUPLICATES.test(name));
    this.truncates = are((name) => TRUNCATES.test(name));
    this.wraps = are((name) => WRAPS.test(name));
    this.hasWraps = this.wraps.includes(1);
    this.lists = are((name) => LISTS.test(name));
    this.changesNames = are((name) => CHANGES_NAMES.test(name));
  }

  /** Whether a call asks what a path is. */
  asks(call: number): boolean {
    return this.isQuestion[call] === 1;
  }

  /** A file is written: what was asked of it before may have another answer now. */
  changed(file: FileIndex): void {
    if (this.askedOf.size > 0) this.askedOf.delete(file);
  }

  count(chunk: EventChunk, i: number, cell: number, time: number, traits: number): void {
    const { trace, cells, processOfStream, files, streams } = this.state;
    const operation = trace.calls.operation[chunk.call[i]!]!;
    const handle = chunk.handle[i]!;
    const of = streams[chunk.stream[i]!]!;
    files.other(this.state.fileOfCell[cell]!, processOfStream[chunk.stream[i]!]!, time);
    switch (operation) {
      case OPERATION.open:
        of.metadataTime += time;
        this.addTwo(cell, METRIC.opens, time);
        this.countOpen(chunk, i, cell);
        if (this.isToWrite(handle)) this.addTwo(cell, METRIC.writeOpens, time);
        break;
      case OPERATION.close:
        of.metadataTime += time;
        this.addTwo(cell, METRIC.closes, time);
        if (this.isToWrite(handle)) this.addTwo(cell, METRIC.writeCloses, time);
        if (this.isNewFolder(handle)) cells.add(cell, METRIC.folderCloses, 1);
        this.countDuplicateClose(handle, cell);
        break;
      case OPERATION.seek:
        this.addTwo(cell, METRIC.seeks, time);
        if (handle !== NONE && chunk.error[i] === 0) {
          if (chunk.layer[i] === STDIO) this.state.handles.streamSeekTime[handle]! += time;
          this.countIdleSeek(handle);
          const isAsking = this.asksPlaceOfOpen(chunk, i, handle);
          this.state.handles.isMoved[handle] = 1;
          this.state.handles.isSought[handle] = 1;
          this.state.handles.readPattern.moved(handle);
          this.state.handles.writePattern.moved(handle);
          this.state.handles.waitingSeek[handle] = isAsking ? NONE : cell;
          this.state.handles.waitingSeekTime[handle] = time;
          this.state.handles.servedSeek[handle] = NONE;
          this.state.handles.seeksToEnd[handle] = Number(chunk.argument[i] === SEEK_END);
        }
        break;
      case OPERATION.sync:
        this.addTwo(cell, METRIC.syncs, time);
        files.synchronised(this.state.fileOfCell[cell]!, processOfStream[chunk.stream[i]!]!);
        if (handle !== NONE) this.countSync(chunk, i, handle, cell, time);
        break;
      case OPERATION.metadata:
        of.metadataTime += time;
        this.addTwo(cell, METRIC.metadataCalls, time);
        this.countQuestion(chunk, i, cell, time, traits);
        break;
      case OPERATION.copy:
        this.countCopy(chunk, i, cell, time);
        break;
      case OPERATION.lock:
        files.locked(this.state.fileOfCell[cell]!, processOfStream[chunk.stream[i]!]!);
        break;
      case OPERATION.map:
        cells.add(cell, METRIC.maps, 1);
        this.maps++;
        break;
      case OPERATION.other:
        if (this.duplicates[chunk.call[i]!] === 1 && handle !== NONE && chunk.error[i] === 0)
          this.state.handles.duplicates[handle]!++;
        break;
    }
    if (handle !== NONE && operation !== OPERATION.seek) this.state.handles.waitingSeek[handle] = NONE;
  }

  private countDuplicateClose(handle: HandleIndex, cell: number): void {
    const { duplicates } = this.state.handles;
    if (handle === NONE || duplicates[handle] === 0) return;
    duplicates[handle]!--;
    this.state.cells.add(cell, METRIC.duplicateCloses, 1);
  }

  /** Languages ask where they are in a file that they have just opened. */
  private asksPlaceOfOpen(chunk: EventChunk, i: number, handle: HandleIndex): boolean {
    const { isRead, isWritten, waitingSeek } = this.state.handles;
    const isFirst = isRead[handle] === 0 && isWritten[handle] === 0 && waitingSeek[handle] === NONE;
    return isFirst && chunk.argument[i] === SEEK_CUR && chunk.layer[i] !== STDIO;
  }

  /** The seek before this one had no access behind it. */
  private countIdleSeek(handle: HandleIndex): void {
    const { waitingSeek, waitingSeekTime } = this.state.handles;
    const cell = waitingSeek[handle]!;
    if (cell !== NONE) this.addTwo(cell, METRIC.idleSeeks, waitingSeekTime[handle]!);
  }

  private countOpen(chunk: EventChunk, i: number, cell: number): void {
    const { cells, handles } = this.state;
    const handle = chunk.handle[i]!;
    const mode = chunk.argument[i]!;
    if (handle === NONE) return;
    if (mode > 0) handles.openMode[handle] = mode;
    if ((mode & OPEN_MODE.truncate) !== 0 && chunk.error[i] === 0)
      this.state.contents.emptied(chunk.file[i]!, incarnationOf(this.state.trace, handle));
    if (mode >= 0 && (mode & OPEN_MODE.access) === 0) handles.isReadOnly[handle] = 1;
    if ((mode & OPEN_MODE.directory) !== 0 || this.opensFolder[chunk.call[i]!] === 1) handles.isFolder[handle] = 1;
    if (this.isNewFolder(handle)) cells.add(cell, METRIC.folderOpens, 1);
    if ((mode & OPEN_MODE.truncate) !== 0) cells.add(cell, METRIC.emptyingOpens, 1);
  }

  private isToWrite(handle: HandleIndex): boolean {
    const mode = handle === NONE ? 0 : this.state.handles.openMode[handle]!;
    return (mode & OPEN_MODE.access) === WRITE_ONLY || (mode & OPEN_MODE.truncate) !== 0;
  }

  private isNewFolder(handle: HandleIndex): boolean {
    const { isFolder, isReopened } = this.state.handles;
    return handle !== NONE && isFolder[handle] === 1 && isReopened[handle] === 0;
  }

  /** A seek that a library makes for itself waits for no access of the program's. */
  leaveLibrarySeek(chunk: EventChunk, i: number, traits: number): void {
    const isOfLibrary = (traits & LIBRARIES) !== 0 || chunk.parent[i] !== NONE;
    if (isOfLibrary && chunk.handle[i] !== NONE) this.state.handles.waitingSeek[chunk.handle[i]!] = NONE;
  }

  /** Count and time of a kind stand one behind the other. */
  private addTwo(cell: number, first: number, time: number): void {
    this.state.cells.add(cell, first, 1);
    this.state.cells.add(cell, first + 1, time);
  }

  /**
   * Counts what the program itself opens again and closes again, in whichever layer it does: what a library opens for it
   * belongs to the library's call.
   */
  countReopening(chunk: EventChunk, i: number, cell: number, time: number, traits: number): void {
    const operation = this.state.trace.calls.operation[chunk.call[i]!]!;
    const handle = chunk.handle[i]!;
    if (operation === OPERATION.close) {
      const isReopened = handle === NONE ? 0 : this.state.handles.isReopened[handle]!;
      if (isReopened === 0) return;
      this.addTwo(cell, METRIC.recloses, time);
      if (this.state.handles.isFolder[handle] === 1) this.state.cells.add(cell, METRIC.folderReopens, 1);
      if (isReopened === WRAPPED) this.state.cells.add(cell, METRIC.rewraps, 1);
      if (traits & TRAIT.mpi) this.state.cells.add(cell, METRIC.mpiReopenings, 1);
      return;
    }
    if (operation !== OPERATION.open || chunk.error[i] !== 0 || this.isWithinFile(handle)) return;
    const process = this.state.processOfStream[chunk.stream[i]!]!;
    const isWrap = this.wraps[chunk.call[i]!] === 1;
    const unwrapped = isWrap ? this.unwrapped.get(process)?.get(chunk.file[i]!) : undefined;
    // A name that leads to another file is no reopened file.
    const isAgain = !this.openedBefore.add(cell, incarnationOf(this.state.trace, handle), process);
    if (unwrapped !== undefined) {
      this.unwrapped.get(process)!.delete(chunk.file[i]!);
      if (handle !== NONE) this.state.handles.isReopened[handle] = unwrapped;
      return;
    }
    if (!isWrap && this.hasWraps)
      getOrCreate(this.unwrapped, process, () => new Map<FileIndex, number>()).set(chunk.file[i]!, Number(isAgain));
    if (!isAgain) return;
    this.addTwo(cell, METRIC.reopens, time);
    if (isWrap) this.state.cells.add(cell, METRIC.rewraps, 1);
    if (traits & TRAIT.mpi) this.state.cells.add(cell, METRIC.mpiReopenings, 1);
    if (handle !== NONE) this.state.handles.isReopened[handle] = isWrap ? WRAPPED : 1;
  }

  /** A data set, a group or an attribute of HDF5: its handle belongs to one of the same layer and file. */
  private isWithinFile(handle: HandleIndex): boolean {
    const { file, layer, parent } = this.state.trace.handles;
    const above = handle === NONE ? NONE : parent.at(handle);
    return above !== NONE && file.at(above) === file.at(handle) && layer.at(above) === layer.at(handle);
  }

  private countCopy(chunk: EventChunk, i: number, cell: number, time: number): void {
    const { cells, limits } = this.state;
    const bytes = chunk.bytes[i]!;
    const requested = chunk.requested[i]!;
    cells.addThree(cell, METRIC.copies, 1, bytes, time);
    const asked = requested >= 0 ? requested : bytes;
    if (bytes > 0 && asked < limits.tinyBytes) cells.addThree(cell, METRIC.tinyCopies, 1, bytes, time);
  }

  private countSync(chunk: EventChunk, i: number, handle: HandleIndex, cell: number, time: number): void {
    const { trace, handles, contents, cells, limits, processOfStream, synchronisedByProcess } = this.state;
    const file = chunk.file[i]!;
    contents.synchronised(file, incarnationOf(trace, handle));
    const writes = handles.unsyncedWrites[handle]!;
    const bytes = handles.unsyncedBytes[handle]!;
    handles.unsyncedWrites[handle] = 0;
    handles.unsyncedBytes[handle] = 0;
    const isFirst = synchronisedByProcess.isFirst(file, handle, processOfStream[chunk.stream[i]!]);
    // A folder is synchronised to make its new names safe: it is opened to read, and nothing is written there.
    const isOfNames = writes === 0 && handles.isReadOnly[handle] === 1;
    // To write out much takes its time, however often it is asked for.
    if (!isFirst && !isOfNames && bytes <= limits.smallBytes) this.addTwo(cell, METRIC.repeatedSyncs, time);
    if (writes === 0) return;
    this.addTwo(cell, METRIC.writeSyncs, time);
    cells.add(cell, METRIC.syncedWrites, writes);
    this.state.commits.synchronised(chunk.stream[i]!, cell, file);
    if (handles.isSynchronised[handle] === 1) return;
    handles.isSynchronised[handle] = 1;
    if (this.state.synchronisedFiles.isFirst(file, handle)) cells.add(cell, METRIC.firstSyncs, 1);
  }

  private countNameChange(chunk: EventChunk, i: number, cell: number, time: number): void {
    this.state.cells.add(cell, METRIC.nameChanges, 1);
    const call = chunk.call[i]!;
    const file = chunk.file[i]!;
    if (file === NONE || (this.renames[call] === 0 && this.removes[call] === 0)) return;
    const key = `${this.state.processOfStream[chunk.stream[i]!]!} ${call} ${file}`;
    const repeated = this.renames[call] === 1 ? METRIC.repeatedRenames : METRIC.repeatedRemovals;
    if (this.namesChangedBefore.has(key)) this.addTwo(cell, repeated, time);
    else this.namesChangedBefore.add(key);
  }

  private countQuestion(chunk: EventChunk, i: number, cell: number, time: number, traits: number): void {
    const { cells, handles } = this.state;
    const file = chunk.file[i]!;
    const call = chunk.call[i]!;
    const handle = chunk.handle[i]!;
    if (handle !== NONE && this.asksHandle[call] === 1) {
      cells.add(cell, METRIC.handleQuestions, 1);
      if (traits & LIBRARIES) cells.add(cell, METRIC.libraryQuestions, 1);
    }
    if (this.lists[call] === 1 && (handle === NONE || handles.isReopened[handle] === 0))
      cells.add(cell, METRIC.listings, 1);
    if (this.truncates[call] === 1) cells.add(cell, METRIC.truncations, 1);
    if (this.changesNames[call] === 1 && chunk.error[i] === 0) this.countNameChange(chunk, i, cell, time);
    if (this.isQuestion[call] === 0) {
      if (this.asksHandle[call] === 0) this.changed(file);
      return;
    }
    // fstat of an open file is asked by libraries once for each open; a path is asked by the program.
    if ((handle !== NONE && this.asksPath[call] === 0) || chunk.error[i] !== 0) return;
    const key = `${this.state.processOfStream[chunk.stream[i]!]!} ${call}`;
    const asked = getOrCreate(this.askedOf, file, () => new Set<string>());
    if (asked.has(key)) this.addTwo(cell, METRIC.repeatedQuestions, time);
    else {
      asked.add(key);
      cells.add(cell, METRIC.firstQuestions, 1);
    }
  }
}
