import type { RecordingFile } from '../../trace/byte-source.ts';
import { NONE } from '../../trace/events.ts';
import type { ReadOptions } from '../../trace/trace.ts';
import type { CaptureBuilder } from './capture-builder.ts';
import { CHUNK_KIND, chunksOf, type Chunk } from './chunks.ts';
import { FileDefinitions, ORIGIN, type ProcessDefinition } from './definitions.ts';
import { EventChunks, type KeptChunk } from './event-chunks.ts';
import { FileEffects } from './file-effects.ts';
import { LiveSlots } from './live-slots.ts';
import { OpenFiles } from './open-files.ts';
import type { Occurrence } from './occurrence.ts';
import { ProcessEvents, progressOf, type Kinship } from './process-events.ts';
import { ProcessHandles } from './process-handles.ts';
import { ProcessPaths } from './process-paths.ts';
import { ProcessStacks } from './process-stacks.ts';
import { recordedFunction, type RecordedFunction } from './recorded-functions.ts';
import { ThreadEvents } from './thread-events.ts';

/** Bytes of events that are put into order at once; a larger file is read in stretches. */
const MOST_AT_ONCE = 1 << 28;
/**
 * Threads whose last call returned so long before the newest one are not waited for while the file is written, in
 * nanoseconds: others write a chunk four times a second.
 */
const QUIET_NS = 2e9;
/** Names of calls; what has more is junk. */
const MOST_NAMES = 60_000;

/** A file, and what it says of its process. */
export interface ProcessFile {
  readonly file: Pick<RecordingFile, 'name' | 'path'>;
  readonly process: ProcessDefinition;
}

/** What processes know of each other, by host and pid. */
export interface Relatives {
  /** Whether there is a file of a process. */
  isRecorded(host: string, pid: number): boolean;
  /** Whether there is a later file of the same process. */
  hasSuccessor(process: ProcessDefinition): boolean;
  /** What a process has of the one that made it, or of the program before. */
  readonly inherited: Map<string, OpenFiles>;
}

export function processKey(host: string, pid: number): string {
  return `${host} ${pid}`;
}

/** Reads the file of one process. */
export class ProcessReader implements Kinship {
  private readonly definitions: FileDefinitions;
  private readonly functions = new Map<number, RecordedFunction | undefined>();
  private readonly chunks = new EventChunks();
  private readonly streams = new Map<number, number>();
  /** By thread, while the file is written: when its last call returned, in nanoseconds from the trace's reference. */
  private readonly lastEnds = new Map<number, number>();
  private readonly communicators = new Map<number, number>();
  private readonly paths: ProcessPaths;
  private readonly stacks: ProcessStacks;
  private handles: ProcessHandles | undefined;
  private events: ProcessEvents | undefined;
  private readonly part: number;
  private stretches = 0;

  constructor(
    private readonly builder: CaptureBuilder,
    private readonly source: ProcessFile,
    private readonly relatives: Relatives,
    private readonly options: ReadOptions,
  ) {
    const { file, process } = source;
    this.definitions = new FileDefinitions((what, lost) => builder.damage.add('record', file.name, what, lost));
    const { host, machine, batch } = process;
    this.paths = new ProcessPaths(builder.files, this.definitions.texts, host, machine);
    this.stacks = new ProcessStacks(builder.stacks, this.definitions, (module) =>
      builder.note(`${module} was rebuilt while this was recorded: lines of one of its builds cannot be told`),
    );
    const program = process.arguments.length > 0 ? process.arguments.join(' ') : process.executable;
    const run = file.path.slice(0, -file.name.length);
    const part = { name: file.name, path: file.path, commandId: '', host, launchId: '', run };
    this.part = builder.parts.push({ ...part, ...(program !== '' && { program }), ...(batch && { batch }) }) - 1;
  }

  /** @param progress is told how many bytes were read. */
  async read(file: RecordingFile, progress: (position: number) => void): Promise<void> {
    const stream = await file.open();
    const live = new LiveSlots();
    try {
      const gap = (position: number, bytes: number, isAtEnd: boolean): void => this.addGap(position, bytes, isAtEnd);
      for await (const chunk of chunksOf(stream, gap)) {
        this.options.signal?.throwIfAborted();
        progress(stream.position);
        live.look(chunk);
        this.take(chunk);
        if (this.waiting >= MOST_AT_ONCE) this.addStretch();
      }
    } finally {
      await stream.close();
    }
    for (const chunk of live.unwritten()) this.take(chunk);
    this.addStretch();
    this.finish();
  }

