import { getOrCreate } from '../../base/grouping.ts';
import { counted, formatBytes, formatDuration } from '../../base/quantities.ts';
import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable, LAYERS } from '../../trace/calls.ts';
import { DamageLog } from '../../trace/damage.ts';
import type { Paradigm } from '../../trace/definitions.ts';
import { EventTable } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { NameTable } from '../../trace/names.ts';
import type { TalliedProcess } from '../../trace/tallies.ts';
import type { ReadOptions, RecordingPart, Stream, Trace } from '../../trace/trace.ts';
import { AppendOffsets } from './append-offsets.ts';
import { CaptureCommunicators } from './capture-communicators.ts';
import { CaptureMessages } from './capture-messages.ts';
import type { ProcessDefinition } from './definitions.ts';
import { HostClocks } from './host-clocks.ts';
import { Clocks } from './process-clock.ts';
import { TimeBounds } from './time-bounds.ts';
import { SharedPositions } from './shared-positions.ts';
import { CAPTURE_TRAITS } from './traits.ts';

/** Nanoseconds between clocks that a note tells of. */
const WORTH_TELLING = 100_000;
const PARALLEL_LAYERS: ReadonlySet<string> = new Set(['MPI-IO', 'HDF5', 'NetCDF', 'PnetCDF']);
/** Programs that a note names. */
const MOST_NAMES = 5;
/** Notes of the recorder that are kept. */
const MOST_NOTES = 50;

/** What of a trace grows while it is read. */
type TraceTables = Pick<Trace, 'parts' | 'streams' | 'files' | 'handles' | 'calls' | 'errors' | 'events' | 'stacks'>;

/** The tables that all processes go into. */
export class CaptureBuilder {
  readonly streams: Stream[] = [];
  readonly parts: RecordingPart[] = [];
  /** By part. */
  private readonly lived = new Map<number, { readonly host: string; readonly bounds: TimeBounds }>();
  readonly files: FileTable;
  readonly handles = new HandleTable();
  readonly handleNames = new Map<number, string>();
  readonly calls = new CallTable();
  readonly errors = new NameTable(['']);
  readonly events: EventTable;
  readonly stacks = new CallStackTable();
  readonly damage = new DamageLog();
  readonly communicators = new CaptureCommunicators();
  readonly messages = new CaptureMessages();
  readonly clocks = new Clocks();
  readonly sharedPositions = new SharedPositions();
  readonly appendOffsets = new AppendOffsets();
  /** Indices into LAYERS. */
  readonly usedLayers = new Set<number>();
  private readonly notes = new Set<string>();
  /** Programs that were executed and of which there is no file. */
  private readonly unseenPrograms = new Set<string>();
  private readonly unseenEnds: ProcessDefinition[] = [];
  /** Processes that said that they end, by host and number. */
  private readonly ended = new Set<string>();
  /** Processes that ended themselves by a signal. */
  private readonly signalled: string[] = [];
  private readonly tallied: TalliedProcess[] = [];
  /** Processes of which calls were only counted in the end. */
  private readonly limited: string[] = [];
  /** What starts of rows count from, in nanoseconds from the reference. */
  origin = 0;
  private readonly bounds = new Map<string, TimeBounds>();

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

  /** The process of a file did not say that it ends. */
  endUnseen(process: ProcessDefinition): void {
    this.unseenEnds.push(process);
  }

  endSeen({ host, pid }: ProcessDefinition): void {
    this.ended.add(`${host} ${pid}`);
  }

  /** It sent itself a signal that ends it. */
  endBySignal(process: ProcessDefinition, signal: number): void {
    this.signalled.push(`${nameOf(process)}: it ended itself by signal ${signal}`);
  }

  /** It wrote as many events as it might, and counted calls from then on. */
  addTallied(process: ProcessDefinition, tallied: TalliedProcess): void {
    this.tallied.push(tallied);
    const { recordedNs, countedNs, limitBytes } = tallied;
    this.limited.push(
      `${nameOf(process)}: calls were recorded one by one for ${formatDuration(recordedNs)}, until they had ${formatBytes(limitBytes)} (--limit); those of the ${formatDuration(countedNs)} after that were counted (iolens sites)`,
    );
  }

