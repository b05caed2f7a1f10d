import { LOCK_KIND, NONE, OPEN_MODE } from '../../trace/events.ts';
import type { Archive } from './archive.ts';
import { UNDEFINED_32, UNDEFINED_64, type ByteCursor } from './byte-cursor.ts';
import { readValue } from './definition-records.ts';
import { LocalIndices, MAPPING, type LocalDefinitions } from './local-definitions.ts';
import type { LocationCalls } from './location-calls.ts';
import type { Envelope, LocationMessages } from './location-messages.ts';

/** Numbers of the records that are read; all others are passed over. */
const RECORD = {
  enter: 12,
  leave: 13,
  mpiSend: 14,
  mpiIsend: 15,
  mpiIsendComplete: 16,
  mpiIrecvRequest: 17,
  mpiRecv: 18,
  mpiIrecv: 19,
  mpiRequestCancelled: 21,
  mpiCollectiveBegin: 22,
  mpiCollectiveEnd: 23,
  callingContextEnter: 66,
  callingContextLeave: 67,
  createHandle: 69,
  destroyHandle: 70,
  duplicateHandle: 71,
  seek: 72,
  changeStatusFlags: 73,
  deleteFile: 74,
  operationBegin: 75,
  operationTest: 76,
  operationIssued: 77,
  operationComplete: 78,
  operationCancelled: 79,
  acquireLock: 80,
  releaseLock: 81,
  tryLock: 82,
  programBegin: 83,
  collectiveRequest: 85,
  collectiveComplete: 86,
} as const;
/** The highest number of a record that the library 3.0 knows. */
export const LAST_KNOWN_RECORD = 88;

/** Bits of OTF2_IoCreationFlag and OTF2_IoStatusFlag, and what Linux calls them. */
export const CREATION_BITS: readonly (readonly [bit: number, mode: number])[] = [
  [1 << 0, OPEN_MODE.create],
  [1 << 1, OPEN_MODE.truncate],
  [1 << 2, OPEN_MODE.directory],
  [1 << 3, OPEN_MODE.exclusive],
  [1 << 7, OPEN_MODE.temporary],
];
const APPEND = 1 << 1;
export const STATUS_BITS: readonly (readonly [bit: number, mode: number])[] = [
  [APPEND, OPEN_MODE.append],
  [1 << 2, OPEN_MODE.nonBlocking],
  [1 << 4, OPEN_MODE.sync],
  [1 << 5, OPEN_MODE.dataSync],
  [1 << 6, OPEN_MODE.direct],
];

/** When files were removed, and handles created: the same path is another file afterwards. */
export interface FileChanges {
  readonly removed: { readonly file: number; readonly at: number }[];
  readonly created: { readonly handle: number; readonly at: number }[];
}

/** Reads the records of one location and hands out what they say. */
export class EventRecords {
  /** Nanoseconds from the beginning of the recording. */
  now = 0;
  /** Number of the event that is read, from 1. */
  number = 0;
  /** The last offset that an attribute gave, for the next record; NaN when there was none. */
  private offset = NaN;
  private readonly regions: LocalIndices;
  private readonly contexts: LocalIndices;
  private readonly contextNodes: LocalIndices;
  private readonly communicators: LocalIndices;
  private readonly handles: LocalIndices;
  private readonly files: LocalIndices;
  private readonly isOffset: LocalIndices;

  constructor(
    private readonly archive: Archive,
    private readonly local: LocalDefinitions,
    private readonly calls: LocationCalls,
    private readonly messages: LocationMessages,
    private readonly fileChanges: FileChanges,
  ) {
    const { mappings } = local;
    this.regions = new LocalIndices(mappings.get(MAPPING.region), (id) => archive.regionOf(id));
    const contexts = mappings.get(MAPPING.callingContext);
    this.contexts = new LocalIndices(contexts, (id) => archive.regionOfContext(id));
    this.contextNodes = new LocalIndices(contexts, (id) => archive.nodeOfContext(id));
    this.communicators = new LocalIndices(mappings.get(MAPPING.communicator), (id) => archive.communicatorOf(id));
    this.handles = new LocalIndices(mappings.get(MAPPING.ioHandle), (id) => archive.handleOf(id));
    this.files = new LocalIndices(mappings.get(MAPPING.ioFile), (id) => archive.fileOf(id));
    this.isOffset = new LocalIndices(mappings.get(MAPPING.attribute), (id) => (archive.isOffset(id) ? 1 : 0));
  }

  /** Attributes of the next record. */
  attributes(c: ByteCursor): void {
    this.offset = NaN;
    for (let left = c.c32(); left > 0 && !c.overrun; left--) {
      const attribute = c.c32();
      const type = c.u8();
      const value = type === 4 ? c.c64() : readValue(c, type).value;
      if (this.isOffset.at(attribute) === 1 && value !== UNDEFINED_64) this.offset = value;
    }
  }

