import { addToGroup, groupBy } from '../../base/grouping.ts';
import type { RecordingFile } from '../../trace/byte-source.ts';
import { DamageLog } from '../../trace/damage.ts';
import { messageOf } from '../../base/error-message.ts';
import { CHUNK_MASK, NONE } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import { UnreadableRecordingError, type ReadOptions, type Trace } from '../../trace/trace.ts';
import { readAnchor, type Anchor } from './anchor.ts';
import { Archive } from './archive.ts';
import { ChunkBuffer } from './chunks.ts';
import { LocationClock } from './clock.ts';
import { emptyDefinitions, readDefinition, type RawDefinitions } from './definition-records.ts';
import { EventRecords, type FileChanges } from './event-records.ts';
import { FilePositions, type RowRange } from './file-positions.ts';
import { readLocalDefinitions, NO_LOCAL_DEFINITIONS, type LocalDefinitions } from './local-definitions.ts';
import { LocationCalls, type HandleChanges } from './location-calls.ts';
import { LocationMessages } from './location-messages.ts';
import { Completions, type PendingOperation } from './pending-operations.ts';
import { EventFile } from './read-events.ts';
import { readNamed } from './named-files.ts';
import { readDefinitionFile } from './read-definitions.ts';
import type { LocationStream } from './streams.ts';
import { OTF2_TRAITS } from './traits.ts';

/** A file that is used by more than one process. */
const SHARED = -2;
/** Calls of functions that room is made for beforehand: memory is taken as it is filled, so a false number costs none. */
const MOST_RESERVED = 1 << 22;

/**
 * Reads an OTF2 archive. Damage is reported and passed over; what is sound is kept.
 *
 * @param files anchor, global definitions, and what there is of the locations.
 * @throws UnreadableRecordingError when it is none, has no definitions, or is stored in a way that nobody reads here.
 * @throws the signal's reason when reading is aborted.
 */
export async function readOtf2(files: readonly RecordingFile[], options: ReadOptions = {}): Promise<Trace> {
  const damage = new DamageLog();
  const [anchorFile] = files;
  if (anchorFile === undefined) throw new UnreadableRecordingError('an OTF2 archive without files');
  const anchor = await readNamed(anchorFile, () => readAnchor(anchorFile, damage));
  const byName = new Map(files.map((file) => [file.name, file]));
  const name = anchorFile.name.replace(/\.otf2$/, '');
  const definitions = byName.get(`${name}.def`);
  if (definitions === undefined) {
    throw new UnreadableRecordingError(
      `${name}.def is missing: without the global definitions the events of ${anchorFile.name} mean nothing`,
    );
  }
  const raw = await readGlobalDefinitions(definitions, anchor, damage);
  const folder = anchorFile.path.replace(/\.otf2$/, '');
  const eventFile = (id: string): { name: string; path: string } => {
    return byName.get(`${name}/${id}.evt`) ?? { name: `${name}/${id}.evt`, path: `${folder}/${id}.evt` };
  };
  const archive = new Archive({ raw, anchor, where: definitions.name }, eventFile, damage, options);
  const reader = new ArchiveReader(archive, byName, name, options);
  await reader.read();
  return reader.trace();
}

async function readGlobalDefinitions(file: RecordingFile, anchor: Anchor, damage: DamageLog): Promise<RawDefinitions> {
  const raw = emptyDefinitions();
  const count = await readNamed(file, () =>
    readDefinitionFile(file, anchor.definitionChunkBytes, damage, (type, cursor) => readDefinition(type, cursor, raw)),
  );
  const counts = (found: number, named: number, what: string): void => {
    if (found === named) return;
    damage.add(
      'file',
      file.name,
      `${found} ${what}, where the anchor names ${named}`,
      `the other ${what}, if there were any`,
    );
  };
  counts(count, anchor.globalDefinitions, 'definitions');
  counts(raw.locations.length, anchor.locations, 'locations');
  if (raw.locations.length === 0) {
    throw new UnreadableRecordingError(`${file.name} defines no location: there is nothing to read events for`);
  }
  if (raw.clock === undefined) {
    const lost = 'the date; ticks are taken for nanoseconds, from the first event on';
    damage.add('clock', file.name, 'no properties of the clock are defined', lost);
  }
  return raw;
}

/** Reads the locations of an archive one after the other, those of a process behind each other. */
class ArchiveReader {
  private readonly changes: HandleChanges = { duplicated: new Map(), appends: new Map() };
  private readonly fileChanges: FileChanges = { removed: [], created: [] };
  /** By file: the process that uses it, SHARED, or NONE. */
  private readonly userOfFile: Int32Array;
  private readonly unknown = { records: 0, type: 0 };
  private readonly total: number;
  private readonly buffer = new ChunkBuffer();
  private done = 0;

