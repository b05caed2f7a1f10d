import type { CallSites } from '../../analysis/sites/call-sites.ts';
import { LAYERS, OPERATIONS } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';

/** The events of a recording with what their indices stand for. */
export interface EventSource {
  readonly trace: Trace;
  readonly callSites: CallSites;
  /** The path of a source file on this machine, or as recorded where it is not here. */
  readonly locate: (recorded: string) => string;
}

/** Whether a row is a full call, and why not. */
type EventState = 'complete' | 'never returned' | 'restarted' | 'beginning lost' | 'part';

/** Looks up what the indices of a row stand for; what many rows share is put together once. */
export class EventLabels {
  private readonly sites: readonly { readonly file: string; readonly line: number; readonly functionName: string }[];

  constructor(private readonly source: EventSource) {
    this.sites = source.callSites.sites.map(({ file, line, functionName }) => ({
      file: file === '' ? '' : source.locate(file),
      line,
      functionName,
    }));
  }

  recording(chunk: EventChunk, row: number): string {
    return this.source.trace.parts[this.stream(chunk, row).part]!.name;
  }

  stream(chunk: EventChunk, row: number): Trace['streams'][number] {
    return this.source.trace.streams[chunk.stream[row]!]!;
  }

  call(chunk: EventChunk, row: number): string {
    return this.source.trace.calls.names[chunk.call[row]!]!;
  }

  operation(chunk: EventChunk, row: number): string {
    return OPERATIONS[this.source.trace.calls.operation[chunk.call[row]!]!]!;
  }

  layer(chunk: EventChunk, row: number): string {
    return LAYERS[chunk.layer[row]!]!;
  }

  /** '' for events without a file. */
  path(chunk: EventChunk, row: number): string {
    const file = chunk.file[row]!;
    return file === NONE ? '' : this.source.trace.files.at(file).path;
  }

  /** Name of the error; '' for success. */
  error(chunk: EventChunk, row: number): string {
    const error = chunk.error[row]!;
    return error === 0 ? '' : this.source.trace.errors.at(error);
  }

  /** Where in the user's code the call was made; undefined when the recording does not tell. */
  site(chunk: EventChunk, row: number): (typeof this.sites)[number] | undefined {
    const node = chunk.stack[row]!;
    const site = node === NONE ? NONE : this.source.callSites.siteOfNode[node]!;
    return site === NONE ? undefined : this.sites[site];
  }

  state(chunk: EventChunk, row: number): EventState {
    const flags = chunk.flags[row]!;
    if ((flags & EVENT_FLAGS.part) !== 0) return 'part';
    if ((flags & EVENT_FLAGS.restarted) !== 0) return 'restarted';
    if ((flags & EVENT_FLAGS.neverReturned) !== 0) return 'never returned';
    return (flags & EVENT_FLAGS.beginningLost) !== 0 ? 'beginning lost' : 'complete';
  }
}