  /** When the process of a part began and ended. */
  noteLived(part: number, host: string, start: number, end: number): void {
    const bounds = new TimeBounds();
    bounds.note(start, end);
    this.lived.set(part, { host, bounds });
  }

  /** When what is known of a host began and ended. */
  boundsOf(host: string): TimeBounds {
    return getOrCreate(this.bounds, host, () => new TimeBounds());
  }

  /** Moves the times of hosts whose messages show that their dates differ; nothing is moved from its origin yet. */
  private alignHosts(): void {
    const clocks = HostClocks.from(this.messages.messages, this.streams, this.communicators.twins);
    if (clocks === undefined) return;
    this.events.update((chunk, number) => {
      const rows = this.events.rowsIn(number);
      for (let i = 0; i < rows; i++) chunk.start[i]! += clocks.of(chunk.stream[i]!, chunk.start[i]! + this.origin);
    });
    this.messages.shift(clocks);
    for (const [host, bounds] of this.bounds) bounds.shift((time) => clocks.ofHost(host, time));
    for (const { host, bounds } of this.lived.values()) bounds.shift((time) => clocks.ofHost(host, time));
    if (clocks.most < WORTH_TELLING) return;
    const hosts = counted(clocks.hosts.length, 'host');
    const isBounded = clocks.uncertainty < Infinity;
    const by = `by ${isBounded ? 'up to' : 'at least'} ${formatDuration(clocks.most)}`;
    const sure = isBounded ? `, ± ${formatDuration(clocks.uncertainty)}` : '';
    this.note(
      `the clocks of ${hosts} differ ${by}, as messages between them show${sure}: times are those of one of them`,
    );
  }

  /** Makes the first call the origin of all rows. */
  private moveOrigin(): void {
    const first = Math.min(...[...this.bounds.values()].map((bounds) => bounds.first));
    const by = first === Infinity ? 0 : first - this.origin;
    if (by === 0) return;
    this.events.update((chunk, number) => {
      const rows = this.events.rowsIn(number);
      for (let i = 0; i < rows; i++) chunk.start[i]! -= by;
    });
    this.origin += by;
  }

  /** The trace, when everything was read. @param first process of the recording. */
  build(first: ProcessDefinition): Trace {
    const { parts, streams, files, handles, calls, errors, events, stacks, handleNames } = this;
    const communicators = this.communicators.list(streams);
    this.messages.resolve(communicators, streams);
    this.alignHosts();
    this.sharedPositions.resolve(events);
    this.appendOffsets.resolve(this, this.origin);
    this.moveOrigin();
    events.trim();
    const trace = this.trace(first, { parts, streams, files, handles, calls, errors, events, stacks }, handleNames);
    return { ...trace, ...this.messages.tables(this.origin) };
  }

  /**
   * The trace as far as it was read: it stays as it is while reading goes on. Where writes went that append is not worked
   * out yet, since any process may write to their files, and messages are not in it: their other ends may be to come.
   */
  snapshot(first: ProcessDefinition): Trace {
    this.sharedPositions.resolve(this.events);
    this.moveOrigin();
    const tables = {
      parts: [...this.parts],
      streams: [...this.streams],
      files: this.files.snapshot(),
      handles: this.handles.snapshot(),
      calls: this.calls.snapshot(),
      errors: this.errors.snapshot(),
      events: this.events.snapshot(),
      stacks: this.stacks.snapshot(),
    };
    return this.trace(first, tables, new Map(this.handleNames));
  }

