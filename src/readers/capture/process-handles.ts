import { LAYERS } from '../../trace/calls.ts';
import { NONE, OPEN_MODE } from '../../trace/events.ts';
import { HANDLE_FLAGS, type HandleTraits } from '../../trace/files.ts';
import type { CaptureBuilder } from './capture-builder.ts';
import type { Occurrence } from './occurrence.ts';
import { CapturedFile, type Descriptor, type OpenFiles } from './open-files.ts';
import type { Identifier } from './record-cursor.ts';

const POSIX = LAYERS.indexOf('POSIX');
const STDIO = LAYERS.indexOf('STDIO');
const HDF5 = LAYERS.indexOf('HDF5');
const MPI_IO = LAYERS.indexOf('MPI-IO');
const CLOSE_ON_EXECUTE = 0o2000000;
const CLOSE_RANGE_ON_EXECUTE = 4;
/** Streams of a process that are looked at when a descriptor leads to another file. */
const MOST_STREAMS = 256;
/** Handles of a layer among which the one open file is looked for. */
const MOST_SEARCHED = 64;
/** The lowest descriptors are there before a program begins. */
const MOST_STANDARD = 2;
const STANDARD_ERROR = 2;

/** What one process has open, and how calls change that. */
export class ProcessHandles {
  /** Several threads use what is open: what one opens is there when its call returned. */
  isThreaded = false;

  constructor(
    private readonly builder: CaptureBuilder,
    readonly open: OpenFiles,
    private readonly communicatorOf: (number: number) => number,
  ) {}

  /** What is open that a call works on; undefined for calls on paths, and for those that open something. */
  subjectOf(event: Occurrence): CapturedFile | undefined {
    const { called, given } = event;
    if (called.effect === 'open' || called.effect === 'openObject') return undefined;
    if (called.layer === POSIX || given.handle === 0) return this.descriptor(given.descriptor, event.stream);
    const known = this.find(called.layer, given.handle);
    return known !== undefined || called.effect === 'wrap' ? known : this.firstSight(event);
  }

  find(layer: number, identifier: Identifier): CapturedFile | undefined {
    return this.open.handlesOf(layer).get(identifier);
  }

  /** A file of MPI-IO that was opened by a call that was lost. */
  private firstSight({ called, given, stream }: Occurrence): CapturedFile | undefined {
    if (called.layer !== MPI_IO) return undefined;
    const open = this.make(NONE, MPI_IO, stream, NONE);
    open.position = NaN;
    this.open.handlesOf(MPI_IO).set(given.handle, open);
    return open;
  }

  /** The open file behind a descriptor, undefined when nothing is known of it. */
  descriptor(fd: number, stream: number): CapturedFile | undefined {
    const descriptor = this.open.descriptors.get(fd);
    if (descriptor === undefined || descriptor.open !== undefined) return descriptor?.open;
    const above = descriptor.stream!;
    const open = this.make(above.file, POSIX, stream, above.handle);
    // C++ makes its streams of those of C, and reads and writes below these alone.
    open.position = above.isUsed || above.appends ? NaN : above.position;
    open.appends = above.appends;
    descriptor.open = open;
    above.below = open;
    return open;
  }

  private make(file: number, layer: number, stream: number, parent: number, more: HandleTraits = {}): CapturedFile {
    return new CapturedFile(this.builder.handles.add(file, stream, parent, { layer, ...more }), file, layer);
  }

  /** @param mode bits of OPEN_MODE, NaN when they are not known. */
  opened(event: Occurrence, file: number, mode: number): CapturedFile {
    const { called, given, stream, above } = event;
    const { layer } = called;
    const communicator = given.communicator === 0 ? NONE : this.communicatorOf(given.communicator);
    const open = this.make(file, layer, stream, above, { communicator });
    const isAppending = (mode & OPEN_MODE.append) !== 0;
    if (layer >= STDIO) open.appends = isAppending;
    else if (isAppending) open.position = NaN;
    const closeOnExecute = (given.flags & CLOSE_ON_EXECUTE) !== 0;
    if (layer === POSIX) this.install(given.result, { open, stream: undefined, closeOnExecute }, event);
    else this.installHandle(identifierOf(event), open, event);
    if (layer === STDIO) {
      open.descriptor = given.otherDescriptor;
      this.install(open.descriptor, { open: undefined, stream: open, closeOnExecute }, event);
    }
    return open;
  }

