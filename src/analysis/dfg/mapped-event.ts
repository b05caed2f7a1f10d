import { LAYERS } from '../../trace/calls.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';

/** What a mapping written by the user sees of an event (docs/graph.md); null stands for what the recording does not know. */
export interface MappedEvent {
  readonly call: string;
  readonly path: string | null;
  /** Machine that the file belongs to; '' where files are of no machine. */
  readonly host: string;
  /** Bytes that were moved. */
  readonly size: number;
  /** Bytes that were asked for. */
  readonly requested: number | null;
  readonly offset: number | null;
  /** Nanoseconds from the origin of the recording. */
  readonly start: number | null;
  /** Nanoseconds, as recorded. */
  readonly duration: number | null;
  readonly pid: number;
  readonly thread: number;
  readonly rank: number | null;
  readonly layer: string;
  /** Source file, or '' where only the function is known, its line (0 where unknown) and the function. */
  readonly site: { readonly file: string; readonly line: number; readonly function: string } | null;
  /** Recording file that it stands in. */
  readonly recording: string;
}

/** The event that a mapping is asked about, one after the other. */
export class EventView {
  readonly event: MappedEvent;
  /** Something was asked for that differs between calls of one name on one file. */
  asksForMore = false;
  private chunk!: EventChunk;
  private row = 0;

  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
  ) {
    this.event = new Proxy(this.withGetters(), {
      get: (target, name, receiver) => {
        // What is not there would be undefined, and each comparison with it false without a word.
        if (typeof name === 'string' && !(name in target) && name !== 'toJSON')
          throw new RangeError(`mapping: an event has no ${name}; it has ${Object.keys(target).join(', ')}`);
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
  }

  look(chunk: EventChunk, row: number): void {
    this.chunk = chunk;
    this.row = row;
    this.asksForMore = false;
  }

  private withGetters(): MappedEvent {
    const shared = {
      call: () => this.trace.calls.names[this.chunk.call[this.row]!]!,
      path: () => this.file?.path ?? null,
      host: () => this.file?.host ?? '',
    };
    const own = {
      size: () => this.chunk.bytes[this.row]!,
      requested: () => known(this.chunk.requested[this.row]!),
      offset: () => known(this.chunk.offset[this.row]!),
      start: () => known(this.chunk.start[this.row]!),
      duration: () => known(this.chunk.duration[this.row]!),
      pid: () => this.stream.processId,
      thread: () => this.stream.pid,
      rank: () => this.stream.rank ?? null,
      layer: () => LAYERS[this.chunk.layer[this.row]!]!,
      site: () => this.site(),
      recording: () => this.trace.parts[this.stream.part]!.name,
    };
    const event = {};
    for (const [name, get] of Object.entries(shared)) Object.defineProperty(event, name, { get, enumerable: true });
    for (const [name, value] of Object.entries(own)) {
      const get = (): unknown => {
        this.asksForMore = true;
        return value();
      };
      Object.defineProperty(event, name, { get, enumerable: true });
    }
    return event as MappedEvent;
  }

  private get file(): { readonly path: string; readonly host: string } | undefined {
    const file = this.chunk.file[this.row]!;
    return file === NONE ? undefined : this.trace.files.at(file);
  }

  private get stream(): Trace['streams'][number] {
    return this.trace.streams[this.chunk.stream[this.row]!]!;
  }

  private site(): MappedEvent['site'] {
    const stack = this.chunk.stack[this.row]!;
    const site = stack === NONE ? NONE : this.callSites.siteOfNode[stack]!;
    if (site === NONE) return null;
    const { file, line, functionName } = this.callSites.sites[site]!;
    return { file, line, function: functionName };
  }
}

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
