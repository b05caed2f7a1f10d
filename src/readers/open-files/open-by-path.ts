/** What one process has open, followed through its calls, and where in its files it stands. */
import { addToGroup } from '../../base/grouping.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, OPEN_MODE } from '../../trace/events.ts';
import type { HandleTable } from '../../trace/files.ts';
import type { FileEnds } from './file-ends.ts';
import { Hdf5Files } from './hdf5-files.ts';
import type { IoCall } from './io-call.ts';
import { OpenFile } from './open-file.ts';

const MPI_IO = LAYERS.indexOf('MPI-IO');
const HDF5 = LAYERS.indexOf('HDF5');
const STDIO = LAYERS.indexOf('STDIO');
const APPENDS = OPEN_MODE.append;

/** Where a call touched a file, for its row. */
export interface Place {
  offset: number;
  flags: number;
  /** The offset holds only when no other process writes to the end of the file. */
  isFromEnd: boolean;
}

/**
 * The handles of one process. Recorder writes paths instead of descriptors, so of several descriptors of a file the one
 * that was opened last is taken, unless the call was made inside another that has its own.
 */
export class OpenByPath {
  /** By file, apart for descriptors and for streams; the one opened last stands last. */
  private readonly byFile = new Map<number, OpenFile[]>();
  private readonly mpiFiles = new Map<string, OpenFile>();
  private readonly hdf5 = new Hdf5Files<OpenFile>();
  /** The last one that was closed of each file, as long as duplicates of nobody knows what are about. */
  private readonly closed = new Map<number, OpenFile>();
  private unknownDuplicates = 0;
  private count = 0;

  /** @param stream that the handles belong to. */
  constructor(
    private readonly handles: HandleTable,
    private readonly stream: number,
    private readonly ends: FileEnds,
  ) {}

  /**
   * What is open that a call works on; for a call that opens, what it opens.
   * @param caller what the calls around it work on, the innermost first.
   * @param communicator index, for a call that opens a file together with others.
   */
  of(io: IoCall, caller: readonly OpenFile[], communicator: number): OpenFile | undefined {
    if (io.effect === 'open' || io.effect === 'wrap')
      return io.result.failed ? undefined : this.opened(io, caller, communicator);
    if (io.effect === 'duplicate') return this.duplicated(io);
    if (io.layer === MPI_IO) return this.mpiFile(io.handle);
    if (io.layer === HDF5) return io.handle === '' ? undefined : this.hdf5.find(io.handle);
    if (io.file === NONE) return undefined;
    return this.byPath(io, caller);
  }

  /** What a call does to position and length of a file, and to what is open. */
  apply(io: IoCall, open: OpenFile | undefined, place: Place): void {
    place.offset = NaN;
    place.flags = 0;
    place.isFromEnd = false;
    const file = open?.file ?? io.file;
    if (io.result.failed) return;
    switch (io.effect) {
      case 'transfer':
        if (open !== undefined) this.transfer(io, open, place);
        break;
      case 'positioned':
        this.positioned(io, open, place);
        break;
      case 'seek':
        if (open !== undefined) this.seek(io, open, place);
        break;
      case 'view':
        if (open !== undefined) open.setView(io.offset, io.viewIsDense ? io.viewUnit : NaN);
        break;
      case 'close':
        if (open !== undefined) this.close(io, open);
        break;
      case 'control':
        if (open !== undefined) open.appends = (io.argument & APPENDS) !== 0;
        break;
      case 'truncate':
        this.ends.set(file, io.argument);
        break;
      case 'remove':
        this.handles.replaced(file);
        this.ends.forget(file);
        break;
      case 'rename':
        this.handles.replaced(file);
        this.handles.replaced(io.otherFile);
        this.ends.forget(file);
        this.ends.forget(io.otherFile);
        break;
      case 'none':
      case 'map':
      case 'status':
      case 'tell':
      case 'changeFolder':
      case 'makes':
        place.offset = io.offset;
        break;
      default:
    }
  }

  private opened(io: IoCall, caller: readonly OpenFile[], communicator: number): OpenFile {
    const parent = caller.find(({ layer }) => layer < io.layer)?.handle ?? NONE;
    const handle = this.handles.add(io.file, this.stream, parent, { layer: io.layer, communicator });
    const open = new OpenFile(handle, io.file, io.layer);
    const mode = Number.isNaN(io.argument) ? 0 : io.argument;
    open.appends = (mode & APPENDS) !== 0;
    // Emptied, or made by this very call: then it is empty.
    if ((mode & OPEN_MODE.truncate) !== 0 || (mode & OPEN_MODE.exclusive) !== 0) this.ends.set(io.file, 0);
    if (io.layer === MPI_IO) {
      if (open.appends) open.position = NaN;
      open.appends = false;
      this.mpiFiles.set(io.handle, open);
    } else if (io.layer === HDF5) this.hdf5.add(open);
    else this.push(keyOf(io), open);
    // A stream made of a descriptor goes on where that stands.
    if (io.effect === 'wrap') open.position = this.byFile.get(io.file * 2)?.at(-1)?.position ?? NaN;
    return open;
  }

