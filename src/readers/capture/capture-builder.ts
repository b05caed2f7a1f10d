import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable, LAYERS } from '../../trace/calls.ts';
import { DamageLog } from '../../trace/damage.ts';
import type { Communicator, Paradigm } from '../../trace/definitions.ts';
import { EventTable } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { NameTable } from '../../trace/names.ts';
import type { ReadOptions, RecordingPart, Stream, Trace } from '../../trace/trace.ts';
import { AppendOffsets } from './append-offsets.ts';
import { CaptureCommunicators } from './capture-communicators.ts';
import { Clocks } from './process-clock.ts';
import { SharedPositions } from './shared-positions.ts';

const PARALLEL_LAYERS: ReadonlySet<string> = new Set(['MPI-IO', 'HDF5', 'NetCDF', 'PnetCDF']);
/** Programs that a note names. */
const MOST_NAMES = 5;
/** Notes of the recorder that are kept. */
const MOST_NOTES = 50;

/** The tables that all processes go into. */
export class CaptureBuilder {
  readonly streams: Stream[] = [];
  readonly parts: RecordingPart[] = [];
  readonly files: FileTable;
  readonly handles = new HandleTable();
  readonly handleNames = new Map<number, string>();
  readonly calls = new CallTable();
  readonly errors = new NameTable(['']);
  readonly events: EventTable;
  readonly stacks = new CallStackTable();
  readonly damage = new DamageLog();
  readonly communicators = new CaptureCommunicators();
  readonly clocks = new Clocks();
  readonly sharedPositions = new SharedPositions();
  readonly appendOffsets = new AppendOffsets();
  /** Indices into LAYERS. */
  readonly usedLayers = new Set<number>();
  private readonly notes = new Set<string>();
  /** Programs that were executed and of which there is no file. */
  private readonly unseenPrograms = new Set<string>();
  /** Nanoseconds from the reference. */
  private first = Infinity;
  private last = -Infinity;

  constructor(options: ReadOptions) {
    this.files = new FileTable(options.sharedPaths);
    this.events = new EventTable(options.chunkStore);
  }

  note(text: string): void {
    if (this.notes.size < MOST_NOTES) this.notes.add(text);
  }

  /** A process executed a program, and there is no recording of that. */
  executedUnseen(program: string): void {
    this.unseenPrograms.add(program);
  }

  /** A call began and ended, in nanoseconds from the reference. */
  noteTime(start: number, end: number): void {
    if (start < this.first) this.first = start;
    if (end > this.last) this.last = end;
  }

  build(version: string, program: string): Trace {
    const { events, streams, handles, files } = this;
    events.trim();
    this.sharedPositions.resolve(events);
    this.appendOffsets.resolve(this);
    const origin = this.first === Infinity ? 0 : this.first;
    if (origin !== 0) {
      events.update((chunk, number) => {
        const rows = events.rowsIn(number);
        for (let i = 0; i < rows; i++) chunk.start[i]! -= origin;
      });
    }
    const { start } = this.clocks;
    return {
      format: 'iolens',
      version,
      program,
      startTime: start === null ? null : start + origin / 1e9,
      durationNs: events.length === 0 ? 0 : this.last - origin,
      parts: this.parts,
      streams,
      files,
      handles,
      calls: this.calls,
      errors: this.errors,
      events,
      stacks: this.stacks,
      capabilities: { time: true, duration: true, stacks: this.stacks.nodes > 0, paths: true },
      damage: this.damage.list(),
      notes: [...this.notes, ...this.noteOnPrograms()],
      definitions: {
        paradigms: this.paradigms(),
        files: [],
        communicators: this.communicatorList(),
        handleNames: this.handleNames,
      },
    };
  }

  private noteOnPrograms(): string[] {
    const programs = [...this.unseenPrograms];
    if (programs.length === 0) return [];
    const more = programs.length > MOST_NAMES ? ` and ${programs.length - MOST_NAMES} more` : '';
    return [
      `executed, and not recorded: ${programs.slice(0, MOST_NAMES).join(', ')}${more}; they load no libraries (static programs), run with other rights, or made no call that is recorded`,
    ];
  }

  private communicatorList(): Communicator[] {
    return this.communicators.list(this.streams);
  }

  private paradigms(): Paradigm[] {
    return [...this.usedLayers]
      .sort((a, b) => a - b)
      .map((layer) => {
        const name = LAYERS[layer]!;
        const isParallel = PARALLEL_LAYERS.has(name);
        return {
          ...{ layer, identification: name, name, isParallel },
          ...{ isOperatingSystem: name === 'POSIX', properties: [] },
        };
      });
  }
}
