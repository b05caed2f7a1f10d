import { EVENT_FLAGS, NONE, OPEN_MODE } from '../../trace/events.ts';
import { HANDLE_FLAGS, type HandleTable } from '../../trace/files.ts';
import type { NameTable } from '../../trace/names.ts';
import { CALL_FLAGS, UNSEEN, WORKING_FOLDER, type CallInProgress } from './arguments.ts';
import { FileEnds } from '../open-files/file-ends.ts';
import type { PathResolver } from './paths.ts';
import { DecoratedFile, type DescriptorTable, type TracedProcess } from './processes.ts';
import { EFFECT } from './system-calls.ts';
import type { UnseenTransfers } from './unseen-transfers.ts';

const STANDARD_ERROR = 2;

/** What a call returned. */
export class Returned {
  /** NaN for `?` and for calls that never returned. */
  value = NaN;
  /** Index of the returned descriptor's decoration, or UNSEEN. */
  decoration = UNSEEN;
  failed = false;
}

/**
 * Follows descriptors and offsets through the calls of a recording, in the order of their **returns** (formats document,
 * section 9). Offsets that the recording does not tell stay unknown: nothing is guessed.
 */
export class OffsetTracker {
  /** The findings of the last `apply`, for the event's row. */
  file = NONE;
  handle = NONE;
  offset = NaN;
  bytes = 0;
  flags = 0;
  /** The other file of a copy inside the kernel, and where in it: set for those calls only. */
  otherFile = NONE;
  otherHandle = NONE;
  otherOffset = NaN;

  private readonly ends = new FileEnds();
  /** File to the file that its name was changed to. */
  private readonly renamed = new Map<number, number>();
  /** Set when a process was made: its pid and what it inherits. */
  onFork: (child: number, parent: TracedProcess, call: CallInProgress) => void = () => undefined;

  constructor(
    private readonly paths: PathResolver,
    private readonly handles: HandleTable,
    private readonly errors: NameTable,
    private readonly unseen: UnseenTransfers,
  ) {}

  /** Works out file, handle, offset and bytes of a call that returned, and what it changed. */
  apply(process: TracedProcess, call: CallInProgress, returned: Returned, error: number): void {
    this.file = NONE;
    this.handle = NONE;
    this.offset = NaN;
    this.bytes = 0;
    this.flags = 0;
    if (call.fd === WORKING_FOLDER || call.folder === WORKING_FOLDER) this.noteFolder(process, call);
    const open = this.describe(process, call.fd, call.decoration);
    if (open !== undefined) {
      this.file = open.file;
      this.handle = open.handle;
    } else if (call.path !== UNSEEN || !Number.isNaN(call.folder)) {
      this.file = this.pathFile(process, call.folder, call.folderDecoration, call.path);
    }
    if (returned.failed || Number.isNaN(returned.value)) this.applyFailure(process, call, error);
    else this.applyEffect(process, call, returned, open);
  }

  /** The open file behind a descriptor, made on first sight where the recording does not show its opening. */
  private describe(process: TracedProcess, fd: number, decoration: number): DecoratedFile | undefined {
    if (!(fd >= 0)) return undefined;
    const descriptor = process.table.descriptors.get(fd);
    if (descriptor !== undefined) {
      const open = descriptor.open;
      if (decoration === UNSEEN || open.decoration === decoration) return open;
      const file = this.paths.decorated(decoration);
      if (file === open.file || this.isSameThing(open, file)) {
        open.decoration = decoration;
        open.file = file;
        return open;
      }
    } else if (decoration === UNSEEN) return undefined;
    return this.firstSight(process, fd, decoration, fd <= STANDARD_ERROR ? HANDLE_FLAGS.preCreated : 0);
  }

  /** The decoration differs from what is known, but the descriptor was not opened anew. */
  private isSameThing(open: DecoratedFile, file: number): boolean {
    if (open.file === NONE || this.renamed.get(open.file) === file) return true;
    // A socket's decoration follows its state (bound, connected).
    const from = open.file;
    return this.isNoPath(from) && this.isNoPath(file);
  }

