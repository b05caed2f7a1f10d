import { LAYERS, OPERATION, type Operation } from '../../trace/calls.ts';
import { CHUNK_MASK, EVENT_FLAGS, LINK, NONE } from '../../trace/events.ts';
import type { Archive } from './archive.ts';
import type { Completions } from './pending-operations.ts';
import { PendingOperations, type PendingOperation } from './pending-operations.ts';
import type { Region } from './regions.ts';
import { CLAIM, RegionStack } from './region-stack.ts';

const POSIX = LAYERS.indexOf('POSIX');
const STDIO = LAYERS.indexOf('STDIO');

/** OTF2_IoOperationMode. */
const OPERATION_OF_MODE: readonly Operation[] = ['read', 'write', 'sync'];
const FLUSH = 2;
/** Bits of OTF2_IoOperationFlag. */
const NON_BLOCKING = 1;
const COLLECTIVE = 2;

/** Changes of a handle that offsets depend on, by row of the event table. */
export interface HandleChanges {
  /** The handle that one is a duplicate of. */
  readonly duplicated: Map<number, number>;
  /** Rows that say whether writes go to the end from now on. */
  readonly appends: Map<number, boolean>;
}

/**
 * The I/O calls of one location: a row of the event table for every I/O function that was entered, which becomes what the
 * record inside of it says, and rows for records in no I/O function.
 */
export class LocationCalls {
  readonly regions: RegionStack;
  private readonly pending = new PendingOperations();
  /** Operations under way that stand in no I/O function: later rows may be caused by them. */
  private readonly loose: PendingOperation[] = [];
  private readonly firstRow: number;

  /**
   * @param completions of operations that other threads of the process began.
   * @param report says what is wrong with the events, where the reader stands.
   */
  constructor(
    private readonly archive: Archive,
    private readonly stream: number,
    private readonly changes: HandleChanges,
    private readonly completions: Completions,
    private readonly report: (kind: 'no-return' | 'no-beginning', what: string, lost: string) => void,
  ) {
    this.regions = new RegionStack(archive);
    this.firstRow = archive.events.length;
  }

  /** @param node of the call stack where it was recorded. */
  enter(region: number, now: number, number: number, node: number | undefined): void {
    const { regions, archive } = this;
    const { top } = regions;
    const { functions } = archive;
    const known = archive.regions[region]!;
    const call = functions.enter(now, this.stream, known.function, top < 0 ? NONE : regions.call[top]!);
    regions.push(region, known.isIo, now, call, node);
    if (!known.isIo) return;
    const at = regions.top;
    const row = this.append(known.layer, this.callOf(known, known.operation), now, number);
    if (known.isCollective) archive.events.chunkOf(row).flags[row & CHUNK_MASK]! |= EVENT_FLAGS.collective;
    regions.row[at] = row;
    regions.layer[at] = known.layer;
  }

  /** @returns whether the region was entered. */
  leave(region: number, now: number): boolean {
    const { regions } = this;
    if (regions.region[regions.top] !== region || regions.depth === 0) {
      let at = regions.top;
      while (at >= 0 && regions.region[at] !== region) at--;
      const { name } = this.archive.regions[region]!;
      if (at < 0) {
        this.report('no-beginning', `${name} is left and was not entered`, 'this call');
        return false;
      }
      const inside = regions.top - at;
      this.report('no-return', `${name} is left while ${inside} functions inside are not`, 'when they ended');
      while (regions.top > at) this.pop(now);
    }
    this.pop(now);
    return true;
  }

  private pop(now: number): void {
    const { regions } = this;
    const at = --regions.depth;
    this.archive.functions.duration.values[regions.call[at]!] = now - regions.start[at]!;
    const row = regions.row[at]!;
    if (row === NONE || regions.claim[at] === CLAIM.operation) return;
    const chunk = this.archive.events.chunkOf(row);
    chunk.duration[row & CHUNK_MASK] = now - chunk.start[row & CHUNK_MASK]!;
    chunk.flags[row & CHUNK_MASK]! &= ~EVENT_FLAGS.neverReturned;
  }

  /**
   * Adds what a record without data says: to the row of the function that it stands in, or as a row of its own.
   * @param layer of its handle or paradigm; NONE when that is not known.
   * @returns the row.
   */
  metadata(operation: Operation, handle: number, layer: number, now: number, number: number): number {
    const row = this.claim(operation, layer, CLAIM.metadata, now, number);
    this.setHandle(row, handle);
    return row;
  }

