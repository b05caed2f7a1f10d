import { FILE_EFFECT, fileEffects } from '../dependencies/file-effects.ts';
import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable, LAYERS, OPERATIONS } from '../../trace/calls.ts';
import type { ChunkStore } from '../../trace/chunk-store.ts';
import type { Definitions } from '../../trace/definitions.ts';
import { CHUNK_MASK, EventTable, LINK, NONE, type EventChunk, type EventColumn } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { FunctionCallTable } from '../../trace/function-calls.ts';
import { MessageTable } from '../../trace/messages.ts';
import { NameTable } from '../../trace/names.ts';
import type { TalliedProcess } from '../../trace/tallies.ts';
import type { RecordingPart, RecordingSource, Stream, Trace, TraceCapabilities } from '../../trace/trace.ts';
import type { HandleIndex } from '../../trace/indices.ts';
import { firstStart } from './estimate-offset.ts';
import type { StreamMatches } from './match-streams.ts';

/** A recording that becomes a part of another. */
export interface JoinedSource {
  readonly trace: Trace;
  readonly source: Omit<RecordingSource, 'parts'>;
  /** Which of its streams are streams of the first source. */
  readonly matches: StreamMatches;
}

/** Where the rows of one source's tables went. */
interface Moved {
  readonly parts: number;
  readonly streams: number;
  readonly files: Int32Array;
  readonly handles: number;
  readonly calls: Int32Array;
  readonly errors: Int32Array;
  readonly nodes: Int32Array;
  readonly communicators: number;
}

/**
 * Several recordings of one run as one: every table holds what all of them hold, times count from the origin of the first
 * (or from the first event, where another source begins before it: no time is negative).
 * A process that two of them recorded keeps a stream in each, with the same host, process, rank and run, so that every
 * event knows the file that it came from. Rows stand source by source. Where two sources show the same layer of a process
 * the earlier one's calls are kept, the others would count twice.
 *
 * @param sources the first one's streams are those that the others' were matched with, and its offset is 0.
 * @param store where events go that memory has no room for.
 */
export function joinTraces(
  sources: readonly JoinedSource[],
  store?: ChunkStore,
  sharedPaths: readonly string[] = [],
): Trace {
  const first = Math.min(...sources.map(({ trace, source }) => firstStart(trace) + source.offsetNs));
  const joined = new Joined(sharedPaths, store, Math.max(0, -first));
  for (const source of sources) joined.add(source);
  return joined.trace(sources);
}

class Joined {
  private readonly parts: RecordingPart[] = [];
  private readonly streams: Stream[] = [];
  private readonly files: FileTable;
  private readonly handles = new HandleTable();
  private readonly calls = new CallTable();
  private readonly errors = new NameTable();
  private readonly stacks = new CallStackTable();
  private readonly events: EventTable;
  private readonly functions = new FunctionCallTable();
  private readonly messages = new MessageTable();
  private readonly definitions: Mutable<Definitions> = {
    paradigms: [],
    files: [],
    communicators: [],
    handleNames: new Map(),
  };
  /** Layers that a stream was recorded in: what two tools saw of one process in one layer is the same calls. */
  private readonly recorded = new Set<number>();
  private readonly notes: string[] = [];
  private readonly tallied: TalliedProcess[] = [];
  private end = 0;

  /** @param shift nanoseconds that the first source's origin lies behind that of the whole. */
  constructor(
    sharedPaths: readonly string[],
    store: ChunkStore | undefined,
    private readonly shift: number,
  ) {
    this.files = new FileTable(sharedPaths);
    this.events = new EventTable(store);
  }

  add({ trace, source, matches }: JoinedSource): void {
    const offset = source.offsetNs + this.shift;
    const moved = this.moveTables(trace, matches, offset);
    const leftOut = this.moveEvents(trace, moved, matches, offset);
    if (leftOut > 0) this.notes.push(leftOutNote(source.path, leftOut));
    this.moveFunctions(trace, moved, offset);
    this.moveMessages(trace, moved, offset);
    this.end = Math.max(this.end, trace.durationNs + offset);
  }

