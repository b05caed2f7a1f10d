import { LAYERS, OPERATION } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { CaptureBuilder } from './capture-builder.ts';
import { controlOf, lockKind } from './locks.ts';
import { isBegun, type Occurrence } from './occurrence.ts';
import type { CapturedFile } from './open-files.ts';
import type { ProcessHandles } from './process-handles.ts';
import type { ProcessPaths } from './process-paths.ts';

const POSIX = LAYERS.indexOf('POSIX');
const HDF5 = LAYERS.indexOf('HDF5');
const MPI_IO = LAYERS.indexOf('MPI-IO');

/** Says of each call of one process which file it was on, and where, and follows what it changes. */
export class FileEffects {
  /** The findings of the last `apply`, for the event's row. */
  call = 0;
  file = NONE;
  handle = NONE;
  offset = NaN;
  bytes = 0;
  flags = 0;
  argument = NaN;
  /** The other file of a copy inside the kernel, and where in it. */
  otherFile = NONE;
  otherHandle = NONE;
  otherOffset = NaN;

  constructor(
    private readonly builder: CaptureBuilder,
    readonly handles: ProcessHandles,
    private readonly paths: ProcessPaths,
  ) {}

  apply(event: Occurrence): void {
    const { called, given } = event;
    this.call = called.call;
    this.file = NONE;
    this.handle = NONE;
    this.offset = NaN;
    this.bytes = 0;
    this.flags = 0;
    this.argument = NaN;
    this.handles.open.settle(event.start);
    const subject = this.handles.subjectOf(event);
    if (subject !== undefined) {
      this.file = subject.file;
      this.handle = subject.handle;
    } else if (given.path !== 0) {
      const isName = called.searches && !this.paths.text(given.path).includes('/');
      if (!isName) this.file = this.fileOfPath(event, given.path, given.folder);
    }
    // A symbolic link: what it says is no path of a file.
    else if (given.otherPath !== 0) this.file = this.fileOfPath(event, given.otherPath, given.otherFolder);
    else if (called.layer === HDF5 && given.handle !== 0) this.file = this.handles.fileAround(event);
    if (event.failed) this.applyFailure(event, subject);
    else this.applyEffect(event, subject);
  }

  /** The recorder says what a descriptor is. */
  describe(event: Occurrence): void {
    const { given } = event;
    const open = this.handles.described(event, this.paths.fileOf(given.path, '', POSIX));
    if (open !== undefined) this.place(open, given.offset >= 0 ? given.offset : NaN, event.end);
  }

  /** The recorder says what an object of HDF5 is. */
  describeObject(event: Occurrence): void {
    const { given } = event;
    const file = this.paths.fileOf(given.path, this.handles.open.folder, HDF5);
    this.handles.describedObject(event, file, this.paths.text(given.objectName));
  }

  private fileOfPath(event: Occurrence, path: number, folderOf: number): number {
    const { handles } = this;
    const open = folderOf < 0 ? undefined : handles.descriptor(folderOf, event.stream);
    const known = open === undefined || open.file === NONE ? '' : this.builder.files.at(open.file).path;
    const file = this.paths.fileOf(path, folderOf < 0 ? handles.open.folder : known, event.called.layer);
    // An empty path means the descriptor itself (AT_EMPTY_PATH).
    if (file !== NONE || open === undefined) return file;
    this.handle = open.handle;
    return open.file;
  }

  private applyFailure({ called, given, stream }: Occurrence, subject: CapturedFile | undefined): void {
    if (called.effect === 'send' || called.effect === 'copy') {
      this.otherSide(this.handles.descriptor(given.otherDescriptor, stream));
      this.otherOffset = NaN;
    } else if (called.effect === 'open') this.argument = this.paths.openMode(called, given.flags);
    else if (called.effect === 'seek') this.argument = given.whence;
    else if (called.moves && given.offset >= 0 && subject !== undefined) this.offset = subject.place(given.offset);
  }

  private applyEffect(event: Occurrence, subject: CapturedFile | undefined): void {
    const { called, given } = event;
    switch (called.effect) {
      case 'transfer':
      case 'positioned':
        this.transfer(event, subject);
        break;
      case 'placeless':
        this.movePlaceless(event, subject);
        break;
      case 'seek':
        this.argument = given.whence;
        if (subject !== undefined) this.seek(event, subject);
        break;
      case 'tell':
        if (subject !== undefined) this.place(subject, given.result >= 0 ? given.result : given.offset, event.end);
        break;
      case 'open':
        this.opened(event);
        break;
      case 'close':
        this.handles.close(event);
        break;
      case 'status':
        if (given.size >= 0) this.builder.appendOffsets.knows(this.file, given.size, event.end);
        break;
      case 'none':
        this.applyRest(event);
        break;
      default:
        this.applyRareEffect(event, subject);
    }
  }

