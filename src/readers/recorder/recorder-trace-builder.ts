import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable, LAYERS, OPERATION } from '../../trace/calls.ts';
import type { DamageLog } from '../../trace/damage.ts';
import type { Paradigm } from '../../trace/definitions.ts';
import { EventTable } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { FunctionCallTable, type FunctionRole } from '../../trace/function-calls.ts';
import { NameTable } from '../../trace/names.ts';
import type { ReadOptions, RecordingPart, Stream, Trace } from '../../trace/trace.ts';
import { Communicators } from './communicators.ts';
import { MpiMessages } from './mpi-messages.ts';
import { roleOfMpi } from '../mpi-functions.ts';
import type { IoCall } from '../open-files/io-call.ts';
import { OffsetsFromEnds } from '../open-files/offsets-from-ends.ts';
import { TransferLacks } from '../open-files/transfer-lacks.ts';
import { RECORDER_TRAITS } from './traits.ts';

/** What a Recorder directory says as a whole. */
interface RecordingFacts {
  readonly version: string;
  readonly program: string;
  readonly startTime: number;
  readonly notes: readonly string[];
}

/** The tables that the calls of all ranks go into. */
export class RecorderTraceBuilder {
  readonly streams: Stream[] = [];
  readonly parts: RecordingPart[] = [];
  readonly files: FileTable;
  readonly handles = new HandleTable();
  readonly calls = new CallTable();
  readonly errors = new NameTable(['']);
  readonly events: EventTable;
  readonly functions = new FunctionCallTable();
  readonly communicators: Communicators;
  readonly messages: MpiMessages;
  readonly offsetsFromEnds = new OffsetsFromEnds();
  readonly lacks = new TransferLacks();
  private readonly functionIndices = new Map<string, number>();
  private readonly threads = new Map<string, number>();
  private readonly usedLayers = new Set<number>();
  private lastEnd = 0;

  /**
   * @param functionNames by identifier.
   * @param damage what is broken goes here.
   */
  constructor(
    options: ReadOptions,
    readonly damage: DamageLog,
    readonly functionNames: readonly string[],
    ranks: number,
  ) {
    this.files = new FileTable(options.sharedPaths);
    this.events = new EventTable(options.chunkStore);
    this.communicators = new Communicators(ranks);
    this.messages = new MpiMessages(this.communicators);
  }

  /** Index of the error of a call that failed in a way that was not recorded. */
  get unknownError(): number {
    return this.errors.intern('unknown error');
  }

  /** The stream of a rank's thread. The first thread that is seen has the stream of the rank, whose number is the rank's. */
  streamOf(rank: number, thread: number): number {
    const key = `${rank} ${thread}`;
    let stream = this.threads.get(key);
    if (stream === undefined) {
      const first = `${rank}`;
      stream = this.threads.has(first) ? this.addThread(rank, thread) : rank;
      this.threads.set(first, rank);
      this.threads.set(key, stream);
    }
    return stream;
  }

  private addThread(rank: number, thread: number): number {
    return this.streams.push({ ...this.streams[rank]!, pid: thread }) - 1;
  }

  /** Index of a function, I/O or not. */
  functionOf(name: string, io: IoCall | undefined, isUser: boolean): number {
    const key = `${isUser ? 'user' : ''} ${name}`;
    let index = this.functionIndices.get(key);
    if (index === undefined) {
      const layer = io === undefined ? undefined : LAYERS[io.layer];
      const paradigm = isUser ? 'user' : (layer ?? 'MPI');
      const role = isUser ? 'computation' : io === undefined ? roleOfMpi(name) : this.roleOf(io);
      index = this.functions.functions.push({ name, role, paradigm, sourceFile: '', sourceLine: 0 }) - 1;
      this.functionIndices.set(key, index);
    }
    if (io !== undefined) this.usedLayers.add(io.layer);
    return index;
  }

  private roleOf(io: IoCall): FunctionRole {
    const operation = this.calls.operation[io.call]!;
    const moves = [OPERATION.read, OPERATION.write, OPERATION.sync, OPERATION.map].includes(operation);
    return moves ? 'I/O' : 'metadata';
  }

  /** Adds a call of a function; times in nanoseconds. */
  enter(start: number, duration: number, stream: number, called: number, caller: number): number {
    const row = this.functions.enter(start, stream, called, caller);
    this.functions.duration.values[row] = duration;
    if (start + duration > this.lastEnd) this.lastEnd = start + duration;
    return row;
  }

  build({ version, program, startTime, notes }: RecordingFacts): Trace {
    this.offsetsFromEnds.forgetWrong(this.events);
    this.events.trim();
    const { parts, streams, files, handles, calls, errors, events, functions } = this;
    const communicators = this.communicators.list();
    return {
      format: 'recorder',
      form: RECORDER_TRAITS,
      version,
      program,
      startTime: startTime > 0 ? startTime : null,
      durationNs: this.lastEnd,
      parts,
      streams,
      files,
      handles,
      calls,
      errors,
      events,
      stacks: new CallStackTable(),
      capabilities: { time: true, duration: true, stacks: false, paths: true },
      damage: this.damage.list(),
      notes: [...notes, ...this.lacks.notes()],
      definitions: { paradigms: this.paradigms(), files: [], communicators, handleNames: new Map() },
      functions,
      messages: this.messages.finish(),
    };
  }

  private paradigms(): Paradigm[] {
    return [...this.usedLayers]
      .sort((a, b) => a - b)
      .map((layer) => {
        const name = LAYERS[layer]!;
        const isParallel = name === 'MPI-IO' || name === 'PnetCDF' || name === 'HDF5';
        const isOperatingSystem = name === 'POSIX';
        return { layer, identification: name, name, isParallel, isOperatingSystem, properties: [] };
      });
  }
}