  /** Takes a chunk: its definitions are known from now on, its events wait. */
  take(chunk: Chunk): void {
    if (chunk.kind === CHUNK_KIND.definitions) this.definitions.read(chunk.payload);
    else if (chunk.kind === CHUNK_KIND.events) this.chunks.add(chunk);
  }

  /** Lets go of what the file defined: before more is taken its definitions are to be taken anew. */
  forget(): void {
    this.definitions.forget();
    this.functions.clear();
    this.paths.forget();
    this.stacks.forget();
  }

  /** Bytes of events that wait. */
  get waiting(): number {
    return this.chunks.length;
  }

  /** Bytes that are in no sound chunk. */
  addGap(position: number, bytes: number, isAtEnd: boolean): void {
    const what = isAtEnd ? 'the file ends within a chunk' : 'no sound chunk is there';
    const where = `${this.source.file.name}, byte ${position}`;
    this.builder.damage.add('region', where, `${what} (${bytes} bytes)`, 'the calls in it');
  }

  /** Makes rows of all events that wait. */
  private addStretch(): void {
    if (this.chunks.threads.size === 0) return;
    if (++this.stretches === 2)
      this.builder.note(
        `${this.source.file.name} is read in stretches: calls that begin in one and end in another are not linked with those that they made`,
      );
    this.addRows(this.eventsThatWait());
    this.chunks.clear();
  }

  /**
   * Makes rows of the events that wait, while the file is still written: other threads' calls of the same time may stand
   * in chunks that come later, so calls wait for those.
   * @param isStill nothing came for a while: waiting calls wait no longer.
   */
  addSoFar(isStill: boolean): void {
    this.noteLife();
    if (this.chunks.threads.size === 0) return;
    const threads = this.eventsThatWait();
    const until = isStill ? Infinity : this.settledUntil(threads);
    const left = new Map([...threads].map(([thread, events]) => [thread, events.cut(until)]));
    this.addRows(threads);
    this.chunks.keep(left);
    this.addNotes();
    this.addRank();
  }

  /** MPI says which rank the process is when it begins, and that may be after the first calls. */
  private addRank(): void {
    const { rank } = this.definitions.world ?? {};
    const { streams } = this.builder;
    if (rank === undefined) return;
    for (const stream of this.streams.values())
      if (streams[stream]!.rank !== rank) streams[stream] = { ...streams[stream]!, rank };
  }

  private eventsThatWait(): Map<number, ThreadEvents> {
    const { chunks, builder } = this;
    const timeOf = builder.clocks.axisOf(this.source.process);
    const onLoss = (chunk: KeptChunk, what: string, lost: string): void =>
      builder.damage.add('record', `${this.source.file.name}, chunk at byte ${chunk.position}`, what, lost);
    const functionOf = (number: number): RecordedFunction | undefined => this.functionOf(number);
    const threads = new Map<number, ThreadEvents>();
    for (const [thread, kept] of chunks.threads)
      threads.set(thread, new ThreadEvents(chunks.bytes, kept, functionOf, timeOf, onLoss));
    return threads;
  }

  /** Until when the calls are known of all threads that are not quiet, in nanoseconds from the trace's reference. */
  private settledUntil(threads: ReadonlyMap<number, ThreadEvents>): number {
    const { lastEnds } = this;
    for (const [thread, { lastEnd }] of threads) lastEnds.set(thread, lastEnd);
    let newest = -Infinity;
    for (const end of lastEnds.values()) newest = Math.max(newest, end);
    let until = newest;
    for (const [thread, end] of lastEnds) {
      if (end < newest - QUIET_NS) lastEnds.delete(thread);
      else until = Math.min(until, end);
    }
    return until;
  }

  private addRows(threads: ReadonlyMap<number, ThreadEvents>): void {
    const progress = [...threads].map(([thread, events]) => progressOf(events, this.streamOf(thread)));
    this.events ??= this.begin();
    this.handles!.isThreaded = this.streams.size > 1;
    this.events.add(this.chunks.bytes, progress, () => this.options.signal?.throwIfAborted());
  }

  private begin(): ProcessEvents {
    const { builder } = this;
    const communicatorOf = (number: number): number => this.communicatorOf(number);
    this.handles = new ProcessHandles(builder, this.inherited(), communicatorOf);
    const effects = new FileEffects(builder, this.handles, this.paths);
    const bounds = builder.boundsOf(this.source.process.host);
    return new ProcessEvents(builder, effects, this.stacks, this, bounds);
  }