  private opened(event: Occurrence): void {
    const { called, given } = event;
    this.argument = this.paths.openMode(called, given.flags);
    this.handle = this.handles.opened(event, this.file, this.argument).handle;
  }

  private applyRest({ called, given }: Occurrence): void {
    this.offset = given.offset >= 0 ? given.offset : NaN;
    const operation = this.builder.calls.operation[called.call]!;
    if (operation === OPERATION.message || operation === OPERATION.copy) this.bytes = Math.max(0, given.result) || 0;
  }

  private applyRareEffect(event: Occurrence, subject: CapturedFile | undefined): void {
    const { called, given, end } = event;
    const { handles, appendOffsets } = this.builder;
    switch (called.effect) {
      case 'view':
        if (subject !== undefined)
          subject.setView(given.displacement, given.isContiguous && given.unit > 0 ? given.unit : NaN);
        break;
      case 'truncate':
        this.argument = given.value >= 0 ? given.value : given.size;
        appendOffsets.knows(this.file, this.argument, end);
        break;
      case 'remove':
        handles.replaced(this.file);
        appendOffsets.knows(this.file, 0, end);
        break;
      case 'rename':
        this.rename(event);
        break;
      case 'changeFolder':
        if (this.file !== NONE) this.handles.open.folder = this.builder.files.at(this.file).path;
        break;
      case 'lock':
        this.argument = lockKind(called.name, given.kind);
        break;
      case 'map':
        this.applyRest(event);
        if (subject !== undefined) this.handles.open.mapped(given.otherOffset, given.requested, given.offset, subject);
        break;
      case 'syncMapping':
        this.syncMapping(given);
        break;
      case 'send':
      case 'copy':
        this.copy(event, subject);
        break;
      default:
        this.applyToHandles(event, subject);
    }
  }

  private applyToHandles(event: Occurrence, subject: CapturedFile | undefined): void {
    const { called, given } = event;
    const { handles } = this;
    switch (called.effect) {
      case 'wrap':
        this.argument = this.paths.openMode(called, given.flags);
        this.show(handles.wrapped(event));
        break;
      case 'reopen':
        handles.close(event);
        if (given.path !== 0) this.file = this.fileOfPath(event, given.path, given.folder);
        this.argument = this.paths.openMode(called, given.flags);
        this.show(handles.opened(event, this.file, this.argument));
        break;
      case 'buffer':
        if (subject !== undefined)
          handles.setBuffering(subject, given.kind !== FULLY_BUFFERED || isTiny(given.requested));
        break;
      case 'openObject':
        this.show(handles.openedObject(event, this.file, this.paths.text(given.objectName)));
        break;
      case 'duplicate':
        handles.dup(event);
        break;
      case 'control':
        this.control(event, subject);
        break;
      case 'closeRange':
        handles.closeRange(event);
        break;
      case 'makes':
        handles.made(event);
        break;
      default:
    }
  }

  /** Which file is mapped where msync was told to look. */
  private syncMapping({ otherOffset }: Occurrence['given']): void {
    const mapping = this.handles.open.mappingAt(otherOffset);
    if (mapping === undefined) return;
    this.show(mapping.open);
    this.offset = mapping.offset + otherOffset - mapping.address;
  }

  private show(open: CapturedFile | undefined): void {
    if (open === undefined) return;
    this.file = open.file;
    this.handle = open.handle;
  }

  private rename(event: Occurrence): void {
    const { given, end } = event;
    const { handles, appendOffsets } = this.builder;
    const to = this.fileOfPath(event, given.otherPath, given.otherFolder);
    if (to !== NONE) {
      this.argument = to;
      handles.replaced(to);
      appendOffsets.knows(to, NaN, end);
    }
    handles.replaced(this.file);
    appendOffsets.knows(this.file, 0, end);
  }

  private control(event: Occurrence, open: CapturedFile | undefined): void {
    const { given } = event;
    const control = controlOf(given);
    switch (control.effect) {
      case 'duplicate':
        this.handles.duplicate(event, control.closeOnExecute);
        break;
      case 'appends':
        if (open !== undefined) open.appends = control.appends;
        break;
      case 'closeOnExecute':
        this.handles.setCloseOnExecute(given.descriptor, control.closeOnExecute);
        break;
      case 'lock':
        this.call = this.builder.calls.intern(control.name, 'lock');
        this.argument = control.kind;
        break;
      default:
    }
  }