  /** Reads an event; the cursor ends where its payload does. Of a record that is too short nothing is taken. */
  read(type: number, c: ByteCursor): void {
    this.number++;
    switch (type) {
      case RECORD.enter: {
        const region = c.c32();
        if (!c.overrun) this.calls.enter(this.regions.at(region), this.now, this.number, undefined);
        break;
      }
      case RECORD.leave: {
        const region = c.c32();
        if (!c.overrun) this.leaveRegion(this.regions.at(region));
        break;
      }
      case RECORD.operationBegin:
        this.begin(c);
        break;
      case RECORD.operationComplete: {
        const handle = c.c32();
        const bytes = c.c64();
        c.c64();
        if (c.overrun) break;
        const moved = bytes === UNDEFINED_64 ? 0 : bytes;
        this.calls.complete(this.handles.at(handle), moved, c.high, c.low, false, this.now);
        break;
      }
      default:
        if (type >= RECORD.createHandle && type <= RECORD.tryLock) this.readHandle(type, c);
        else this.readRest(type, c);
    }
    this.offset = NaN;
  }

  /** A region is entered, by its number in the file. */
  enter(region: number): void {
    this.number++;
    this.calls.enter(this.regions.at(region), this.now, this.number, undefined);
    this.offset = NaN;
  }

  leave(region: number): void {
    this.number++;
    this.leaveRegion(this.regions.at(region));
    this.offset = NaN;
  }

  private leaveRegion(region: number): void {
    const { calls, messages } = this;
    const isEntered = calls.leave(region, this.now);
    if (isEntered) messages.left(calls.regions.depth + 1, this.now);
  }

  private begin(c: ByteCursor): void {
    const handle = c.c32();
    const mode = c.u8();
    const flags = c.c32();
    const bytes = c.c64();
    c.c64();
    if (c.overrun) return;
    const requested = bytes === UNDEFINED_64 ? NaN : bytes;
    const { calls, offset, now, number } = this;
    calls.begin(this.handles.at(handle), mode, flags, requested, c.high, c.low, offset, now, number);
  }

  private readHandle(type: number, c: ByteCursor): void {
    switch (type) {
      case RECORD.createHandle: {
        const [handle, access, creation, status] = [c.c32(), c.u8(), c.c32(), c.c32()];
        if (!c.overrun) this.create(this.handles.at(handle), access, creation, status);
        break;
      }
      case RECORD.destroyHandle: {
        const handle = c.c32();
        if (!c.overrun) this.metadata('close', this.handles.at(handle));
        break;
      }
      case RECORD.duplicateHandle: {
        const [old, duplicate, status] = [c.c32(), c.c32(), c.c32()];
        if (c.overrun) break;
        const row = this.metadata('metadata', this.handles.at(duplicate));
        this.calls.changed(row, this.handles.at(old), (status & APPEND) !== 0);
        break;
      }
      case RECORD.seek: {
        const handle = c.c32();
        c.i64();
        const whence = c.u8();
        const offset = c.c64();
        if (c.overrun) break;
        const row = this.metadata('seek', this.handles.at(handle));
        this.archive.events.set('argument', row, whence);
        if (offset !== UNDEFINED_64) this.archive.events.set('offset', row, offset);
        break;
      }
      case RECORD.changeStatusFlags: {
        const [handle, status] = [c.c32(), c.c32()];
        if (c.overrun) break;
        const row = this.metadata('metadata', this.handles.at(handle));
        this.calls.changed(row, NONE, (status & APPEND) !== 0);
        break;
      }
      case RECORD.deleteFile: {
        const [paradigm, file] = [c.u8(), c.c32()];
        if (!c.overrun) this.delete(this.archive.layerOf(paradigm), this.files.at(file));
        break;
      }
      case RECORD.operationTest: {
        const handle = c.c32();
        if (!c.overrun) this.calls.touched(this.handles.at(handle));
        break;
      }
      case RECORD.operationCancelled: {
        const handle = c.c32();
        c.c64();
        if (!c.overrun) this.calls.complete(this.handles.at(handle), 0, c.high, c.low, true, this.now);
        break;
      }
      case RECORD.acquireLock:
      case RECORD.releaseLock:
      case RECORD.tryLock: {
        const [handle, kind] = [c.c32(), c.u8()];
        if (!c.overrun) this.lock(type, this.handles.at(handle), kind === 1);
        break;
      }
    }
  }

