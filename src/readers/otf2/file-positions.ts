import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { CHUNK_MASK, EVENT_FLAGS, NONE, OPEN_MODE, type EventChunk } from '../../trace/events.ts';
import { HANDLE_FLAGS } from '../../trace/files.ts';
import { FileEnds } from '../open-files/file-ends.ts';
import { OpenFile } from '../open-files/open-file.ts';
import type { Archive } from './archive.ts';
import type { HandleChanges } from './location-calls.ts';

/** Rows of one location, in the order of their start. */
export interface RowRange {
  readonly from: number;
  readonly end: number;
}

const LOWEST_WITH_POSITION = LAYERS.indexOf('STDIO');
const CREATES_ANEW = OPEN_MODE.create | OPEN_MODE.exclusive;

/**
 * Works out where in the file the calls of a process read and wrote that gave no offset: from seeks and the calls before
 * them, in the order of time over all its threads. Handles of MPI-IO and the libraries above have views and selections that
 * are not recorded: what they do not say stays unknown.
 */
export class FilePositions {
  private readonly open = new Map<number, OpenFile>();
  /** Ends of files that only this process wrote, as far as they are known. */
  private readonly ends = new FileEnds();

  /**
   * @param changes of handles, by row.
   * @param isShared whether another process opens a file too: what that appends shows in no record of this one.
   */
  constructor(
    private readonly archive: Archive,
    private readonly changes: HandleChanges,
    private readonly isShared: (file: number) => boolean,
  ) {}

  /** Goes over the rows of all locations of the process. */
  work(ranges: readonly RowRange[]): void {
    const { events } = this.archive;
    if (ranges.length === 1) {
      for (let row = ranges[0]!.from; row < ranges[0]!.end; row++) this.visit(events.chunkOf(row), row);
      return;
    }
    const next = ranges.map(({ from }) => from);
    for (;;) {
      let first = NONE;
      for (let i = 0; i < next.length; i++) {
        if (next[i]! >= ranges[i]!.end) continue;
        if (first === NONE || events.value('start', next[i]!) < events.value('start', next[first]!)) first = i;
      }
      if (first === NONE) return;
      const row = next[first]!++;
      this.visit(events.chunkOf(row), row);
    }
  }

  private visit(chunk: EventChunk, row: number): void {
    const i = row & CHUNK_MASK;
    const handle = chunk.handle[i]!;
    if (handle === NONE || chunk.layer[i]! < LOWEST_WITH_POSITION) return;
    switch (this.archive.calls.operation[chunk.call[i]!]!) {
      case OPERATION.open:
        this.opened(handle, chunk.file[i]!, chunk.layer[i]!, chunk.argument[i]!);
        break;
      case OPERATION.seek:
        this.describe(handle).position = chunk.offset[i]!;
        break;
      case OPERATION.read:
        this.moved(handle, chunk, i, false);
        break;
      case OPERATION.write:
        this.moved(handle, chunk, i, true);
        break;
      case OPERATION.copy:
        this.moved(handle, chunk, i, this.archive.calls.names[chunk.call[i]!]!.endsWith('(write)'));
        break;
      case OPERATION.metadata:
        this.changed(handle, row);
        break;
    }
  }

  private opened(handle: number, file: number, layer: number, mode: number): void {
    // A function of this kind without a record says nothing of the handle.
    if (Number.isNaN(mode)) return;
    const open = new OpenFile(handle, file, layer);
    open.appends = (mode & OPEN_MODE.append) !== 0;
    this.open.set(handle, open);
    if (file === NONE || this.isShared(file)) return;
    if (mode & OPEN_MODE.truncate || (mode & CREATES_ANEW) === CREATES_ANEW) this.ends.set(file, 0);
  }

  private changed(handle: number, row: number): void {
    const appends = this.changes.appends.get(row);
    if (appends === undefined) return;
    const old = this.changes.duplicated.get(row);
    if (old !== undefined) this.open.set(handle, this.describe(old));
    this.describe(handle).appends = appends;
  }

  private describe(handle: number): OpenFile {
    let open = this.open.get(handle);
    if (open === undefined) {
      const isPreCreated = (this.archive.handles.flags.at(handle) & HANDLE_FLAGS.preCreated) !== 0;
      open = new OpenFile(handle, this.archive.handles.file.at(handle), this.archive.handles.layer.at(handle));
      open.position = NaN;
      open.appends = isPreCreated && this.archive.appendsFromTheStart.has(handle);
      this.open.set(handle, open);
    }
    return open;
  }

  private moved(handle: number, chunk: EventChunk, i: number, isWrite: boolean): void {
    const open = this.describe(handle);
    const bytes = chunk.bytes[i]!;
    if (isWrite && open.appends) chunk.flags[i]! |= EVENT_FLAGS.append;
    const offset = chunk.offset[i]!;
    chunk.offset[i] = Number.isNaN(offset)
      ? open.transfer(bytes, isWrite, this.ends)
      : open.transferAt(offset, bytes, isWrite, this.ends);
  }
}