  /** An operation is begun. @param requested bytes; @param offset in the file, NaN when it is not recorded. */
  // oxlint-disable-next-line max-params -- per event: no object
  begin(
    handle: number,
    mode: number,
    flags: number,
    requested: number,
    high: number,
    low: number,
    offset: number,
    now: number,
    number: number,
  ): void {
    const isNonBlocking = (flags & NON_BLOCKING) !== 0;
    const wanted = mode === FLUSH ? NaN : requested;
    const layer = this.layerOf(handle);
    const whole = isNonBlocking ? undefined : this.vectorOf(handle, mode);
    if (whole !== undefined) {
      this.archive.events.chunkOf(whole.row).requested[whole.row & CHUNK_MASK]! += wanted;
      this.pending.add({ ...whole, high, low, start: now });
      return;
    }
    const operation = OPERATION_OF_MODE[mode] ?? 'other';
    const row = this.claim(operation, layer, CLAIM.operation, now, number);
    const chunk = this.archive.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    // What the function did before it began the operation stands in rows behind its own: those keep their order.
    if (row === this.archive.events.length - 1) chunk.start[i] = now;
    chunk.requested[i] = wanted;
    chunk.offset[i] = offset;
    chunk.flags[i]! |=
      EVENT_FLAGS.neverReturned |
      (isNonBlocking ? EVENT_FLAGS.nonBlocking : 0) |
      ((flags & COLLECTIVE) !== 0 ? EVENT_FLAGS.collective : 0);
    this.setHandle(row, handle);
    const pending = { handle, high, low, row, mode, isNonBlocking, start: chunk.start[i]! };
    this.pending.add(pending);
    if (!isNonBlocking && this.isLoose(row)) this.loose.push(pending);
  }

  /**
   * The parts of readv and its like are begun one behind the other, and then completed: they are one call.
   * @returns the part before it of the call that the innermost I/O function makes; undefined when it is none of such parts.
   */
  private vectorOf(handle: number, mode: number): PendingOperation | undefined {
    const { regions } = this;
    const at = regions.top < 0 ? NONE : regions.innermostIo[regions.top]!;
    if (at === NONE || regions.claim[at] !== CLAIM.operation) return undefined;
    const last = this.pending.isLast(regions.row[at]!);
    if (last?.handle !== handle || last.mode !== mode || last.isNonBlocking || mode === FLUSH) return undefined;
    return last;
  }

  /** An operation is complete, or was cancelled. */
  // oxlint-disable-next-line max-params -- per event: no object
  complete(handle: number, bytes: number, high: number, low: number, isCancelled: boolean, now: number): void {
    const pending = this.pending.take(handle, high, low);
    if (pending === undefined) {
      this.completions.add({ handle, high, low, end: now, bytes, isCancelled });
      return;
    }
    this.finish(pending, bytes, isCancelled, now);
    if (this.loose.length > 0) {
      const at = this.loose.lastIndexOf(pending);
      if (at >= 0) this.loose.splice(at, 1);
    }
  }

  private finish({ row }: PendingOperation, bytes: number, isCancelled: boolean, now: number): void {
    const chunk = this.archive.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    const isOverlapping = (chunk.flags[i]! & (EVENT_FLAGS.part | EVENT_FLAGS.nonBlocking)) === EVENT_FLAGS.part;
    if (!isOverlapping || !this.startsInside(row, chunk.start[i]!)) chunk.duration[i] = now - chunk.start[i]!;
    chunk.bytes[i]! += bytes;
    chunk.flags[i]! &= ~EVENT_FLAGS.neverReturned;
    if (isCancelled) chunk.flags[i]! |= EVENT_FLAGS.cancelled;
  }

  /** Whether the call that a part belongs to was under way when the part began: its time is counted there. */
  private startsInside(row: number, start: number): boolean {
    const { events } = this.archive;
    const whole = events.value('parent', row);
    const chunk = events.chunkOf(whole);
    const i = whole & CHUNK_MASK;
    const end = chunk.start[i]! + chunk.duration[i]!;
    return (chunk.flags[i]! & EVENT_FLAGS.neverReturned) !== 0 || start < end;
  }

  /** Something was asked of an operation under way: the function that asks works on its handle. */
  touched(handle: number): void {
    const { regions } = this;
    const at = regions.top < 0 ? NONE : regions.innermostIo[regions.top]!;
    if (at !== NONE && regions.claim[at] === CLAIM.none) this.setHandle(regions.row[at]!, handle);
  }

  /** The location's events end: operations that another thread may complete are handed out. */
  end(): PendingOperation[] {
    const { regions } = this;
    if (regions.depth > 0) {
      const names = regions.regionAt(regions.top).name;
      this.report('no-return', `the events end inside ${regions.depth} functions (${names})`, 'when they ended');
    }
    return this.pending.all();
  }

  /** Completes an operation that another thread of the process saw complete. */
  completeElsewhere(pending: PendingOperation): boolean {
    const completion = this.completions.take(pending);
    if (completion === undefined) return false;
    this.finish(pending, completion.bytes, completion.isCancelled, completion.end);
    return true;
  }