  private lock(type: number, handle: number, isShared: boolean): void {
    const row = this.metadata('lock', handle);
    const kinds = type === RECORD.tryLock ? LOCK_KIND.tryExclusive : LOCK_KIND.exclusive;
    const argument = type === RECORD.releaseLock ? LOCK_KIND.release : isShared ? kinds + 1 : kinds;
    this.archive.events.set('argument', row, argument);
  }

  private create(handle: number, access: number, creation: number, status: number): void {
    const row = this.metadata('open', handle);
    // Execute and search only have no values of their own here: nothing is written through them.
    let mode = access <= 2 ? access : 0;
    for (const [bit, linux] of CREATION_BITS) if (creation & bit) mode |= linux;
    for (const [bit, linux] of STATUS_BITS) if (status & bit) mode |= linux;
    this.archive.events.set('argument', row, mode);
    if (handle !== NONE) this.fileChanges.created.push({ handle, at: this.now });
  }

  private delete(layer: number, file: number): void {
    const row = this.calls.metadata('metadata', NONE, layer, this.now, this.number);
    this.archive.events.set('file', row, file);
    if (file !== NONE) this.fileChanges.removed.push({ file, at: this.now });
  }

  private metadata(operation: 'open' | 'close' | 'seek' | 'metadata' | 'lock', handle: number): number {
    const layer = handle === NONE ? NONE : this.archive.handles.layer.at(handle);
    return this.calls.metadata(operation, handle, layer, this.now, this.number);
  }

  private readRest(type: number, c: ByteCursor): void {
    switch (type) {
      case RECORD.callingContextEnter: {
        const context = c.c32();
        if (c.overrun) break;
        this.calls.enter(this.contexts.at(context), this.now, this.number, this.contextNodes.at(context));
        break;
      }
      case RECORD.callingContextLeave: {
        const context = c.c32();
        if (!c.overrun) this.leaveRegion(this.contexts.at(context));
        break;
      }
      case RECORD.programBegin:
        this.program(c);
        break;
      default:
        if (type <= RECORD.mpiCollectiveEnd || type === RECORD.collectiveRequest || type === RECORD.collectiveComplete)
          this.readMessage(type, c);
    }
  }

  private program(c: ByteCursor): void {
    const strings = this.local.mappings.get(MAPPING.string);
    const words: string[] = [];
    const add = (): void => {
      const id = c.c32();
      words.push(this.archive.text(strings?.get(id) ?? id));
    };
    add();
    for (let left = c.c32(); left > 0 && !c.overrun; left--) add();
    if (!c.overrun && this.archive.program.text === '') this.archive.program.text = words.join(' ');
  }

  private readMessage(type: number, c: ByteCursor): void {
    const { messages, calls } = this;
    const { depth } = calls.regions;
    const since = depth === 0 ? this.now : calls.regions.start[depth - 1]!;
    switch (type) {
      case RECORD.mpiSend:
      case RECORD.mpiRecv: {
        const envelope = this.envelope(c);
        if (c.overrun) break;
        if (type === RECORD.mpiSend) messages.send(envelope, since, depth);
        else messages.receive(envelope, since, depth);
        break;
      }
      case RECORD.mpiIsend:
      case RECORD.mpiIrecv: {
        const envelope = this.envelope(c);
        const request = c.c64();
        if (c.overrun) break;
        if (type === RECORD.mpiIsend) messages.sendRequest(envelope, request, since);
        else messages.received(envelope, request, this.now);
        break;
      }
      case RECORD.mpiIsendComplete:
      case RECORD.mpiRequestCancelled: {
        const request = c.c64();
        if (!c.overrun) messages.requestEnds(request, this.now);
        break;
      }
      case RECORD.mpiIrecvRequest:
      case RECORD.collectiveRequest: {
        const request = c.c64();
        if (!c.overrun) messages.request(type === RECORD.mpiIrecvRequest ? 'receive' : 'collective', request, since);
        break;
      }
      case RECORD.mpiCollectiveBegin:
        messages.collectiveBegins(this.now);
        break;
      case RECORD.mpiCollectiveEnd:
      case RECORD.collectiveComplete: {
        const operation = c.u8();
        const group = c.c32();
        const root = c.c32();
        const sent = c.c64();
        const received = c.c64();
        const request = type === RECORD.collectiveComplete ? c.c64() : NONE;
        if (c.overrun) break;
        const communicator = this.communicators.at(group);
        messages.collective({ operation, communicator, root, sent, received }, this.now, request);
        break;
      }
    }
  }

  private envelope(c: ByteCursor): Envelope {
    const [peer, group, tag, bytes] = [c.c32(), c.c32(), c.c32(), c.c64()];
    const communicator = c.overrun ? NONE : this.communicators.at(group);
    return { peer, communicator, tag: tag === UNDEFINED_32 ? NONE : tag, bytes };
  }
}