  constructor(
    private readonly archive: Archive,
    private readonly files: ReadonlyMap<string, RecordingFile>,
    private readonly name: string,
    private readonly options: ReadOptions,
  ) {
    this.userOfFile = new Int32Array(archive.files.length).fill(NONE);
    this.total = [...files.values()].reduce((sum, { size }) => sum + (size ?? 0), 0);
  }

  async read(): Promise<void> {
    this.archive.functions.reserve(this.expectedCalls());
    const processes = groupBy(this.archive.locations, (location) => location.group);
    const ranges: RowRange[][] = [];
    for (const locations of processes.values()) ranges.push(await this.readProcess(locations));
    this.reportUndefinedFiles();
    for (const ofProcess of ranges) {
      new FilePositions(this.archive, this.changes, (file) => this.userOfFile[file] === SHARED).work(ofProcess);
    }
    this.countIncarnations();
  }

  /** How many calls of functions there are by what the archive says of itself, as far as that is worth believing. */
  private expectedCalls(): number {
    const events = this.archive.locations.reduce((sum, location) => sum + location.events, 0);
    return Math.min(Math.ceil(events / 2), MOST_RESERVED);
  }

  private async readProcess(locations: readonly LocationStream[]): Promise<RowRange[]> {
    const completions = new Completions();
    const left: { calls: LocationCalls; pending: PendingOperation[] }[] = [];
    const ranges: RowRange[] = [];
    for (const location of locations) {
      const { length: from } = this.archive.events;
      const calls = await this.readLocation(location, completions);
      const end = this.archive.events.length;
      ranges.push({ from, end });
      this.noteUsers(from, end, location.group);
      if (calls !== undefined) left.push({ calls, pending: calls.end() });
    }
    this.completeElsewhere(left, completions, locations[0]!);
    return ranges;
  }

