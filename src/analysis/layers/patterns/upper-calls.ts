import { getOrCreate } from '../../../base/grouping.ts';
import type { SiteIndex } from '../../sites/call-sites.ts';
import { OPERATION, OPERATIONS, type Operation } from '../../../trace/calls.ts';
import { EVENT_FLAGS, NONE, type EventChunk } from '../../../trace/events.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { FileIndex, StreamIndex } from '../../../trace/indices.ts';
import { SizeDistribution } from '../../metrics/sizes.ts';
import type { Amount } from '../../triggers/insight.ts';
import type { Links } from './links.ts';

/** What the calls of a group became at the lowest layer. Bytes, nanoseconds. */
interface LowerSums {
  reads: number;
  writes: number;
  /** Calls that move nothing: opens, seeks, locks, …; and those on other files. */
  others: number;
  readBytes: number;
  writtenBytes: number;
  timeNs: number;
  /** Reads and writes below the threshold `tiny_bytes`, and their bytes. */
  tinyCalls: number;
  tinyBytes: number;
  /** Bytes between one transfer below a call and the next one further on in the file. */
  skippedBytes: number;
  /** Bytes that were moved before below the same call. */
  repeatedBytes: number;
  readonly sizes: SizeDistribution;
  /** How many of each call, by index into `Trace.calls`; those that there are none of are holes. */
  readonly byCall: number[];
}

/** Nanoseconds of one stream in the calls of a group, and in the lowest layer below them. */
export interface StreamTimes {
  timeNs: number;
  lowerNs: number;
}

/** Calls of one name from one call site (where stacks lead nowhere: on one file), and what became of them below. */
export interface UpperGroup {
  readonly number: number;
  /** Index into `CallSites.sites`, or NONE. */
  readonly site: SiteIndex;
  /** Index into `Trace.calls`. */
  readonly call: number;
  readonly operation: Operation;
  /** Index into LAYERS. */
  readonly layer: number;
  /** They are the program's own calls; otherwise a layer above makes them. */
  readonly isOutermost: boolean;
  calls: number;
  /** How many of them are collective. */
  collectiveCalls: number;
  bytes: number;
  timeNs: number;
  readonly streams: Map<StreamIndex, StreamTimes>;
  readonly files: Map<number, Amount>;
  readonly lower: LowerSums;
}

/**
 * Every call of the layers above the lowest one, with what it became at the lowest: columns, one entry for each call.
 * Transfers below count for each layer above them.
 */
export class UpperCalls {
  readonly groups: UpperGroup[] = [];
  /** Entry of each row, or NONE. */
  readonly entryOf: Int32Array;
  readonly row: Int32Array;
  readonly stream: Int32Array;
  readonly file: Int32Array;
  readonly call: Uint16Array;
  readonly layer: Uint8Array;
  readonly flags: Uint8Array;
  readonly site: Int32Array;
  readonly start: Float64Array;
  readonly duration: Float64Array;
  readonly bytes: Float64Array;
  /** Index into `groups`; NONE for calls that do not count. */
  readonly group: Int32Array;
  /** Reads and writes at the lowest layer, their bytes, and where those that go furthest in the file end. */
  readonly transfers: Int32Array;
  readonly readBytes: Float64Array;
  readonly writtenBytes: Float64Array;
  readonly lastEnd: Float64Array;
  /** Nanoseconds in calls at the lowest layer. */
  readonly lowerNs: Float64Array;
  /** Where the first of them in the file begins; those in the direction of the call count. */
  readonly firstOffset: Float64Array;
  /** Those of them below the threshold `tiny_bytes`. */
  readonly tiny: Int32Array;
  /** Calls at the lowest layer that move nothing. */
  readonly others: Int32Array;
  length = 0;
  private readonly byKey = new Map<number, UpperGroup>();

