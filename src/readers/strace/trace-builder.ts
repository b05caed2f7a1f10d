import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable } from '../../trace/calls.ts';
import { DamageLog } from '../../trace/damage.ts';
import { EventTable } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { NameTable } from '../../trace/names.ts';
import type { ReadOptions, Stream, Trace, TraceCapabilities } from '../../trace/trace.ts';
import { Origin } from './clock.ts';
import type { NamedPart } from './part-name.ts';
import type { DescriptorTable } from './processes.ts';
import { UnseenTransfers } from './unseen-transfers.ts';

/** What of a trace grows while it is read. */
type TraceTables = Pick<
  Trace,
  'parts' | 'streams' | 'files' | 'handles' | 'calls' | 'errors' | 'events' | 'stacks' | 'capabilities'
>;

/** What a process has of the one that made it. */
export interface Inheritance {
  readonly table: DescriptorTable;
  readonly folder: string;
  readonly processId: number;
  /** When it was made, in nanoseconds from the origin; NaN when unknown. */
  readonly time: number;
}

/** What the files of one recording share while they are read. */
export class TraceBuilder {
  readonly parts: NamedPart[] = [];
  readonly streams: Stream[] = [];
  readonly files: FileTable;
  readonly handles = new HandleTable();
  readonly calls = new CallTable();
  readonly errors = new NameTable(['']);
  readonly events: EventTable;
  readonly stacks = new CallStackTable();
  readonly damage = new DamageLog();
  readonly unseen = new UnseenTransfers();
  readonly capabilities: TraceCapabilities = { time: false, duration: false, stacks: false, paths: false };
  readonly origin = new Origin();
  /** What processes inherit whose lines stand in a file of their own (`-ff`), by run and pid. */
  readonly inherited = new Map<string, Inheritance>();
  /** When the first file with a call began, in nanoseconds from the origin; NaN before it was read. */
  begun = NaN;
  program = '';
  /** Lines that were understood: calls, signals, exits. */
  understood = 0;
  /** Earliest start and latest return, in nanoseconds from the origin. */
  private first = Infinity;
  private last = -Infinity;

  constructor(options: ReadOptions) {
    this.files = new FileTable(options.sharedPaths);
    this.events = new EventTable(options.chunkStore);
  }

  noteTime(start: number, duration: number): void {
    if (start < this.first) this.first = start;
    const end = duration > 0 ? start + duration : start;
    if (end > this.last) this.last = end;
  }

  /** The trace, when everything was read. */
  build(): Trace {
    this.events.trim();
    const { parts, streams, files, handles, calls, errors, events, stacks, capabilities } = this;
    return this.trace({ parts, streams, files, handles, calls, errors, events, stacks, capabilities });
  }

  /** The trace as far as it was read: it stays as it is while reading goes on. */
  snapshot(): Trace {
    return this.trace({
      parts: this.parts.map((part) => ({ ...part })),
      streams: this.streams.map((stream) => ({ ...stream })),
      files: this.files.snapshot(),
      handles: this.handles.snapshot(),
      calls: this.calls.snapshot(),
      errors: this.errors.snapshot(),
      events: this.events.snapshot(),
      stacks: this.stacks.snapshot(),
      capabilities: { ...this.capabilities },
    });
  }

  private trace(tables: TraceTables): Trace {
    const seen = this.first <= this.last;
    return {
      format: 'strace',
      version: '',
      program: this.program,
      startTime: this.origin.dated && seen ? this.origin.seconds + this.first / 1e9 : null,
      durationNs: seen ? this.last - this.first : 0,
      ...tables,
      damage: this.damage.list(),
      notes: this.unseen.notes(tables.files),
    };
  }
}