  private async readLocation(location: LocationStream, completions: Completions): Promise<LocationCalls | undefined> {
    const { archive, name, options } = this;
    const { damage } = archive;
    const file = this.files.get(`${name}/${location.id}.evt`);
    if (file === undefined) {
      const what = `it is missing; ${location.events} events of ${this.locationName(location)} are defined`;
      if (location.events > 0) damage.add('file', `${name}/${location.id}.evt`, what, 'all of them');
      return undefined;
    }
    const local = await this.readLocal(location);
    const clock = new LocationClock(local.clockOffsets);
    const events = new EventFile(file, archive, clock, this.buffer);
    const calls = new LocationCalls(archive, location.stream, this.changes, completions, (kind, what, lost) =>
      damage.add(kind, events.where(), what, lost),
    );
    const messages = new LocationMessages(archive, location.stream);
    const records = new EventRecords(archive, local, calls, messages, this.fileChanges);
    const read = (bytes: number): void => {
      this.done += bytes;
      options.progress?.(this.total === 0 ? undefined : Math.min(1, this.done / this.total));
    };
    try {
      await events.read(records, read, options.signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      damage.add('file', events.where(), messageOf(error), 'events behind it');
    }
    this.unknown.records += events.unknownRecords;
    if (events.unknownRecords > 0) this.unknown.type = events.unknownType;
    if (records.number !== location.events) {
      const what = `${records.number} events, where ${location.events} are defined`;
      damage.add('file', file.name, what, 'the others, if there were any');
    }
    return calls;
  }

  private async readLocal({ id }: LocationStream): Promise<LocalDefinitions> {
    const { archive, name } = this;
    const file = this.files.get(`${name}/${id}.def`);
    if (file === undefined) return NO_LOCAL_DEFINITIONS;
    try {
      return await readLocalDefinitions(file, archive.anchor.definitionChunkBytes, archive.ticks, archive.damage);
    } catch (error) {
      archive.damage.add('file', file.name, messageOf(error), 'what it defines; the events may be given wrong names');
      return NO_LOCAL_DEFINITIONS;
    }
  }

  /** Operations that one thread began and another one saw complete; the others never ended. */
  private completeElsewhere(
    left: readonly { calls: LocationCalls; pending: PendingOperation[] }[],
    completions: Completions,
    location: LocationStream,
  ): void {
    let open = 0;
    for (const { calls, pending } of left) {
      for (const operation of pending) if (!calls.completeElsewhere(operation)) open++;
    }
    const { damage } = this.archive;
    const where = `${this.name}/${location.id}.evt`;
    if (open > 0) damage.add('no-return', where, `${open} I/O operations are begun and not complete`, 'how they ended');
    if (completions.left > 0) {
      damage.add(
        'no-beginning',
        where,
        `${completions.left} I/O operations are complete and not begun`,
        'these operations',
      );
    }
  }

  private noteUsers(from: number, end: number, process: number): void {
    const { events } = this.archive;
    for (let row = from; row < end; row++) {
      const file = events.chunkOf(row).file[row & CHUNK_MASK]!;
      if (file === NONE) continue;
      const known = this.userOfFile[file]!;
      if (known !== process) this.userOfFile[file] = known === NONE ? process : SHARED;
    }
  }

  private reportUndefinedFiles(): void {
    const known = new Set(this.archive.raw.locations.map(({ id }) => id));
    for (const { name } of this.files.values()) {
      const id = /\/(\d+)\.evt$/.exec(name)?.[1];
      if (id === undefined || known.has(id)) continue;
      this.archive.damage.add('file', name, `location ${id} is not defined`, 'its events');
    }
  }

  /** A handle that is created after its file was removed leads to another file of the same name. */
  private countIncarnations(): void {
    const { handles } = this.archive;
    const removals = new Map<number, number[]>();
    for (const { file, at } of this.fileChanges.removed) {
      addToGroup(removals, file, at);
    }
    for (const { handle, at } of this.fileChanges.created) {
      const before = removals.get(handles.file.at(handle))?.filter((removed) => removed < at).length;
      if (before !== undefined) handles.incarnation.values[handle] = before;
    }
  }

  private locationName({ name, group }: LocationStream): string {
    const process = this.archive.raw.locationGroups.get(group);
    const inner = this.archive.text(name);
    return process === undefined ? inner : `${this.archive.text(process.name)}, ${inner}`;
  }

  trace(): Trace {
    const { archive } = this;
    const { raw, anchor, events, functions, messages } = archive;
    events.trim();
    const { earliest, latest } = spanOf(archive);
    const realtime = raw.clock?.realtime ?? NaN;
    const isDated = !Number.isNaN(realtime);
    // What was recorded before the beginning that the archive names moves the beginning.
    const shift = raw.clock === undefined ? earliest : Math.min(0, earliest);
    if (shift !== 0) shiftTimes(archive, -shift);
    return {
      format: 'otf2',
      form: OTF2_TRAITS,
      version: anchor.version,
      program: archive.program.text,
      startTime: isDated ? realtime / 1e9 + shift / 1e9 : null,
      durationNs: latest - shift,
      parts: archive.parts,
      streams: archive.streams,
      files: archive.files,
      handles: archive.handles,
      calls: archive.calls,
      errors: new NameTable(['']),
      events,
      stacks: archive.stacks,
      capabilities: { time: true, duration: true, stacks: archive.stacks.nodes > 0, paths: true },
      damage: archive.damage.list(),
      notes: this.notes(isDated),
      definitions: archive.definitions,
      ...(functions.length > 0 && { functions }),
      ...(messages.length > 0 && { messages }),
    };
  }

  private notes(isDated: boolean): string[] {
    const { records, type } = this.unknown;
    const { streams } = this.archive;
    const notes: string[] = [];
    if (streams.some(({ rank }) => rank === undefined)) {
      notes.push('the archive holds no pids: processes and threads are numbered as it lists them');
    }
    if (!isDated) notes.push('the archive does not say when it was recorded');
    if (records > 0) notes.push(`${records} records of types that are not known (such as ${type}) were passed over`);
    return notes;
  }
}

/** Nanoseconds of the first begin and the last end. */
function spanOf({ events, functions }: Archive): { earliest: number; latest: number } {
  let [earliest, latest] = [Infinity, 0];
  const see = (start: number, duration: number): void => {
    if (start < earliest) earliest = start;
    const end = Number.isNaN(duration) ? start : start + duration;
    if (end > latest) latest = end;
  };
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) see(chunk.start[i]!, chunk.duration[i]!);
  });
  for (let row = 0; row < functions.length; row++) see(functions.start.at(row), functions.duration.at(row));
  return { earliest: earliest === Infinity ? 0 : earliest, latest };
}

function shiftTimes({ events, functions, messages }: Archive, by: number): void {
  events.update((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) chunk.start[i]! += by;
  });
  for (const column of [functions.start, messages.start, messages.end]) {
    for (let row = 0; row < column.length; row++) column.values[row]! += by;
  }
}