  private isNoPath(file: number): boolean {
    return this.paths.kind(file) !== 'regular';
  }

  private firstSight(process: TracedProcess, fd: number, decoration: number, flags = 0): DecoratedFile {
    const file = this.paths.decorated(decoration);
    const open = new DecoratedFile(this.handles.add(file, process.stream, NONE, { flags }), file);
    open.position = NaN;
    open.decoration = decoration;
    process.table.descriptors.set(fd, { open, closeOnExecute: false });
    return open;
  }

  private pathFile(process: TracedProcess, folderFd: number, folderDecoration: number, path: number): number {
    if (path === UNSEEN || this.paths.text(path) === '') {
      // `newfstatat(3</f>, "", …, AT_EMPTY_PATH)` means the descriptor itself.
      const open = this.describe(process, folderFd, folderDecoration);
      if (open !== undefined) this.handle = open.handle;
      return open?.file ?? NONE;
    }
    let folder = this.paths.folder(folderDecoration);
    if (folder === '') {
      const isWorking = Number.isNaN(folderFd) || folderFd === WORKING_FOLDER;
      const known = isWorking ? undefined : this.describe(process, folderFd, UNSEEN);
      folder = known === undefined ? process.folder.path : this.paths.path(known.file);
    }
    return this.paths.argument(path, folder);
  }

  private noteFolder(process: TracedProcess, call: CallInProgress): void {
    const folder = this.paths.folder(call.folder === WORKING_FOLDER ? call.folderDecoration : call.decoration);
    if (folder !== '') process.folder.path = folder;
  }

  private applyFailure(process: TracedProcess, call: CallInProgress, error: number): void {
    // A file that does not exist is empty when the next open creates it.
    if (this.file !== NONE && this.errors.at(error) === 'ENOENT') this.ends.set(this.file, 0);
    const { effect } = call.call;
    if (effect === EFFECT.positioned) this.offset = call.offset;
    else if (effect === EFFECT.sendFile || effect === EFFECT.copyRange) {
      this.other(process, call);
      this.otherOffset = call.offset2;
      if (effect === EFFECT.copyRange) this.offset = call.offset;
    }
  }

  private applyEffect(process: TracedProcess, call: CallInProgress, returned: Returned, open?: DecoratedFile): void {
    const value = returned.value;
    switch (call.call.effect) {
      case EFFECT.transfer:
        this.bytes = value;
        this.transfer(call, open, value);
        break;
      case EFFECT.positioned:
        this.bytes = value;
        this.positioned(call, open, value);
        break;
      case EFFECT.positionedOrTransfer:
        this.bytes = value;
        if (call.offset === -1) this.transfer(call, open, value);
        else this.positioned(call, open, value);
        break;
      case EFFECT.seek:
        this.offset = Number.isNaN(call.result) ? value : call.result;
        if (open !== undefined) open.position = this.offset;
        if (call.flags & CALL_FLAGS.seekEnd && Number.isNaN(call.result)) {
          this.ends.set(this.file, this.offset - call.offset);
        }
        break;
      case EFFECT.open:
        this.openFile(process, call, returned);
        break;
      case EFFECT.close:
        process.table.descriptors.delete(call.fd);
        break;
      case EFFECT.none:
        this.applyRest(call, value);
        break;
      default:
        this.applyRareEffect(process, call, returned, open);
    }
  }

  private applyRest(call: CallInProgress, value: number): void {
    if (call.call.operation === 'message' || call.call.operation === 'copy') this.bytes = value;
    this.offset = call.offset;
  }

  private transfer(call: CallInProgress, open: DecoratedFile | undefined, value: number): void {
    if (open === undefined) return;
    const writes = call.call.operation === 'write';
    if (writes && open.appends) this.flags = EVENT_FLAGS.append;
    this.offset = open.transfer(value, writes, this.ends);
  }