  private install(fd: number, descriptor: Descriptor, event: Occurrence): void {
    if (!(fd >= 0)) return;
    const apply = (): void => {
      this.open.descriptors.set(fd, descriptor);
      if (descriptor.stream === undefined) this.redirectStreams(fd, event);
    };
    if (this.isThreaded) this.open.at(event.end, apply);
    else apply();
  }

  /** A stream works on whatever its descriptor leads to: a shell puts a file in the place of its standard output. */
  private redirectStreams(fd: number, event: Occurrence): void {
    const streams = this.open.handlesOf(STDIO);
    if (streams.size > MOST_STREAMS) return;
    for (const [identifier, { descriptor }] of streams) if (descriptor === fd) this.setStream(identifier, fd, event);
  }

  private installHandle(identifier: Identifier, open: CapturedFile, { end }: Occurrence): void {
    const handles = this.open.handlesOf(open.layer);
    if (this.isThreaded) this.open.at(end, () => handles.set(identifier, open));
    else handles.set(identifier, open);
  }

  /** A stream is made of an open descriptor. */
  wrapped(event: Occurrence): CapturedFile {
    const open = this.streamOn(event.given.descriptor, event);
    this.installHandle(event.given.handle, open, event);
    return open;
  }

  /** The recorder says on which descriptor a stream is that the process was not seen to open. */
  streamDescribed(event: Occurrence): void {
    const { given } = event;
    this.setStream(given.handle, given.otherDescriptor, event);
  }

  /** A stream is on a descriptor from now on, and buffers as it did before. */
  private setStream(identifier: Identifier, fd: number, event: Occurrence): void {
    const streams = this.open.handlesOf(STDIO);
    const before = streams.get(identifier);
    const open = this.streamOn(fd, event);
    const flags = before?.descriptor === fd ? this.builder.handles.flags.at(before.handle) : 0;
    if ((flags & HANDLE_FLAGS.writesThrough) !== 0) this.setBuffering(open, true);
    streams.set(identifier, open);
  }

  private streamOn(fd: number, { stream, above }: Occurrence): CapturedFile {
    const below = this.descriptor(fd, stream);
    const given = fd <= MOST_STANDARD ? HANDLE_FLAGS.preCreated : 0;
    const flags = given | (fd === STANDARD_ERROR ? HANDLE_FLAGS.writesThrough : 0);
    const open = this.make(below?.file ?? NONE, STDIO, stream, above, { flags });
    open.position = below?.position ?? NaN;
    open.appends = below?.appends ?? false;
    open.descriptor = fd;
    open.below = below;
    if (below !== undefined) {
      const { parent } = this.builder.handles;
      if (parent.at(below.handle) === NONE) parent.values[below.handle] = open.handle;
      below.position = NaN;
    }
    return open;
  }

  /** How a stream buffers is said before it is used: it holds for all its calls. */
  setBuffering({ handle }: CapturedFile, writesThrough: boolean): void {
    const { values } = this.builder.handles.flags;
    if (writesThrough) values[handle]! |= HANDLE_FLAGS.writesThrough;
    else values[handle]! &= ~HANDLE_FLAGS.writesThrough;
  }

  /** A data set, a group or an attribute is opened: it belongs to what it stands in. */
  openedObject(event: Occurrence, file: number, name: string): CapturedFile | undefined {
    const { called, given, stream } = event;
    const within = this.find(called.layer, given.otherHandle);
    const own = within?.file ?? (file === NONE ? this.fileAround(event) : file);
    if (own === NONE) return undefined;
    const open = this.make(own, called.layer, stream, within?.handle ?? NONE);
    if (name !== '') this.builder.handleNames.set(open.handle, name);
    this.installHandle(identifierOf(event), open, event);
    return open;
  }

  /** The recorder says what an object of HDF5 is that the process was not seen to open. */
  describedObject({ given, stream, end }: Occurrence, file: number, name: string): void {
    this.open.settle(end);
    const handles = this.open.handlesOf(HDF5);
    const ofFile = [...handles.values()].find((open) => open.file === file);
    const open = this.make(file, HDF5, stream, ofFile?.handle ?? NONE);
    if (name !== '') this.builder.handleNames.set(open.handle, name);
    handles.set(given.handle, open);
  }