  private push(key: number, open: OpenFile): void {
    addToGroup(this.byFile, key, open);
    this.closed.delete(key);
    this.count++;
  }

  private byPath(io: IoCall, caller: readonly OpenFile[]): OpenFile | undefined {
    const key = keyOf(io);
    const list = this.byFile.get(key) ?? [];
    const around = new Set(caller.map(({ handle }) => handle));
    const open = list.findLast(({ handle }) => around.has(this.handles.parent.at(handle))) ?? list.at(-1);
    if (open !== undefined || !needsDescriptor(io)) return open;
    const last = this.closed.get(key);
    if (last !== undefined && this.unknownDuplicates > 0) {
      this.unknownDuplicates--;
      last.references = 1;
      this.push(key, last);
      return last;
    }
    // Opened before or outside of what was recorded: nobody knows where it stands.
    const handle = this.handles.add(io.file, this.stream, NONE, { layer: io.layer });
    const unseen = new OpenFile(handle, io.file, io.layer);
    unseen.position = NaN;
    this.push(key, unseen);
    return unseen;
  }

  /** The duplicate's number is not recorded, and of the original only the number; but often just one thing is open. */
  private duplicated(io: IoCall): OpenFile | undefined {
    let open = io.file === NONE ? undefined : this.byFile.get(io.file * 2)?.at(-1);
    if (open === undefined && this.count === 1) open = [...this.byFile.values()].flat()[0];
    if (open === undefined) this.unknownDuplicates++;
    else open.references++;
    return open;
  }

  private mpiFile(id: string): OpenFile | undefined {
    const open = this.mpiFiles.get(id);
    // Before 2.5 an identifier was an address, and another one in each call.
    if (open === undefined && this.mpiFiles.size === 1) return [...this.mpiFiles.values()][0];
    return open;
  }

  private close(io: IoCall, open: OpenFile): void {
    if (--open.references > 0) return;
    if (open.layer === MPI_IO) {
      for (const [id, each] of this.mpiFiles) if (each === open) this.mpiFiles.delete(id);
    } else if (open.layer === HDF5) this.hdf5.remove(open);
    else {
      const list = this.byFile.get(keyOf(io))!;
      list.splice(list.indexOf(open), 1);
      this.closed.set(keyOf(io), open);
      this.count--;
    }
  }

  private transfer(io: IoCall, open: OpenFile, place: Place): void {
    if (io.writes && open.appends) place.flags = EVENT_FLAGS.append;
    place.offset = open.transfer(movedBytes(io), io.writes, this.ends);
    place.isFromEnd = open.isFromEnd;
  }

  private positioned(io: IoCall, open: OpenFile | undefined, place: Place): void {
    if (open === undefined) {
      if (io.layer !== MPI_IO) place.offset = io.offset;
      return;
    }
    if (io.writes && open.appends) {
      place.flags = EVENT_FLAGS.append;
      place.isFromEnd = true;
    }
    place.offset = open.transferAt(io.offset, movedBytes(io), io.writes, this.ends);
  }

  private seek(io: IoCall, open: OpenFile, place: Place): void {
    switch (io.whence) {
      case 0:
        open.position = io.offset;
        open.isFromEnd = false;
        break;
      case 1:
        open.position += io.offset;
        break;
      default:
        open.position = io.whence === 2 && open.layer !== MPI_IO ? this.ends.get(open.file) + io.offset : NaN;
        open.isFromEnd = true;
    }
    if (open.position < 0) open.position = NaN;
    place.offset = open.place(open.position);
    place.isFromEnd = open.isFromEnd;
  }
}

function keyOf(io: IoCall): number {
  return io.file * 2 + (io.layer === STDIO ? 1 : 0);
}

/** Calls on a path need nothing open; those on a descriptor do. */
function needsDescriptor({ effect }: IoCall): boolean {
  return effect === 'transfer' || effect === 'positioned' || effect === 'seek';
}

function movedBytes({ result, size }: IoCall): number {
  return Number.isNaN(result.bytes) ? size : result.bytes;
}
