import type { RecordingFile } from '../../trace/byte-source.ts';
import { NONE } from '../../trace/events.ts';
import type { ReadOptions } from '../../trace/trace.ts';
import type { CaptureBuilder } from './capture-builder.ts';
import { CHUNK_KIND, chunksOf } from './chunks.ts';
import { FileDefinitions, ORIGIN, type ProcessDefinition } from './definitions.ts';
import { EventChunks, type KeptChunk } from './event-chunks.ts';
import { FileEffects } from './file-effects.ts';
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
/** Names of calls; what has more is junk. */
const MOST_NAMES = 60_000;

/** A file, and what it says of its process. */
export interface ProcessFile {
  readonly file: RecordingFile;
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
  private readonly communicators = new Map<number, number>();
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
    this.definitions = new FileDefinitions((what, lost) => {
      builder.damage.add('record', file.name, what, lost);
    });
    const { host } = process;
    const program = process.arguments.length > 0 ? process.arguments.join(' ') : process.executable;
    const run = file.path.slice(0, -file.name.length);
    const part = { name: file.name, path: file.path, commandId: '', host, launchId: '', run };
    this.part = builder.parts.push({ ...part, ...(program !== '' && { program }) }) - 1;
  }

  /** @param progress is told how many bytes were read. */
  async read(progress: (position: number) => void): Promise<void> {
    const { file } = this.source;
    const { damage } = this.builder;
    const stream = await file.open();
    try {
      const gap = (position: number, bytes: number, isAtEnd: boolean): void => {
        const what = isAtEnd ? 'the file ends within a chunk' : 'no sound chunk is there';
        damage.add('region', `${file.name}, byte ${position}`, `${what} (${bytes} bytes)`, 'the calls in it');
      };
      for await (const chunk of chunksOf(stream, gap)) {
        this.options.signal?.throwIfAborted();
        progress(stream.position);
        if (chunk.kind === CHUNK_KIND.definitions) this.definitions.read(chunk.payload);
        else if (chunk.kind === CHUNK_KIND.events) this.chunks.add(chunk);
        if (this.chunks.length >= MOST_AT_ONCE) this.addEvents();
      }
    } finally {
      await stream.close();
    }
    this.addEvents();
    this.finish();
  }

  private addEvents(): void {
    const { chunks, builder, options } = this;
    if (chunks.length === 0) return;
    if (++this.stretches === 2)
      builder.note(
        `${this.source.file.name} is read in stretches: calls that begin in one and end in another are not linked with those that they made`,
      );
    const timeOf = builder.clocks.axisOf(this.source.process);
    const onLoss = (chunk: KeptChunk, what: string, lost: string): void => {
      builder.damage.add('record', `${this.source.file.name}, chunk at byte ${chunk.position}`, what, lost);
    };
    const threads = [...chunks.threads].map(([thread, kept]) => {
      const functionOf = (number: number): RecordedFunction | undefined => this.functionOf(number);
      const events = new ThreadEvents(chunks.bytes, kept, functionOf, timeOf, onLoss);
      return progressOf(events, this.streamOf(thread));
    });
    this.events ??= this.begin(threads.length > 1);
    this.events.add(chunks.bytes, threads, () => options.signal?.throwIfAborted());
    chunks.clear();
  }

  private begin(isThreaded: boolean): ProcessEvents {
    const { builder, definitions } = this;
    const { process } = this.source;
    const { host, machine } = process;
    const communicatorOf = (number: number): number => this.communicatorOf(number);
    this.handles = new ProcessHandles(builder, this.inherited(), isThreaded, communicatorOf);
    const paths = new ProcessPaths(builder.files, definitions.texts, host, machine);
    const effects = new FileEffects(builder, this.handles, paths);
    const stacks = new ProcessStacks(builder.stacks, definitions, (module) => {
      builder.note(`${module} was rebuilt while this was recorded: lines of one of its builds cannot be told`);
    });
    return new ProcessEvents(builder, effects, stacks, this);
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

  private communicatorOf(number: number): number {
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

  private finish(): void {
    const { builder, definitions, source } = this;
    for (const note of definitions.notes) builder.note(note);
    const open = this.events?.incomplete ?? 0;
    if (open > 0) {
      const what = `${open} transfers are begun and not seen to be complete`;
      builder.damage.add('no-return', source.file.name, what, 'how they ended');
    }
  }
}
