import { FILE_EFFECT } from '../../analysis/dependencies/file-effects.ts';
import type { IoEvents } from '../../analysis/dependencies/io-events.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, LOCK_KIND, OPEN_MODE } from '../../trace/events.ts';
import type { ReplayOperation, SynchronisationOperation } from '../program.ts';
import { FORM } from './call-forms.ts';
import type { CallColumns, HandleUses } from './handle-uses.ts';
import { MpiCalls, type MpiMeans } from './mpi-calls.ts';
import { keptMode, OpenSlots, streamMode, type OpenSlot } from './open-slots.ts';
import type { RecordedStep } from './recorded-replay.ts';
import type { ReplayPaths } from './replay-paths.ts';

const STDIO = LAYERS.indexOf('STDIO');

/** What the builders of all tasks share. */
export interface BuilderMeans {
  readonly events: IoEvents;
  readonly columns: CallColumns;
  readonly uses: HandleUses;
  /** FORM by index of the call. */
  readonly forms: Uint8Array;
  readonly paths: ReplayPaths;
  /** Whether something of a file is there when it is only asked for. */
  readonly isThere: (file: number) => boolean;
  readonly isFolder: (file: number) => boolean;
  /**
   * Whether several streams lock a file. Recordings do not say which bytes: locks of the whole file would make those wait
   * for each other that did not. The tokens keep the order.
   */
  readonly isContended: (file: number) => boolean;
  /** Notes a call that cannot be repeated. */
  readonly leaveOut: (call: number) => void;
  /** Where calls of MPI-IO are repeated as such. */
  readonly mpi: MpiMeans | undefined;
}

/** Makes the operations of one task of the calls of one stream. */
export class TaskBuilder {
  readonly steps: RecordedStep[] = [];
  private readonly slots = new OpenSlots();
  private readonly mpi: MpiCalls | undefined;

  constructor(
    private readonly means: BuilderMeans,
    private readonly stream: number,
  ) {
    if (means.mpi !== undefined) this.mpi = new MpiCalls(means, means.mpi, stream, this.slots, this.steps);
  }

  add(operation: ReplayOperation, startNs: number, place = NaN): void {
    this.steps.push({ operation, startNs, place });
  }

  /** Tokens stand for what was done before them. */
  synchronise(operation: SynchronisationOperation, timeNs: number): void {
    this.mpi?.waitForAll(timeNs);
    this.add(operation, timeNs);
  }

  end(): void {
    this.mpi?.end(NaN);
  }

  call(k: number): void {
    const { events, columns, forms, paths } = this.means;
    const file = events.file[k]!;
    const path = (): string => paths.at(file);
    const call = columns.call[k]!;
    const start = events.start[k]!;
    if (this.mpi?.call(k) === true) return;
    if (forms[call]! <= FORM.ofOpenFile && this.means.isFolder(file)) {
      this.means.leaveOut(call);
      return;
    }
    switch (forms[call]!) {
      case FORM.open:
        this.open(k);
        break;
      case FORM.close:
        this.close(k);
        break;
      case FORM.transfer:
      case FORM.positioned:
        this.transfer(k, forms[call] === FORM.positioned);
        break;
      case FORM.seek:
        this.seek(k);
        break;
      case FORM.sync:
      case FORM.dataSync:
        this.add({ operation: 'sync', slot: this.opened(k).slot, dataOnly: forms[call] === FORM.dataSync }, start);
        break;
      case FORM.truncate:
        this.truncate(k);
        break;
      case FORM.lock:
        this.lock(k);
        break;
      case FORM.look:
        if (this.means.isThere(file)) this.add({ operation: 'stat', path: path() }, start);
        else this.means.leaveOut(call);
        break;
      case FORM.remove:
        this.add({ operation: this.means.isFolder(file) ? 'rmdir' : 'unlink', path: path() }, start);
        break;
      case FORM.removeFolder:
        this.add({ operation: 'rmdir', path: path() }, start);
        break;
      case FORM.makeFolder:
        this.add({ operation: 'mkdir', path: path() }, start);
        break;
      case FORM.rename:
        if (events.argument[k]! >= 0)
          this.add({ operation: 'rename', path: path(), to: paths.at(events.argument[k]!) }, start);
        else this.means.leaveOut(call);
        break;
      default:
        this.means.leaveOut(call);
    }
  }

  private open(k: number): void {
    const { events, columns, uses } = this.means;
    const file = events.file[k]!;
    const handle = columns.handle[k]!;
    const recorded = events.argument[k]!;
    if (recorded & (OPEN_MODE.directory | OPEN_MODE.temporary)) {
      this.means.leaveOut(columns.call[k]!);
      return;
    }
    // What the recording does not say follows from what is done.
    const guessed = uses.isWritten(this.stream, handle, file) ? 2 | OPEN_MODE.create : 0;
    this.openAs(k, Number.isNaN(recorded) ? guessed : keptMode(recorded));
  }