  constructor(
    private readonly trace: Trace,
    private readonly links: Links,
    private readonly tinyBytes: number,
  ) {
    let count = 0;
    for (const call of links.callOf) count += links.isUpperCall[call]!;
    this.entryOf = new Int32Array(links.callOf.length).fill(NONE);
    this.row = new Int32Array(count);
    this.stream = new Int32Array(count);
    this.file = new Int32Array(count);
    this.call = new Uint16Array(count);
    this.layer = new Uint8Array(count);
    this.flags = new Uint8Array(count);
    this.site = new Int32Array(count);
    this.start = new Float64Array(count);
    this.duration = new Float64Array(count);
    this.bytes = new Float64Array(count);
    this.group = new Int32Array(count).fill(NONE);
    this.transfers = new Int32Array(count);
    this.readBytes = new Float64Array(count);
    this.writtenBytes = new Float64Array(count);
    this.lowerNs = new Float64Array(count);
    this.lastEnd = new Float64Array(count).fill(NaN);
    this.firstOffset = new Float64Array(count).fill(NaN);
    this.tiny = new Int32Array(count);
    this.others = new Int32Array(count);
  }

  /** @param site the call's own, NONE when its stack leads nowhere. */
  add(chunk: EventChunk, i: number, row: number, site: SiteIndex): void {
    const entry = this.length++;
    const duration = chunk.duration[i]!;
    this.entryOf[row] = entry;
    this.row[entry] = row;
    this.stream[entry] = chunk.stream[i]!;
    this.file[entry] = chunk.file[i]!;
    this.call[entry] = chunk.call[i]!;
    this.layer[entry] = chunk.layer[i]!;
    this.flags[entry] = chunk.flags[i]!;
    this.site[entry] = site;
    this.start[entry] = chunk.start[i]!;
    this.duration[entry] = duration > 0 ? duration : 0;
    this.bytes[entry] = chunk.bytes[i]!;
  }

  /** Puts the calls into groups, when all are there: one whose stack leads nowhere takes the site of the call above it. */
  formGroups(): void {
    const { names } = this.trace.calls;
    let last: UpperGroup | undefined;
    let lastKey = NaN;
    for (let entry = 0; entry < this.length; entry++) {
      const row = this.row[entry]!;
      const site = this.siteOf(row);
      this.site[entry] = site;
      const isOutermost = this.links.parentOf[row] === NONE;
      const place = site === NONE ? this.file[entry]! + 1 : -1 - site;
      const key = (place * names.length + this.call[entry]!) * 2 + Number(isOutermost);
      const group: UpperGroup = key === lastKey ? last! : this.groupOf(key, entry, isOutermost);
      last = group;
      lastKey = key;
      this.group[entry] = group.number;
      this.count(group, entry);
    }
  }

  /** The call site of a row, its own or that of the nearest call above it that has one. */
  siteOf(row: number): SiteIndex {
    const own = this.entryOf[row]!;
    if (own !== NONE && this.site[own] !== NONE) return this.site[own]!;
    for (const above of this.links.above(row)) {
      const entry = this.entryOf[above]!;
      if (entry !== NONE && this.site[entry] !== NONE) return this.site[entry]!;
    }
    return NONE;
  }

  private groupOf(key: number, entry: number, isOutermost: boolean): UpperGroup {
    let group = this.byKey.get(key);
    if (group === undefined) {
      const call = this.call[entry]!;
      group = {
        number: this.groups.length,
        site: this.site[entry]!,
        call,
        operation: OPERATIONS[this.trace.calls.operation[call]!]!,
        layer: this.layer[entry]!,
        isOutermost,
        calls: 0,
        collectiveCalls: 0,
        bytes: 0,
        timeNs: 0,
        streams: new Map(),
        files: new Map(),
        lower: noLowerCalls(),
      };
      this.groups.push(group);
      this.byKey.set(key, group);
    }
    return group;
  }