  /**
   * The row that a record fills: that of the innermost I/O function when it is of this layer and no record filled it yet;
   * else one of its own, behind it.
   */
  private claim(operation: Operation, layer: number, kind: number, now: number, number: number): number {
    const { regions, archive } = this;
    const at = regions.top < 0 ? NONE : regions.innermostIo[regions.top]!;
    const known = at === NONE ? undefined : regions.regionAt(at);
    const own = layer === NONE ? (known?.layer ?? POSIX) : layer;
    const isClaimed = known !== undefined && regions.claim[at] !== CLAIM.none;
    if (known === undefined || (isClaimed ? regions.layer[at] !== own : !isCompatible(regions.layer[at]!, own))) {
      const row = this.append(own, archive.callNames.indexOf('', operation), now, number);
      if (kind === CLAIM.metadata) archive.events.chunkOf(row).flags[row & CHUNK_MASK]! &= ~EVENT_FLAGS.neverReturned;
      return row;
    }
    const call = this.callOf(known, operation);
    if (isClaimed) return this.partOf(regions.row[at]!, this.append(own, call, now, number), kind);
    regions.claim[at] = kind;
    const row = regions.row[at]!;
    const chunk = archive.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.call[i] = call;
    if (regions.layer[at] !== own) {
      known.layer = own;
      regions.layer[at] = own;
      chunk.layer[i] = own;
      this.setParent(row, own, at - 1);
    }
    return row;
  }

  private callOf(region: Region, operation: Operation): number {
    if (region.operation === 'copy') return this.archive.callNames.sideOfCopy(region.name, operation);
    // Nearly all do what their names say: without a lookup.
    if (operation === region.operation && region.ownCall !== NONE) return region.ownCall;
    const { calls, name } = region;
    const index = OPERATION[operation];
    if (calls[index] === NONE) calls[index] = this.archive.callNames.indexOf(name, operation);
    if (operation === region.operation) region.ownCall = calls[index]!;
    return calls[index]!;
  }

  /** Makes a row, which was appended, a part of another. */
  private partOf(whole: number, row: number, kind: number): number {
    const chunk = this.archive.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.parent[i] = whole;
    chunk.link[i] = LINK.part;
    chunk.flags[i] = EVENT_FLAGS.part | (kind === CLAIM.operation ? EVENT_FLAGS.neverReturned : 0);
    return row;
  }

  private append(layer: number, call: number, start: number, number: number): number {
    const { events } = this.archive;
    const row = events.append();
    const chunk = events.chunkOf(row);
    const i = row & CHUNK_MASK;
    chunk.start[i] = start;
    chunk.duration[i] = NaN;
    chunk.offset[i] = NaN;
    chunk.bytes[i] = 0;
    chunk.requested[i] = NaN;
    chunk.argument[i] = NaN;
    chunk.file[i] = NONE;
    chunk.handle[i] = NONE;
    chunk.stack[i] = this.regions.nodeAt(this.regions.top);
    chunk.stream[i] = this.stream;
    chunk.line[i] = number;
    chunk.call[i] = call;
    chunk.flags[i] = EVENT_FLAGS.neverReturned;
    chunk.layer[i] = layer;
    const above = this.rowAbove(layer, this.regions.top);
    chunk.parent[i] = above;
    chunk.link[i] = above === NONE ? LINK.none : LINK.nesting;
    return row;
  }

  private setParent(row: number, layer: number, from: number): void {
    const chunk = this.archive.events.chunkOf(row);
    const above = this.rowAbove(layer, from);
    chunk.parent[row & CHUNK_MASK] = above;
    chunk.link[row & CHUNK_MASK] = above === NONE ? LINK.none : LINK.nesting;
  }

  /** The row of the innermost call of a layer above that is under way. */
  private rowAbove(layer: number, from: number): number {
    const inFunction = this.regions.rowAbove(layer, from);
    for (let at = this.loose.length - 1; at >= 0; at--) {
      const { row } = this.loose[at]!;
      if (row <= inFunction) break;
      if (this.archive.events.value('layer', row) < layer) return row;
    }
    return inFunction;
  }

  private isLoose(row: number): boolean {
    const { regions } = this;
    const at = regions.top < 0 ? NONE : regions.innermostIo[regions.top]!;
    return at === NONE || regions.row[at] !== row;
  }

  private layerOf(handle: number): number {
    return handle === NONE ? NONE : this.archive.handles.layer.at(handle);
  }

  private setHandle(row: number, handle: number): void {
    if (handle === NONE) return;
    const { handles, events } = this.archive;
    const chunk = events.chunkOf(row);
    chunk.handle[row & CHUNK_MASK] = handle;
    chunk.file[row & CHUNK_MASK] = handles.file.at(handle);
    if (handles.stream.at(handle) === NONE) handles.stream.values[handle] = this.stream;
  }

  /** Where the location's rows begin in the event table. */
  get first(): number {
    return this.firstRow;
  }

  /** A handle became a duplicate of another one, or its writes go to the end from now on, or no more. */
  changed(row: number, duplicateOf: number, appends: boolean): void {
    if (duplicateOf !== NONE) this.changes.duplicated.set(row, duplicateOf);
    this.changes.appends.set(row, appends);
  }
}

/**
 * Whether a record of a layer can be what an I/O function of another did: functions of the C library pass for calls of
 * the system and the other way round; a function of a higher layer only contains what lower ones do.
 */
function isCompatible(region: number, record: number): boolean {
  return region >= record || region === STDIO;
}
