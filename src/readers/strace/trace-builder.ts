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
import { STRACE_TRAITS } from './traits.ts';

/** What of a trace grows while it is read. */
type TraceTables = Pick<
  Trace,
  'parts' | 'streams' | 'files' | 'handles' | 'calls' | 'errors' | 'events' | 'stacks' | 'capabilities'
>;

/** What a process has of the one that made it. */
interface Inheritance {
  readonly table: DescriptorTable;
  readonly folder: string;
  readonly processId: number;
  /** When it was made, in nanoseconds of the clock; NaN when unknown. */
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
  private readonly earlyEnds = new Set<string>();
  readonly capabilities: TraceCapabilities = {
    time: false,
    duration: false,
    stacks: false,
    paths: false,
    systemCallsOnly: true,
  };
  readonly clockOrigin = new Origin();
  /** What processes inherit whose lines stand in a file of their own (`-ff`), by run and pid. */
  readonly inherited = new Map<string, Inheritance>();
  /** When the first file with a call began, in nanoseconds of the clock; NaN before it was read. */
  begun = NaN;
  /** The trace's origin, which event times count from: the first call, in nanoseconds of the clock. */
  zero = NaN;
  program = '';
  /** Lines that were understood: calls, signals, exits. */
  understood = 0;
  /** Start of the first row, in nanoseconds from the origin; negative when a file that was read later begins earlier. */
  private earliest = 0;
  /** Earliest start and latest return of calls, or end of a process, in nanoseconds from the origin. */
  private first = Infinity;
  private last = -Infinity;

  constructor(options: ReadOptions) {
    this.files = new FileTable(options.sharedPaths);
    this.events = new EventTable(options.chunkStore);
  }

  /** Nanoseconds from the origin of a time of the clock, at which a row begins. */
  placed(time: number): number {
    if (Number.isNaN(this.zero)) this.zero = time;
    const start = this.sinceOrigin(time);
    if (start < this.earliest) this.earliest = start;
    return start;
  }

  /** Nanoseconds from the origin of a time of the clock. */
  sinceOrigin(time: number): number {
    return time - this.zero;
  }

  /** Makes the first call the origin again, when one was read later that began earlier. */
  private moveOrigin(): void {
    const by = this.earliest;
    if (by === 0) return;
    this.events.update((chunk) => {
      for (let i = 0; i < chunk.start.length; i++) chunk.start[i]! -= by;
    });
    this.zero += by;
    this.first -= by;
    this.last -= by;
    this.earliest = 0;
  }

  noteTime(start: number, duration: number): void {
    if (start < this.first) this.first = start;
    const end = duration > 0 ? start + duration : start;
    if (end > this.last) this.last = end;
  }

  /** @param what that ended early, in words; each is said once. */
  endedEarly(what: string): void {
    this.earlyEnds.add(what);
  }

  /** The trace, when everything was read. */
  build(): Trace {
    this.moveOrigin();
    this.events.trim();
    const { parts, streams, files, handles, calls, errors, events, stacks, capabilities } = this;
    return this.trace({ parts, streams, files, handles, calls, errors, events, stacks, capabilities });
  }

  /** The trace as far as it was read: it stays as it is while reading goes on. */
  snapshot(): Trace {
    this.moveOrigin();
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
      form: STRACE_TRAITS,
      version: '',
      program: this.program,
      startTime: this.clockOrigin.dated && seen ? this.clockOrigin.seconds + (this.zero + this.first) / 1e9 : null,
      durationNs: seen ? this.last - this.first : 0,
      ...tables,
      damage: this.damage.list(),
      notes: this.unseen.notes(tables.files),
      ...(this.earlyEnds.size > 0 && { earlyEnds: [...this.earlyEnds] }),
    };
  }
}
