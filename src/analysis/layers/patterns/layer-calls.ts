import { OPERATION } from '../../../trace/calls.ts';
import { CHUNK_ROWS, EVENT_FLAGS, NONE, NOT_COUNTED, type EventChunk } from '../../../trace/events.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { CallSites, SiteIndex } from '../../sites/call-sites.ts';
import { CallRows } from './call-rows.ts';
import { BELOW, Links } from './links.ts';
import { UpperCalls } from './upper-calls.ts';

/** What patterns across layers look at, gathered from all events at once. Only files that count, and no start-up. */
export interface LayerCalls {
  readonly trace: Trace;
  /** Undefined for recordings of one layer. */
  readonly links: Links | undefined;
  readonly upper: UpperCalls | undefined;
  /** Collective calls, each at the lowest layer that knows it to be one. */
  readonly collectives: CallRows;
  /** The program's own. */
  readonly nonBlocking: CallRows;
  /** Calls that acquire, try or release locks. */
  readonly locks: CallRows;
  /** The program's own calls that open, close or ask. */
  readonly metadata: CallRows;
  /** Nanoseconds that the program spends in its own I/O calls, and how many these are; without what it does not wait for. */
  readonly ioTimeNs: number;
  readonly ioCalls: number;
}

/** What has to be known besides the recording. */
interface GatherInputs {
  readonly trace: Trace;
  readonly callSites: CallSites;
  /** By file: 1 when it counts. */
  readonly counts: Uint8Array;
  /** Transfers below this are tiny. */
  readonly tinyBytes: number;
}

export function gatherLayerCalls(inputs: GatherInputs): LayerCalls {
  const { trace, tinyBytes } = inputs;
  const links = Links.read(trace);
  const upper = links === undefined ? undefined : new UpperCalls(trace, links, tinyBytes);
  const gathering = new Gathering(inputs, links, upper);
  const { events } = trace;
  events.chunks.forEach((chunk, number) => gathering.read(chunk, events.rowsIn(number), number * CHUNK_ROWS));
  if (links !== undefined && upper !== undefined) {
    upper.formGroups();
    events.chunks.forEach((chunk, number) =>
      gathering.readLower(links, upper, chunk, events.rowsIn(number), number * CHUNK_ROWS),
    );
  }
  return gathering.finish();
}

class Gathering {
  private readonly collectives = new CallRows();
  private readonly nonBlocking = new CallRows();
  private readonly locks = new CallRows();
  private readonly metadata = new CallRows();
  private ioTimeNs = 0;
  private ioCalls = 0;

  constructor(
    private readonly inputs: GatherInputs,
    private readonly links: Links | undefined,
    private readonly upper: UpperCalls | undefined,
  ) {}

  read(chunk: EventChunk, rows: number, first: number): void {
    const { callSites, trace } = this.inputs;
    for (let i = 0; i < rows; i++) {
      if (!this.counts(chunk, i)) continue;
      const row = first + i;
      const node = chunk.stack[i]!;
      const site = node === NONE ? NONE : (callSites.siteOfNode[node] ?? NONE);
      if (this.links?.isUpper(row) === true) this.upper!.add(chunk, i, row, site);
      if (chunk.file[i] !== NONE) this.sort(chunk, i, row, site, trace.calls.operation[chunk.call[i]!]!);
    }
  }

  /** Puts a call that stands for itself to those of its kind. */
  private sort(chunk: EventChunk, i: number, row: number, site: SiteIndex, operation: number): void {
    const flags = chunk.flags[i]!;
    const isOutermost = this.links === undefined || this.links.parentOf[row] === NONE;
    const isNonBlocking = (flags & EVENT_FLAGS.nonBlocking) !== 0;
    if (flags & EVENT_FLAGS.collective && ((this.links?.below[row] ?? 0) & BELOW.collective) === 0)
      this.collectives.add(chunk, i, row, site);
    if (isNonBlocking && isOutermost) this.nonBlocking.add(chunk, i, row, site);
    if (operation === OPERATION.lock) this.locks.add(chunk, i, row, site);
    if (!isOutermost) return;
    if (operation === OPERATION.open || operation === OPERATION.close || operation === OPERATION.metadata)
      this.metadata.add(chunk, i, row, site);
    this.ioCalls++;
    if (!isNonBlocking && chunk.duration[i]! > 0) this.ioTimeNs += chunk.duration[i]!;
  }

  /** Counts the calls at the lowest layer for those above them. */
  readLower(links: Links, upper: UpperCalls, chunk: EventChunk, rows: number, first: number): void {
    const { operation } = this.inputs.trace.calls;
    // A call of a layer in between that moves nothing and makes no calls of its own reaches no file.
    const isRequest = ({ layer, call }: EventChunk, i: number): boolean =>
      layer[i] === links.lowestLayer ||
      operation[call[i]!] === OPERATION.read ||
      operation[call[i]!] === OPERATION.write;
    for (let i = 0; i < rows; i++) {
      const row = first + i;
      if (links.parentOf[row] === NONE || links.isUpper(row) || !this.counts(chunk, i)) continue;
      if (isRequest(chunk, i)) upper.countLower(chunk, i, row);
    }
  }

  private counts(chunk: EventChunk, i: number): boolean {
    const { callSites, counts } = this.inputs;
    const file = chunk.file[i]!;
    const node = chunk.stack[i]!;
    if (chunk.flags[i]! & NOT_COUNTED || (file !== NONE && counts[file] !== 1)) return false;
    return node === NONE || callSites.isStartUp[node] !== 1;
  }

  finish(): LayerCalls {
    const { links, upper, collectives, nonBlocking, locks, metadata, ioTimeNs, ioCalls } = this;
    if (upper !== undefined) {
      for (const rows of [collectives, nonBlocking, locks, metadata]) takeSites(rows, upper);
    }
    const { trace } = this.inputs;
    return { trace, links, upper, collectives, nonBlocking, locks, metadata, ioTimeNs, ioCalls };
  }
}

/** Calls whose own stacks lead nowhere stand where the call above them stands. */
function takeSites({ row, site }: CallRows, upper: UpperCalls): void {
  for (let index = 0; index < row.length; index++)
    if (site.at(index) === NONE) site.values[index] = upper.siteOf(row.at(index));
}