  private inherited(): OpenFiles {
    const { host, pid, origin, folder } = this.source.process;
    const key = processKey(host, pid);
    const open = this.relatives.inherited.get(key) ?? new OpenFiles(folder);
    this.relatives.inherited.delete(key);
    const own = origin === ORIGIN.forked ? open : open.afterExecute();
    own.folder = folder;
    return own;
  }

  private functionOf(number: number): RecordedFunction | undefined {
    if (this.functions.has(number)) return this.functions.get(number);
    const definition = this.definitions.functions.get(number);
    const isJunk = this.builder.calls.names.length > MOST_NAMES;
    const called = definition === undefined || isJunk ? undefined : recordedFunction(definition, this.builder.calls);
    this.functions.set(number, called);
    return called;
  }

  private streamOf(thread: number): number {
    let stream = this.streams.get(thread);
    if (stream === undefined) {
      const { host, pid, rank: first } = this.source.process;
      const rank = this.definitions.world?.rank ?? first;
      const place = { host, pid: thread, processId: pid, part: this.part, ...(rank >= 0 && { rank }) };
      stream = this.builder.streams.push(place) - 1;
      this.streams.set(thread, stream);
    }
    return stream;
  }

  communicatorOf(number: number): number {
    let index = this.communicators.get(number);
    if (index === undefined) {
      const definition = this.definitions.communicators.get(number);
      const { host, pid } = this.source.process;
      index = definition === undefined ? NONE : this.builder.communicators.intern(definition, processKey(host, pid));
      this.communicators.set(number, index);
    }
    return index;
  }

  forked(pid: number, time: number): void {
    const { host } = this.source.process;
    if (this.handles === undefined || !this.relatives.isRecorded(host, pid)) return;
    this.relatives.inherited.set(processKey(host, pid), this.handles.share(time));
  }

  executed({ given }: Occurrence): void {
    const { process } = this.source;
    const { host, pid } = process;
    if (this.handles === undefined) return;
    if (this.relatives.hasSuccessor(process)) {
      this.relatives.inherited.set(processKey(host, pid), this.handles.open.copy());
      return;
    }
    this.builder.executedUnseen(this.definitions.texts.get(given.path) ?? 'another program');
  }

  private addNotes(): void {
    for (const note of this.definitions.notes) this.builder.note(note);
  }

  /** A program computes before its first call and after its last. */
  private noteLife(): void {
    const { builder, source, part } = this;
    const { process } = source;
    if (process.startedAt === undefined) return;
    const timeOf = builder.clocks.axisOf(process);
    const start = timeOf(process.startedAt);
    const { life, tallies } = this.definitions;
    if (tallies.limit !== undefined) {
      // What is known of it call by call ends there.
      builder.boundsOf(process.host).note(start, timeOf(tallies.limit.at));
      return;
    }
    builder.boundsOf(process.host).note(start, life === undefined ? start : timeOf(life.until));
    if (life === undefined) return;
    const { until, worked } = life;
    builder.noteLived(part, process.host, start, timeOf(until));
    builder.parts[part] = {
      ...builder.parts[part]!,
      life: { lastedNs: timeOf(until) - start, ...worked },
    };
  }

  private addTallies(): void {
    const { builder, source, part, definitions } = this;
    const { tallies, life, functions } = definitions;
    const { limit } = tallies;
    if (limit === undefined) return;
    const { startedAt, monotonicClock } = source.process;
    const until = life?.until ?? tallies.until ?? limit.at;
    builder.addTallied(source.process, {
      part,
      limitBytes: limit.bytes,
      recordedNs: Number(limit.at - (startedAt ?? monotonicClock)),
      countedNs: Math.max(0, Number(until - limit.at)),
      tallies: tallies.merged(functions, (node) => this.stacks.nodeOf(node)),
    });
  }

  /** Everything was read. */
  finish(): void {
    const { builder, source } = this;
    this.addNotes();
    this.noteLife();
    this.addTallies();
    const { life } = this.definitions;
    if (source.process.startedAt !== undefined && life === undefined) builder.endUnseen(source.process);
    if (life !== undefined && !(life.signal > 0)) builder.endSeen(source.process);
    if (life !== undefined && life.signal > 0) builder.endBySignal(source.process, life.signal);
    const open = this.events?.incomplete ?? 0;
    if (open > 0) {
      const what = `${open} transfers are begun and not seen to be complete`;
      builder.damage.add('no-return', source.file.name, what, 'how they ended');
    }
  }
}