  private positioned(call: CallInProgress, open: DecoratedFile | undefined, value: number): void {
    const writes = call.call.operation === 'write';
    if (open === undefined) {
      this.offset = call.offset;
      return;
    }
    if (writes && open.appends) this.flags = EVENT_FLAGS.append;
    this.offset = open.transferAt(call.offset, value, writes, this.ends);
  }

  private openFile(process: TracedProcess, call: CallInProgress, returned: Returned): void {
    if (returned.decoration !== UNSEEN) this.file = this.paths.decorated(returned.decoration);
    this.handle = this.handles.add(this.file, process.stream);
    const open = new DecoratedFile(this.handle, this.file);
    open.appends = (call.flags & CALL_FLAGS.append) !== 0;
    open.decoration = returned.decoration;
    if (call.call.name === 'creat') call.detail = OPEN_MODE.create | OPEN_MODE.truncate | 1;
    if (call.detail & OPEN_MODE.truncate) this.ends.set(this.file, 0);
    const closeOnExecute = (call.flags & CALL_FLAGS.closeOnExecute) !== 0;
    process.table.descriptors.set(returned.value, { open, closeOnExecute });
  }

  private applyRareEffect(
    process: TracedProcess,
    call: CallInProgress,
    returned: Returned,
    open?: DecoratedFile,
  ): void {
    const table = process.table;
    switch (call.call.effect) {
      case EFFECT.dup:
      case EFFECT.dupOnto:
        duplicate(table, open, returned.value, call.flags);
        break;
      case EFFECT.fcntl:
        applyFcntl(table, call, returned.value, open);
        break;
      case EFFECT.closeRange:
        for (const [fd, descriptor] of table.descriptors) {
          if (fd < call.offset || fd > call.fd2) continue;
          if (call.flags & CALL_FLAGS.closeOnExecute) descriptor.closeOnExecute = true;
          else table.descriptors.delete(fd);
        }
        break;
      case EFFECT.makes:
        this.make(process, returned.value, returned.decoration, call.flags);
        break;
      case EFFECT.makesPair:
        this.make(process, call.pair[0], call.pairDecorations[0], call.flags);
        this.make(process, call.pair[1], call.pairDecorations[1], call.flags);
        break;
      case EFFECT.fork:
        if (returned.value > 0) this.onFork(returned.value, process, call);
        break;
      case EFFECT.execute:
        process.table = table.afterExecute();
        process.mappings = [];
        break;
      case EFFECT.changeFolder:
        if (this.file !== NONE) process.folder.path = this.paths.path(this.file);
        break;
      case EFFECT.map:
      case EFFECT.unmap:
      case EFFECT.syncMapping:
        this.applyMapping(process, call, returned.value, open);
        break;
      case EFFECT.ring:
        this.unseen.ringSubmitted(returned.value);
        break;
      default:
        this.applyFileEffect(process, call, returned.value, open);
    }
  }

  private make(process: TracedProcess, fd: number, decoration: number, flags: number): void {
    process.table.descriptors.delete(fd);
    if (!(fd >= 0) || decoration === UNSEEN) return;
    this.firstSight(process, fd, decoration);
    if (flags & CALL_FLAGS.closeOnExecute) process.table.descriptors.get(fd)!.closeOnExecute = true;
  }