  private moveTables(trace: Trace, matches: StreamMatches, offset: number): Moved {
    const { parts, streams, handles } = this;
    const moved: Moved = {
      parts: parts.length,
      streams: streams.length,
      files: Int32Array.from(trace.files.files, ({ host, path }) => this.files.intern(host, path)),
      handles: handles.length,
      calls: Int32Array.from(trace.calls.names, (name, call) => this.internCall(name, trace.calls.operation[call]!)),
      errors: Int32Array.from(trace.errors.names, (name) => this.errors.intern(name)),
      nodes: this.moveStacks(trace.stacks),
      communicators: this.definitions.communicators.length,
    };
    parts.push(...trace.parts.map((part) => movedPart(part, offset)));
    trace.streams.forEach((stream, index) => {
      const part = stream.part + moved.parts;
      const match = matches[index] ?? NONE;
      if (match === NONE) return streams.push({ ...stream, part });
      const { host, pid, processId, rank, part: own } = streams[match]!;
      // Processes are told apart by run, host and number: with those of the match it is the same one.
      parts[part] = { ...parts[part]!, run: parts[own]!.run };
      return streams.push({ host, pid, processId, part, ...(rank !== undefined && { rank }) });
    });
    for (let handle = 0; handle < trace.handles.length; handle++) this.moveHandle(trace.handles, handle, moved);
    this.moveDefinitions(trace.definitions, moved);
    for (const process of trace.tallied ?? []) this.tallied.push(movedTallies(process, moved));
    return moved;
  }

  /** The same name for another operation (a `write` that only changes what is known of a file) is another call. */
  private internCall(name: string, operation: number): number {
    const known = this.calls.find(name);
    const isOther = known !== undefined && this.calls.operation[known] !== operation;
    return this.calls.intern(isOther ? `${name} (${OPERATIONS[operation]!})` : name, OPERATIONS[operation]!);
  }

  private moveStacks(from: CallStackTable): Int32Array {
    const { stacks } = this;
    from.modules.names.forEach((name, module) => {
      const form = from.moduleForms.get(module);
      const target = stacks.modules.intern(name);
      if (form !== undefined) stacks.moduleForms.set(target, form);
      const build = from.moduleBuilds.get(module);
      if (build !== undefined) stacks.moduleBuilds.set(target, build);
    });
    const frames = Int32Array.from({ length: from.frames }, (_, frame) => stacks.internFrame(from.frame(frame)));
    const nodes = new Int32Array(from.nodes);
    // A caller's node stands before those of the functions that it calls.
    for (let node = 0; node < nodes.length; node++)
      nodes[node] = stacks.internNode(movedOrNone(nodes, from.nodeParent.at(node)), frames[from.nodeFrame.at(node)]!);
    return nodes;
  }

  private moveHandle(from: HandleTable, handle: HandleIndex, moved: Moved): void {
    const shifted = (value: number, by: number): number => (value === NONE ? NONE : value + by);
    this.handles.add(
      movedOrNone(moved.files, from.file.at(handle)),
      shifted(from.stream.at(handle), moved.streams),
      shifted(from.parent.at(handle), moved.handles),
      {
        layer: from.layer.at(handle),
        communicator: shifted(from.communicator.at(handle), moved.communicators),
        flags: from.flags.at(handle),
      },
    );
    // What a path led to before is known by the source alone: its count is kept as it is.
    this.handles.incarnation.values[this.handles.length - 1] = from.incarnation.at(handle);
  }