  private trace(first: ProcessDefinition, tables: TraceTables, handleNames: ReadonlyMap<number, string>): Trace {
    const { start } = this.clocks;
    const { origin } = this;
    return {
      format: 'iolens',
      form: CAPTURE_TRAITS,
      version: first.recorderVersion,
      program: first.arguments.join(' ') || first.executable,
      startTime: start === null ? null : start + origin / 1e9,
      durationNs:
        tables.events.length === 0 ? 0 : Math.max(...[...this.bounds.values()].map(({ last }) => last)) - origin,
      ...tables,
      parts: tables.parts.map((part, i) => {
        const bounds = this.lived.get(i)?.bounds;
        if (bounds === undefined) return part;
        return { ...part, lived: { startNs: bounds.first - origin, endNs: bounds.last - origin } };
      }),
      capabilities: { time: true, duration: true, stacks: tables.stacks.nodes > 0, paths: true },
      damage: this.damage.list(),
      notes: [...this.notes, ...this.noteOnPrograms(), ...this.noteOnRings(), ...this.noteOnWorkers()],
      ...(this.earlyEnds().length > 0 && { earlyEnds: this.earlyEnds() }),
      ...(this.tallied.length > 0 && { tallied: this.tallied }),
      definitions: {
        paradigms: this.paradigms(),
        files: [],
        communicators: this.communicators.list(tables.streams),
        handleNames,
      },
    };
  }

  /** A process that ends in order may end its children by a signal before, when they have nothing to do any more. */
  private isWorker({ host, parentPid }: ProcessDefinition): boolean {
    return this.ended.has(`${host} ${parentPid}`);
  }

  private cutOff(): ProcessDefinition[] {
    return this.unseenEnds.filter((process) => !this.isWorker(process));
  }

  private noteOnWorkers(): string[] {
    const workers = this.unseenEnds.filter((process) => this.isWorker(process));
    if (workers.length === 0) return [];
    const which = `${workers.length === 1 ? 'one process' : `${workers.length} processes`} (such as ${nameOf(workers[0]!)})`;
    return [
      `no end was recorded of ${which} whose parent ended in order: killed, as a pool of Python's multiprocessing does with its workers, or running still; a call that was under way is missing`,
    ];
  }

  private earlyEnds(): string[] {
    const { signalled, limited } = this;
    const unseenEnds = this.cutOff();
    const unseen =
      unseenEnds.length > MOST_NAMES
        ? [`${unseenEnds.length} processes: no end of them was recorded, so they were killed, or run still`]
        : unseenEnds.map((process) => `${nameOf(process)}: no end was recorded, so it was killed, or it runs still`);
    const more = signalled.length - MOST_NAMES;
    const moreLimited = limited.length - MOST_NAMES;
    return [
      ...limited.slice(0, MOST_NAMES),
      ...(moreLimited > 0 ? [`${counted(moreLimited, 'process', 'processes')} more reached that limit`] : []),
      ...unseen,
      ...signalled.slice(0, MOST_NAMES),
      ...(more > 0 ? [`${more} more ended by a signal`] : []),
    ];
  }

  private noteOnPrograms(): string[] {
    // Of some the recorder knew why.
    const isExplained = (program: string): boolean =>
      [...this.notes].some((note) => note.startsWith(`${program} was executed`));
    const programs = [...this.unseenPrograms].filter((program) => !isExplained(program));
    if (programs.length === 0) return [];
    const more = programs.length > MOST_NAMES ? ` and ${programs.length - MOST_NAMES} more` : '';
    return [
      `executed, and not recorded: ${programs.slice(0, MOST_NAMES).join(', ')}${more}; they load no libraries (static programs), run with other rights, or made no call that is recorded`,
    ];
  }

  private noteOnRings(): string[] {
    const isRing = (name: string): boolean => name.startsWith('io_uring_');
    if (!this.calls.names.some(isRing)) return [];
    return [
      'io_uring: programs hand over requests and fetch their results in memory; which files they are of and how many bytes they move, the recorder does not see',
    ];
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

function nameOf({ pid, host, arguments: [program = ''] }: ProcessDefinition): string {
  return `process ${pid} on ${host}${program === '' ? '' : ` (${program})`}`;
}