  private applyFileEffect(process: TracedProcess, call: CallInProgress, value: number, open?: DecoratedFile): void {
    switch (call.call.effect) {
      case EFFECT.sendFile: {
        this.bytes = value;
        this.offset = this.moved(open, NaN, value, true);
        this.otherOffset = this.moved(this.other(process, call), call.offset2, value, false);
        break;
      }
      case EFFECT.copyRange: {
        this.bytes = value;
        this.offset = this.moved(open, call.offset, value, false);
        this.otherOffset = this.moved(this.other(process, call), call.offset2, value, true);
        break;
      }
      case EFFECT.unlink:
        this.handles.replaced(this.file);
        this.ends.set(this.file, 0);
        break;
      case EFFECT.truncate:
        call.detail = call.requested;
        this.ends.set(this.file, call.requested);
        break;
      case EFFECT.status:
        if (!Number.isNaN(call.fileSize)) this.ends.set(this.file, call.fileSize);
        break;
      case EFFECT.rename: {
        const to = this.paths.argument(call.path2, this.paths.folder(call.folder2Decoration) || process.folder.path);
        call.detail = to;
        this.renamed.set(this.file, to);
        this.handles.replaced(this.file);
        this.handles.replaced(to);
        this.ends.set(to, this.ends.get(this.file));
        break;
      }
    }
  }

  /** The open file at the other end of a copy. */
  private other(process: TracedProcess, call: CallInProgress): DecoratedFile | undefined {
    const open = this.describe(process, call.fd2, call.decoration2);
    this.otherFile = open?.file ?? NONE;
    this.otherHandle = open?.handle ?? NONE;
    return open;
  }

  /** File and handle of a descriptor that a request names. */
  seen(process: TracedProcess, fd: number, decoration: number): DecoratedFile | undefined {
    return this.describe(process, fd, decoration);
  }

  /** A request ended that wrote to a file, up to here. */
  wrote(file: number, end: number): void {
    this.ends.written(file, end);
  }

  private applyMapping(process: TracedProcess, call: CallInProgress, value: number, open?: DecoratedFile): void {
    const { mappings } = process;
    switch (call.call.effect) {
      case EFFECT.map: {
        this.offset = call.offset;
        if (open === undefined || this.file === NONE) break;
        const { file, handle } = this;
        mappings.push({ address: value, length: call.requested, file, handle, offset: call.offset });
        if ((call.flags & CALL_FLAGS.mappedByLoader) === 0) this.unseen.fileMapped(file);
        break;
      }
      case EFFECT.unmap: {
        const end = call.address + call.requested;
        const kept = mappings.filter(({ address, length }) => address < call.address || address + length > end);
        mappings.splice(0, mappings.length, ...kept);
        break;
      }
      case EFFECT.syncMapping: {
        const mapping = mappings.findLast(
          ({ address, length }) => address <= call.address && call.address < address + length,
        );
        if (mapping === undefined) break;
        this.file = mapping.file;
        this.handle = mapping.handle;
        this.offset = mapping.offset + call.address - mapping.address;
        break;
      }
    }
  }

  /** One side of a copy inside the kernel: at an offset of its own, or at the file's, which moves. */
  private moved(open: DecoratedFile | undefined, own: number, value: number, writes: boolean): number {
    if (open === undefined) return own;
    const offset = Number.isNaN(own) ? open.position : own;
    if (Number.isNaN(own)) open.position += value;
    if (writes) this.ends.written(open.file, offset + value);
    return offset;
  }
}

/** The copy of a descriptor that nothing is known of is not known either, whatever its number stood for before. */
function duplicate(table: DescriptorTable, open: DecoratedFile | undefined, fd: number, flags: number): void {
  if (open === undefined) table.descriptors.delete(fd);
  else table.descriptors.set(fd, { open, closeOnExecute: (flags & CALL_FLAGS.closeOnExecute) !== 0 });
}

function applyFcntl(table: DescriptorTable, call: CallInProgress, value: number, open?: DecoratedFile): void {
  if (call.flags & CALL_FLAGS.duplicate) duplicate(table, open, value, call.flags);
  else if (open === undefined) return;
  else if (call.flags & CALL_FLAGS.setFlags) open.appends = (call.flags & CALL_FLAGS.append) !== 0;
  else if (call.flags & CALL_FLAGS.setDescriptorFlags) {
    const descriptor = table.descriptors.get(call.fd);
    if (descriptor !== undefined) descriptor.closeOnExecute = (call.flags & CALL_FLAGS.closeOnExecute) !== 0;
  }
}
