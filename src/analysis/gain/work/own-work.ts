import { OPERATION } from '../../../trace/calls.ts';
import { NONE, NOT_COUNTED, type EventChunk } from '../../../trace/events.ts';
import type { FileIndex, StreamIndex } from '../../../trace/indices.ts';
import type { Trace } from '../../../trace/trace.ts';
import { LAYER_ROLE } from '../../metrics/layer-role.ts';
import type { Metrics } from '../../metrics/access-metrics.ts';
import type { CallSites, SiteIndex } from '../../sites/call-sites.ts';

/** What a library does itself below one call of the program at one place: packing, filters, lookups, waiting. */
export interface OwnWork {
  /** NONE where the stacks lead nowhere. */
  readonly site: SiteIndex;
  readonly files: Set<FileIndex>;
  /** Index into `Trace.calls`. */
  readonly call: number;
  events: number;
  /** Nanoseconds without the requests below, all streams together. */
  timeNs: number;
  readonly timeOfStreams: Map<StreamIndex, number>;
}

/** Layers of calls one below the other that are followed: a damaged recording may go in circles. */
const MOST_LAYERS = 16;

/**
 * Time that the program spends in calls of libraries beside the requests that these make: no request shows it. Opens and
 * closes of files are left out, for what they cost is known with all that they do.
 *
 * @returns nothing for recordings of one layer, and for logs, of whose requests it is often not known below which call.
 */
export function ownWorkOf(
  trace: Trace,
  callSites: CallSites,
  { roles }: Pick<Metrics, 'roles'>,
  ignored: Uint8Array,
): readonly OwnWork[] {
  if (roles === undefined || trace.counters !== undefined || !trace.capabilities.duration) return [];
  const pass = new OwnWorkPass(trace, callSites, ignored);
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const duration = chunk.duration[i]!;
      if (!(duration > 0 && duration < Infinity) || chunk.flags[i]! & NOT_COUNTED) continue;
      const role = roles.of(chunk, i);
      const isRequest = (role & LAYER_ROLE.request) !== 0;
      if (role & LAYER_ROLE.outermost) {
        if (!isRequest) pass.add(chunk, i, duration);
      } else if (isRequest) pass.takeAway(chunk, i, duration);
    }
  });
  return [...pass.found.values()].filter(({ timeNs, events }) => timeNs > 0 && events > 0);
}

class OwnWorkPass {
  readonly found = new Map<string, OwnWork>();

  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
    private readonly ignored: Uint8Array,
  ) {}

  add(chunk: EventChunk, i: number, duration: number): void {
    const of = this.at(chunk.call[i]!, chunk.stack[i]!, chunk.file[i]!);
    if (of === undefined) return;
    of.events++;
    spend(of, chunk.stream[i]!, duration);
  }

  /** A request is none of the own work of the call that the program made, as far as it is known below which it stands. */
  takeAway(chunk: EventChunk, i: number, duration: number): void {
    const { events } = this.trace;
    let row = chunk.parent[i]!;
    if (row === NONE) return;
    for (let depth = 0; depth < MOST_LAYERS; depth++) {
      const above = events.value('parent', row);
      if (above === NONE) break;
      row = above;
    }
    const of = this.at(events.value('call', row), events.value('stack', row), events.value('file', row));
    if (of !== undefined) spend(of, events.value('stream', row), -duration);
  }

  private at(call: number, node: number, file: FileIndex): OwnWork | undefined {
    const operation = this.trace.calls.operation[call]!;
    const { siteOfNode, isStartUp } = this.callSites;
    if (operation === OPERATION.open || operation === OPERATION.close) return undefined;
    if (file === NONE || this.ignored[file] === 1 || (node !== NONE && isStartUp[node] === 1)) return undefined;
    const site = node === NONE ? NONE : siteOfNode[node]!;
    const key = site === NONE ? `file ${file} ${call}` : `site ${site} ${call}`;
    let of = this.found.get(key);
    if (of === undefined) {
      of = { site, files: new Set(), call, events: 0, timeNs: 0, timeOfStreams: new Map() };
      this.found.set(key, of);
    }
    of.files.add(file);
    return of;
  }
}

function spend(of: OwnWork, stream: StreamIndex, duration: number): void {
  of.timeNs += duration;
  of.timeOfStreams.set(stream, (of.timeOfStreams.get(stream) ?? 0) + duration);
}
