import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable, LAYERS, OPERATION } from '../../trace/calls.ts';
import { DamageLog } from '../../trace/damage.ts';
import { EventTable } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { FunctionCallTable, type FunctionRole } from '../../trace/function-calls.ts';
import { NameTable } from '../../trace/names.ts';
import type { ReadOptions, RecordingPart, Stream, Trace } from '../../trace/trace.ts';
import { OffsetsFromEnds } from '../open-files/offsets-from-ends.ts';
import { TransferLacks } from '../open-files/transfer-lacks.ts';
import { DFTRACER_TRAITS } from './traits.ts';

/** The tables that the events of all files go into. */
export class DfTracerBuilder {
  readonly parts: RecordingPart[] = [];
  readonly streams: Stream[] = [];
  readonly files: FileTable;
  readonly handles = new HandleTable();
  readonly calls = new CallTable();
  readonly errors = new NameTable(['', 'unknown error']);
  readonly events: EventTable;
  readonly functions = new FunctionCallTable();
  readonly damage = new DamageLog();
  readonly lacks = new TransferLacks();
  readonly offsetsFromEnds = new OffsetsFromEnds();
  program = '';
  /** Lines that were understood. */
  understood = 0;
  /** Calls on a file that was named by a hash only. */
  unexplained = 0;
  /** Microseconds since 1970 that times count from until all files are read; NaN before the first event. */
  private zero = NaN;
  /** Nanoseconds from there. */
  private earliest = Infinity;
  private latest = -Infinity;
  private readonly functionIndices = new Map<string, number>();

  constructor(options: ReadOptions) {
    this.files = new FileTable(options.sharedPaths);
    this.events = new EventTable(options.chunkStore);
  }

  /** Nanoseconds of a time in microseconds since 1970. */
  placed(time: number, duration: number): number {
    if (Number.isNaN(this.zero)) this.zero = time;
    const start = Math.round((time - this.zero) * 1000);
    this.earliest = Math.min(this.earliest, start);
    this.latest = Math.max(this.latest, start + Math.round(duration * 1000));
    return start;
  }

  /** Index of a function. @param call index into `calls` for those of an I/O layer. */
  functionOf(name: string, category: string, call: number | undefined): number {
    const key = `${category} ${name}`;
    let index = this.functionIndices.get(key);
    if (index === undefined) {
      const role = call === undefined ? 'computation' : this.roleOf(call);
      const paradigm = category;
      index = this.functions.functions.push({ name, role, paradigm, sourceFile: '', sourceLine: 0 }) - 1;
      this.functionIndices.set(key, index);
    }
    return index;
  }

  private roleOf(call: number): FunctionRole {
    const operation = this.calls.operation[call]!;
    const moves = [OPERATION.read, OPERATION.write, OPERATION.sync, OPERATION.map].includes(operation);
    return moves ? 'I/O' : 'metadata';
  }

  build(): Trace {
    const seen = this.earliest <= this.latest;
    if (seen) this.moveOrigin(this.earliest);
    this.offsetsFromEnds.forgetWrong(this.events);
    this.events.trim();
    const { parts, streams, files, handles, calls, errors, events, functions } = this;
    return {
      format: 'dftracer',
      form: DFTRACER_TRAITS,
      version: '',
      program: this.program,
      startTime: seen ? this.zero / 1e6 + this.earliest / 1e9 : null,
      durationNs: seen ? this.latest - this.earliest : 0,
      parts,
      streams,
      files,
      handles,
      calls,
      errors,
      events,
      stacks: new CallStackTable(),
      capabilities: { time: seen, duration: seen, stacks: false, paths: true },
      damage: this.damage.list(),
      notes: this.notes(),
      functions,
    };
  }

  /** The first event is the origin, whichever file it stands in. */
  private moveOrigin(by: number): void {
    if (by === 0) return;
    this.events.update((chunk) => {
      for (let i = 0; i < chunk.start.length; i++) chunk.start[i]! -= by;
    });
    for (let row = 0; row < this.functions.length; row++) this.functions.start.values[row]! -= by;
  }

  private notes(): string[] {
    const notes = this.lacks.notes();
    if (this.unexplained > 0) {
      notes.push(`${this.unexplained} calls name their file by a hash that the recording does not explain`);
    }
    return notes;
  }
}

/** Layers that DFTracer's categories stand for; everything else is the program's own code. */
const CATEGORY_LAYERS: Readonly<Record<string, number>> = {
  POSIX: LAYERS.indexOf('POSIX'),
  STDIO: LAYERS.indexOf('STDIO'),
  MPI: LAYERS.indexOf('MPI-IO'),
  MPIIO: LAYERS.indexOf('MPI-IO'),
  HDF5: LAYERS.indexOf('HDF5'),
};

/** Index into LAYERS of a category; undefined for code of the program. */
export function layerOfCategory(category: string): number | undefined {
  return Object.hasOwn(CATEGORY_LAYERS, category) ? CATEGORY_LAYERS[category] : undefined;
}