  private openAs(k: number, mode: number): OpenSlot {
    const { events, columns, paths } = this.means;
    const file = events.file[k]!;
    const handle = columns.handle[k]!;
    const isStream = columns.layer[k] === STDIO;
    const before = this.slots.close(handle, file);
    if (before !== undefined) this.addClose(before, events.start[k]!);
    const opened = this.slots.open(handle, file, (mode & OPEN_MODE.append) !== 0, isStream);
    const path = paths.at(file);
    const { slot } = opened;
    if (isStream) this.add({ operation: 'fopen', slot, path, mode: streamMode(mode) }, events.start[k]!);
    else this.add({ operation: 'open', slot, path, mode }, events.start[k]!);
    return opened;
  }

  /** The open file that a call works on; opened here when the recording does not show it (inherited, or not recorded). */
  private opened(k: number): OpenSlot {
    const { events, columns, uses } = this.means;
    const file = events.file[k]!;
    const handle = columns.handle[k]!;
    const found = this.slots.find(handle, file);
    if (found !== undefined) return found;
    const writes = uses.isWritten(this.stream, handle, file);
    const appends = (columns.flags[k]! & EVENT_FLAGS.append) !== 0;
    return this.openAs(k, writes ? 2 | OPEN_MODE.create | (appends ? OPEN_MODE.append : 0) : 0);
  }

  private addClose({ slot, isStream }: OpenSlot, startNs: number): void {
    this.add(isStream ? { operation: 'fclose', slot } : { operation: 'close', slot }, startNs);
  }

  private close(k: number): void {
    const { events, columns, uses } = this.means;
    const file = events.file[k]!;
    const handle = columns.handle[k]!;
    if (uses.isUsedAfter(k, this.stream, handle, file)) return;
    const opened = this.slots.close(handle, file);
    if (opened !== undefined) this.addClose(opened, events.start[k]!);
  }

  private transfer(k: number, positioned: boolean): void {
    const { events } = this.means;
    const opened = this.opened(k);
    const { slot } = opened;
    const startNs = events.start[k]!;
    const bytes = events.bytes[k]!;
    const place = events.offset[k]!;
    const reads = events.effect[k] === FILE_EFFECT.read;
    const knowsPlace = !Number.isNaN(place) && !opened.appends;
    // A descriptor that other processes use too does not stand where this task's own stands.
    const isElsewhere = knowsPlace && !Object.is(place, opened.position) && place !== opened.position;
    if (opened.isStream) {
      if (isElsewhere) this.add({ operation: 'buf_seek', slot, offset: place, whence: 0 }, startNs);
      this.add({ operation: reads ? 'buf_read' : 'buf_write', slot, bytes }, startNs, place);
    } else if (knowsPlace && (positioned || isElsewhere)) {
      this.add({ operation: reads ? 'pread' : 'pwrite', slot, bytes, offset: place }, startNs, place);
      return;
    } else this.add({ operation: reads ? 'read' : 'write', slot, bytes }, startNs, place);
    opened.position = Number.isNaN(place) ? NaN : place + bytes;
  }

  private seek(k: number): void {
    const { events } = this.means;
    const opened = this.opened(k);
    const offset = events.offset[k]!;
    if (!(offset >= 0)) return;
    opened.position = offset;
    const operation = opened.isStream ? 'buf_seek' : 'seek';
    this.add({ operation, slot: opened.slot, offset, whence: 0 }, events.start[k]!);
  }

  private truncate(k: number): void {
    const { events, columns, paths } = this.means;
    const length = events.argument[k]!;
    const file = events.file[k]!;
    const startNs = events.start[k]!;
    if (!(length >= 0)) {
      this.means.leaveOut(columns.call[k]!);
      return;
    }
    const opened = this.slots.find(columns.handle[k]!, file);
    if (opened !== undefined) {
      this.add({ operation: 'truncate', slot: opened.slot, length }, startNs);
      return;
    }
    const slot = this.slots.free();
    this.add({ operation: 'open', slot, path: paths.at(file), mode: 1 }, startNs);
    this.add({ operation: 'truncate', slot, length }, startNs);
    this.add({ operation: 'close', slot }, startNs);
    this.slots.release(slot);
  }

  private lock(k: number): void {
    const { events } = this.means;
    const kind = events.argument[k]!;
    // Other commands of fcntl.
    if (Number.isNaN(kind)) return;
    if (this.means.isContended(events.file[k]!)) {
      this.means.leaveOut(this.means.columns.call[k]!);
      return;
    }
    const { slot } = this.opened(k);
    if (kind === LOCK_KIND.release) this.add({ operation: 'unlock', slot }, events.start[k]!);
    else {
      const shared = kind === LOCK_KIND.shared || kind === LOCK_KIND.tryShared;
      this.add({ operation: 'lock', slot, shared }, events.start[k]!);
    }
  }
}