  private count(group: UpperGroup, entry: number): void {
    const file = this.file[entry]!;
    group.calls++;
    if (this.flags[entry]! & EVENT_FLAGS.collective) group.collectiveCalls++;
    group.bytes += this.bytes[entry]!;
    group.timeNs += this.duration[entry]!;
    streamOf(group, this.stream[entry]!).timeNs += this.duration[entry]!;
    if (file !== NONE) addTo(group.files, file, this.bytes[entry]!, this.duration[entry]!);
  }

  /** Counts a call of the lowest layer for all calls above it. */
  countLower(chunk: EventChunk, i: number, row: number): void {
    const operation = this.trace.calls.operation[chunk.call[i]!]!;
    this.links.forEachAbove(row, (above) => {
      const entry = this.entryOf[above]!;
      const group = entry === NONE ? NONE : this.group[entry]!;
      if (group === NONE || this.layer[entry]! >= chunk.layer[i]!) return;
      this.countBelow(this.groups[group]!, entry, operation, chunk, i);
    });
  }

  private countBelow(group: UpperGroup, entry: number, operation: number, chunk: EventChunk, i: number): void {
    const isRead = operation === OPERATION.read;
    const moves = isRead || operation === OPERATION.write;
    const { lower } = group;
    const call = chunk.call[i]!;
    const own = this.file[entry]!;
    const file = chunk.file[i]!;
    lower.byCall[call] = (lower.byCall[call] ?? 0) + 1;
    if (chunk.duration[i]! > 0) {
      lower.timeNs += chunk.duration[i]!;
      this.lowerNs[entry]! += chunk.duration[i]!;
      streamOf(group, this.stream[entry]!).lowerNs += chunk.duration[i]!;
    }
    if (!moves || (own !== NONE && file !== NONE && own !== file)) {
      lower.others++;
      this.others[entry]!++;
      return;
    }
    const bytes = chunk.bytes[i]!;
    if (own === NONE && file !== NONE) addTo(group.files, file, bytes, 0);
    this.transfers[entry]!++;
    lower.sizes.add(bytes);
    if (bytes < this.tinyBytes) {
      this.tiny[entry]!++;
      lower.tinyCalls++;
      lower.tinyBytes += bytes;
    }
    if (isRead) {
      lower.reads++;
      lower.readBytes += bytes;
      this.readBytes[entry]! += bytes;
    } else {
      lower.writes++;
      lower.writtenBytes += bytes;
      this.writtenBytes[entry]! += bytes;
    }
    // What a write reads first lies where it writes afterwards: one direction tells the places.
    if (isRead === (group.operation === 'read')) this.place(lower, entry, chunk.offset[i]!, bytes);
  }

  /** Where the transfer stands relative to the one before it. */
  private place(lower: LowerSums, entry: number, offset: number, bytes: number): void {
    const end = this.lastEnd[entry]!;
    if (offset > end) lower.skippedBytes += offset - end;
    else if (offset < end) lower.repeatedBytes += Math.min(bytes, end - offset);
    if (!(offset + bytes <= end)) this.lastEnd[entry] = offset + bytes;
    if (!(offset >= this.firstOffset[entry]!)) this.firstOffset[entry] = offset;
  }
}

function streamOf({ streams }: UpperGroup, stream: StreamIndex): StreamTimes {
  return getOrCreate(streams, stream, () => ({ timeNs: 0, lowerNs: 0 }));
}

function noLowerCalls(): LowerSums {
  const bytes = { readBytes: 0, writtenBytes: 0, tinyBytes: 0, skippedBytes: 0, repeatedBytes: 0 };
  return {
    reads: 0,
    writes: 0,
    others: 0,
    timeNs: 0,
    tinyCalls: 0,
    ...bytes,
    sizes: new SizeDistribution(),
    byCall: [],
  };
}

function addTo(files: Map<number, Amount>, file: FileIndex, bytes: number, timeNs: number): void {
  const amount = getOrCreate(files, file, () => ({ events: 0, bytes: 0, timeNs: 0 }));
  amount.events++;
  amount.bytes += bytes;
  amount.timeNs += timeNs;
}