  /** What a call names in an open file without opening it. */
  within(open: CapturedFile, name: string, { stream }: Occurrence): CapturedFile {
    let named = open.named.get(name);
    if (named === undefined) {
      named = this.make(open.file, open.layer, stream, open.handle);
      this.builder.handleNames.set(named.handle, name);
      open.named.set(name, named);
    }
    return named;
  }

  /**
   * The file of an object that nobody was seen to open, such as what HDF5 hands to functions that it calls back: that of
   * the call around it, else the one file that is open, if there is just one. NONE when neither tells.
   */
  fileAround({ called, above }: Occurrence): number {
    if (above !== NONE) return this.builder.handles.file.at(above);
    const handles = this.open.handlesOf(called.layer);
    if (handles.size > MOST_SEARCHED) return NONE;
    let only = NONE;
    for (const { file } of handles.values()) {
      if (only !== NONE && file !== only) return NONE;
      only = file;
    }
    return only;
  }

  close({ called, given }: Occurrence): void {
    // HDF5: others refer to it still.
    if (given.code > 0) return;
    if (called.layer === POSIX) this.open.descriptors.delete(given.descriptor);
    else {
      const handles = this.open.handlesOf(called.layer);
      const open = handles.get(given.handle);
      if (open !== undefined) this.open.descriptors.delete(open.descriptor);
      handles.delete(given.handle);
    }
  }

  closeRange({ given }: Occurrence): void {
    const { descriptors } = this.open;
    for (const [fd, descriptor] of descriptors) {
      if (fd < given.descriptor || fd > given.otherDescriptor) continue;
      if (given.kind & CLOSE_RANGE_ON_EXECUTE) descriptor.closeOnExecute = true;
      else descriptors.delete(fd);
    }
  }

  /** New descriptors that are no files: what they are is said when they are used first. */
  made({ called, given }: Occurrence): void {
    const { descriptors } = this.open;
    descriptors.delete(given.result);
    if (called.roles.length <= 1 || called.name.startsWith('accept')) return;
    descriptors.delete(given.descriptor);
    descriptors.delete(given.otherDescriptor);
  }

  duplicate(event: Occurrence, closeOnExecute: boolean): void {
    const { descriptor: from, result: to } = event.given;
    // A duplicate onto itself changes nothing.
    if (from === to) return;
    const open = this.descriptor(from, event.stream);
    if (open === undefined) this.open.descriptors.delete(to);
    else this.install(to, { open, stream: undefined, closeOnExecute }, event);
  }

  dup(event: Occurrence): void {
    this.duplicate(event, (event.given.flags & CLOSE_ON_EXECUTE) !== 0);
  }

  setCloseOnExecute(fd: number, closeOnExecute: boolean): void {
    const descriptor = this.open.descriptors.get(fd);
    if (descriptor !== undefined) descriptor.closeOnExecute = closeOnExecute;
  }

  /** The recorder says what a descriptor is that the process was not seen to open. @returns what is open there. */
  described({ given, stream, end }: Occurrence, file: number): CapturedFile | undefined {
    this.open.settle(end);
    const fd = given.descriptor;
    if (!(fd >= 0)) return undefined;
    let open = this.descriptor(fd, stream);
    if (open?.file !== file) {
      const flags = fd <= MOST_STANDARD ? HANDLE_FLAGS.preCreated : 0;
      open = this.make(file, POSIX, stream, NONE, { flags });
      this.open.descriptors.set(fd, { open, stream: undefined, closeOnExecute: false });
    }
    open.appends = (given.flags & OPEN_MODE.append) !== 0;
    return open;
  }

  /** Another process has what is open here from now on, and its calls are recorded too. */
  share(time: number): OpenFiles {
    const { sharedPositions } = this.builder;
    for (const { open } of this.open.descriptors.values())
      if (open !== undefined && open.sharing === undefined) open.shared = sharedPositions.add(open.position, time);
    return this.open.copy();
  }
}

/** What a call opened: libraries give it back by a pointer, or as their result. */
function identifierOf({ given }: Occurrence): Identifier {
  return given.handle === 0 ? given.result : given.handle;
}