  private moveDefinitions(from: Definitions | undefined, moved: Moved): void {
    if (from === undefined) return;
    const { paradigms, files, communicators, handleNames } = this.definitions;
    paradigms.push(
      ...from.paradigms.filter(
        ({ identification }) => !paradigms.some((known) => known.identification === identification),
      ),
    );
    files.push(...from.files.map((file) => ({ ...file, file: moved.files[file.file]! })));
    communicators.push(
      ...from.communicators.map((communicator) => ({
        ...communicator,
        members: communicator.members.map((stream) => stream + moved.streams),
        parent: communicator.parent === NONE ? NONE : communicator.parent + moved.communicators,
      })),
    );
    for (const [handle, name] of from.handleNames) handleNames.set(handle + moved.handles, name);
  }

  /** @returns how many were left out, since an earlier source has the same layer of the same process. */
  private moveEvents(trace: Trace, moved: Moved, matches: StreamMatches, offsetNs: number): number {
    const { events } = this;
    const rowOf = new Int32Array(trace.events.length).fill(NONE);
    const seen = new Set<number>();
    const effects = fileEffects(trace.calls);
    let before = 0;
    trace.events.chunks.forEach((chunk, number) => {
      const rows = trace.events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        const match = matches[chunk.stream[i]!]!;
        const stream = match === NONE ? chunk.stream[i]! + moved.streams : match;
        const key = stream * LAYERS.length + chunk.layer[i]!;
        if (this.recorded.has(key)) continue;
        seen.add(key);
        const row = events.append();
        rowOf[before + i] = row;
        const to = events.chunkOf(row);
        const at = row & CHUNK_MASK;
        copyRow(chunk, i, to, at);
        to.start[at]! += offsetNs;
        to.file[at] = movedOrNone(moved.files, chunk.file[i]!);
        to.handle[at] = chunk.handle[i] === NONE ? NONE : chunk.handle[i]! + moved.handles;
        to.stack[at] = movedOrNone(moved.nodes, chunk.stack[i]!);
        // A rename names the file that it leads to.
        if (effects[chunk.call[i]!] === FILE_EFFECT.rename && chunk.argument[i]! >= 0)
          to.argument[at] = movedOrNone(moved.files, chunk.argument[i]!);
        to.parent[at] = NONE;
        to.stream[at] = chunk.stream[i]! + moved.streams;
        to.call[at] = moved.calls[chunk.call[i]!]!;
        to.error[at] = moved.errors[chunk.error[i]!]!;
      }
      before += rows;
    });
    this.moveParents(trace, rowOf);
    let left = 0;
    for (const row of rowOf) if (row === NONE) left++;
    for (const key of seen) this.recorded.add(key);
    return left;
  }

  /** A parent may stand behind its children, so this comes when all rows have their places. */
  private moveParents(trace: Trace, rowOf: Int32Array): void {
    let before = 0;
    trace.events.chunks.forEach((chunk, number) => {
      const rows = trace.events.rowsIn(number);
      for (let i = 0; i < rows; i++) {
        const row = rowOf[before + i]!;
        const parent = chunk.parent[i]!;
        if (row === NONE || parent === NONE) continue;
        const to = this.events.chunkOf(row);
        to.parent[row & CHUNK_MASK] = rowOf[parent]!;
        if (rowOf[parent] === NONE) to.link[row & CHUNK_MASK] = LINK.none;
      }
      before += rows;
    });
  }

  private moveFunctions({ functions: from }: Trace, moved: Moved, offsetNs: number): void {
    if (from === undefined) return;
    const to = this.functions;
    const [rows, kinds] = [to.length, to.functions.length];
    to.functions.push(...from.functions);
    for (let row = 0; row < from.length; row++) {
      const caller = from.caller.at(row);
      const stream = from.stream.at(row) + moved.streams;
      to.enter(
        from.start.at(row) + offsetNs,
        stream,
        from.function.at(row) + kinds,
        caller === NONE ? NONE : caller + rows,
      );
      to.duration.values[rows + row] = from.duration.at(row);
    }
  }

  private moveMessages({ messages: from }: Trace, moved: Moved, offsetNs: number): void {
    for (let row = 0; row < (from?.length ?? 0); row++) {
      const message = from!.at(row);
      this.messages.add({
        ...message,
        stream: message.stream + moved.streams,
        peer: message.peer === NONE ? NONE : message.peer + moved.streams,
        start: message.start + offsetNs,
        end: message.end + offsetNs,
        communicator: message.communicator === NONE ? NONE : message.communicator + moved.communicators,
      });
    }
  }

  trace(sources: readonly JoinedSource[]): Trace {
    this.events.trim();
    const [{ trace: first }] = sources as [JoinedSource];
    const traces = sources.map(({ trace }) => trace);
    // Records of counters name files by number, and the files of the first source alone keep theirs.
    const { counters } = first;
    const lost = sources.filter(({ trace }) => trace !== first && trace.counters !== undefined);
    const notes = lost.map(
      ({ source }) => `${source.path}: its counters are left out; open it first, and add the other recording to it`,
    );
    const capability = (name: keyof TraceCapabilities, test: 'some' | 'every'): boolean =>
      traces[test]((trace) => trace.capabilities[name]);
    const { definitions, functions, messages } = this;
    const earlyEnds = traces.flatMap((trace) => trace.earlyEnds ?? []);
    return {
      format: first.format,
      form: first.form,
      version: first.version,
      program: traces.map(({ program }) => program).find((program) => program !== '') ?? '',
      startTime: first.startTime === null ? null : first.startTime - this.shift / 1e9,
      durationNs: this.end,
      parts: this.parts,
      streams: this.streams,
      files: this.files,
      handles: this.handles,
      calls: this.calls,
      errors: this.errors,
      events: this.events,
      stacks: this.stacks,
      capabilities: {
        time: capability('time', 'every'),
        duration: capability('duration', 'some'),
        stacks: capability('stacks', 'some'),
        paths: capability('paths', 'some'),
      },
      damage: traces.flatMap(({ damage }) => damage),
      notes: [...traces.flatMap((trace) => trace.notes), ...notes, ...this.notes],
      sources: sources.map(({ trace, source }) => ({ ...source, parts: trace.parts.length })),
      ...(earlyEnds.length > 0 && { earlyEnds: [...new Set(earlyEnds)] }),
      ...(this.tallied.length > 0 && { tallied: this.tallied }),
      ...(counters && { counters }),
      ...(traces.some((trace) => trace.definitions !== undefined) && { definitions }),
      ...(functions.length > 0 && { functions }),
      ...(messages.length > 0 && { messages }),
    };
  }
}

type Mutable<Value> = {
  -readonly [Name in keyof Value]: Value[Name] extends readonly (infer Item)[]
    ? Item[]
    : Value[Name] extends ReadonlyMap<infer Key, infer Item>
      ? Map<Key, Item>
      : Value[Name];
};

function movedPart(part: RecordingPart, offset: number): RecordingPart {
  const { lived } = part;
  if (lived === undefined) return { ...part };
  return { ...part, lived: { startNs: lived.startNs + offset, endNs: lived.endNs + offset } };
}

function movedTallies(process: TalliedProcess, moved: Moved): TalliedProcess {
  const tallies = process.tallies.map((tally) => ({ ...tally, stack: movedOrNone(moved.nodes, tally.stack) }));
  return { ...process, part: process.part + moved.parts, tallies };
}

function movedOrNone(moved: Int32Array, index: number): number {
  return index === NONE ? NONE : moved[index]!;
}

function copyRow(from: EventChunk, row: number, to: EventChunk, at: number): void {
  for (const name of Object.keys(from) as EventColumn[]) to[name][at] = from[name][row]!;
}

function leftOutNote(path: string, calls: number): string {
  return `${path}: ${calls} of its calls are left out, since an earlier recording shows the same layers of the same processes`;
}