  private transfer(event: Occurrence, open: CapturedFile | undefined): void {
    const { called, given } = event;
    const bytes = movedBytes(event);
    // Of a transfer that was only begun its completion says how much it moved.
    this.bytes = isBegun(event) ? 0 : bytes;
    // preadv2 and pwritev2 use the file's position when they are given −1; MPI-IO says so where that is not known.
    const isPositioned = given.offset >= 0;
    if (!isPositioned && called.layer === MPI_IO && !Number.isNaN(given.offset) && open !== undefined)
      open.position = NaN;
    if (called.writes && open?.appends === true) {
      this.flags = EVENT_FLAGS.append;
      this.builder.appendOffsets.add(open.file);
      if (!isPositioned) open.position = NaN;
    } else if (open === undefined) this.offset = isPositioned ? given.offset : NaN;
    else this.offset = isPositioned ? open.place(given.offset) : this.move(event, open, event.row, bytes);
  }

  private movePlaceless(event: Occurrence, open: CapturedFile | undefined): void {
    const { given } = event;
    this.bytes = isBegun(event) ? 0 : movedBytes(event);
    if (given.isCollective) this.flags = EVENT_FLAGS.collective;
    // Variables of NetCDF are not opened: each call names its own.
    if (open !== undefined && given.objectName !== 0)
      this.handle = this.handles.within(open, this.paths.text(given.objectName), event).handle;
  }

  /** A transfer at the position, which moves on. @returns where it was. */
  private move({ end }: Occurrence, open: CapturedFile, row: number, bytes: number): number {
    const { sharing } = open;
    if (sharing !== undefined) {
      this.builder.sharedPositions.moved(sharing, row, bytes, end);
      return NaN;
    }
    open.use();
    const place = open.place(open.position);
    open.position += bytes / open.viewUnit;
    return place;
  }

  private place(open: CapturedFile, position: number, time: number): void {
    open.use();
    open.position = position;
    if (open.sharing !== undefined) this.builder.sharedPositions.set(open.sharing, position, time);
  }

  private seek({ called, given, end }: Occurrence, open: CapturedFile): void {
    let position = NaN;
    if (called.layer === POSIX) position = given.result;
    else if (called.name === 'rewind') position = 0;
    else if (given.otherOffset >= 0) position = given.otherOffset;
    else if (given.whence === 1) position = open.position + given.offset;
    else if (given.whence === 0) position = given.offset;
    this.place(open, position >= 0 ? position : NaN, end);
    this.offset = open.place(open.position);
  }

  /** Both sides of a copy inside the kernel: each at an offset of its own, or at the file's position. */
  private copy(event: Occurrence, first: CapturedFile | undefined): void {
    const { given, row } = event;
    this.bytes = Math.max(0, given.result);
    const second = this.handles.descriptor(given.otherDescriptor, event.stream);
    this.otherSide(second);
    const at = (open: CapturedFile | undefined, own: number, ofRow: number): number => {
      if (own >= 0) return own;
      return open === undefined ? NaN : this.move(event, open, ofRow, this.bytes);
    };
    // sendfile has one offset: that of the file that it copies from, which is its second descriptor.
    const isSend = event.called.effect === 'send';
    this.offset = at(first, isSend ? NaN : given.offset, row);
    this.otherOffset = at(second, isSend ? given.offset : given.otherOffset, row + 1);
  }

  private otherSide(open: CapturedFile | undefined): void {
    this.otherFile = open?.file ?? NONE;
    this.otherHandle = open?.handle ?? NONE;
  }
}

/** Bytes that a successful call moved, or is going to move. */
function movedBytes(event: Occurrence): number {
  const { called, given } = event;
  if (!Number.isNaN(given.moved)) return given.moved;
  if (called.hasErrorNumber && !isBegun(event)) return Math.max(0, given.result) || 0;
  return Number.isNaN(given.requested) ? 0 : given.requested;
}

/** _IOFBF of setvbuf. */
const FULLY_BUFFERED = 0;
/** Bytes of a buffer below which it hardly spares a call. */
const TINY_BUFFER = 512;

/** @param bytes of a buffer that the program brings; 0 where the C library makes one. */
function isTiny(bytes: number): boolean {
  return bytes > 0 && bytes < TINY_BUFFER;
}
