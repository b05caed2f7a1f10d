import { getOrCreate } from '../../base/grouping.ts';
import { LAYERS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import { HANDLE_FLAGS } from '../../trace/files.ts';
import type { Trace } from '../../trace/trace.ts';
import { EventProcesses, trackName } from '../events/event-processes.ts';
import type { Tracks } from '../events/tracks.ts';

/** Numbers of OTF2_RegionRole, OTF2_Paradigm, OTF2_GroupType and OTF2_IoParadigmFlag. */
const ROLE = { function: 1, io: 27, metadata: 38 } as const;
const PARADIGM = { unknown: 0, user: 1, mpi: 4 } as const;
const GROUP = { locations: 4, ranks: 5, self: 6 } as const;
const OPERATING_SYSTEM = 1;

/** What OTF2 calls the layers; calls of the system are POSIX to it. */
const IDENTIFICATIONS: Readonly<Record<string, string>> = { NetCDF: 'netCDF', STDIO: 'ISOC', 'system call': 'POSIX' };
const PARALLEL: ReadonlySet<string> = new Set(['MPI-IO', 'HDF5', 'NetCDF', 'PnetCDF']);
const POSIX = LAYERS.indexOf('POSIX');
const MPI_IO = LAYERS.indexOf('MPI-IO');
/** A reference to nothing. */
export const NOTHING = '-';

export type Field = string | number;

/** A place in the source as events name it. */
interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly functionName: string;
}

/** What events refer to, numbered as it is first needed; written when all events are. */
export class Otf2Definitions {
  private readonly texts = new Map<string, number>();
  private readonly regions = new Definitions();
  private readonly places = new Definitions();
  private readonly contexts = new Definitions();
  /** By what is told of them to readers. */
  private readonly paradigms = new Definitions();

  private readonly hosts: readonly string[];

  /** By handle: the layer of the calls that use it, where the recording does not say the handle's. */
  private readonly layers = new Map<number, number>();
  /** Stand for what calls moved bytes of without a handle that is known. */
  private readonly nameless = new Definitions();

  constructor(private readonly trace: Trace) {
    this.hosts = [...new Set(trace.streams.map(({ host }) => host))];
  }

  private text(text: string): number {
    const number = getOrCreate(this.texts, text, () => this.texts.size);
    return number;
  }

  private region(name: string, role: number, paradigm: number): number {
    return this.regions.number(JSON.stringify([name, role]), () => [this.text(name), this.text(''), role, paradigm]);
  }

  /** The context of a call at a place of the source. @param moves whether it moves or stores data. */
  callContext(call: string, layer: number, moves: boolean, place: SourcePlace | undefined): number {
    const region = this.region(
      call,
      moves ? ROLE.io : ROLE.metadata,
      layer === MPI_IO ? PARADIGM.mpi : PARADIGM.unknown,
    );
    const parent = place === undefined ? NOTHING : this.placeContext(place);
    return this.contexts.number(`${region} ${parent}`, () => [region, NOTHING, parent]);
  }

  private placeContext({ file, line, functionName }: SourcePlace): number {
    const region = this.region(functionName || file, ROLE.function, PARADIGM.user);
    const place = file === '' ? NOTHING : this.places.number(`${file}:${line}`, () => [this.text(file), line]);
    return this.contexts.number(`in ${region} ${place}`, () => [region, place, NOTHING]);
  }

  paradigm(layer: number): number {
    const own = this.trace.definitions?.paradigms.find((paradigm) => paradigm.layer === layer);
    const name = LAYERS[layer]!;
    const identification = own?.identification ?? IDENTIFICATIONS[name] ?? name;
    const known = IDENTIFICATIONS[identification] ?? identification;
    const isParallel = own?.isParallel ?? PARALLEL.has(name);
    const isSystem = known === 'POSIX';
    return this.paradigms.number(known, () => [
      ...[this.text(known), this.text(own?.name ?? name)],
      ...[isParallel ? 1 : 0, isSystem ? OPERATING_SYSTEM : 0],
    ]);
  }

  /** A call of a layer uses a handle. */
  uses(handle: number, layer: number): void {
    if (this.trace.handles.layer.at(handle) === NONE && !this.layers.has(handle)) this.layers.set(handle, layer);
  }

  /** A handle for a transfer of which only file and layer are known, or not even the file. */
  handleOf(file: number, layer: number): number {
    const fields = (): Field[] => [this.text(''), orNothing(file), this.paradigm(layer), 0, NOTHING, NOTHING];
    return this.trace.handles.length + this.nameless.number(`${file} ${layer}`, fields);
  }

  /** Writes all of them; nothing may be asked for afterwards. */
  write(put: (kind: string, ...fields: Field[]) => void, tracks: Tracks): void {
    const { trace } = this;
    const records: [kind: string, ...fields: Field[]][] = [];
    const add = (kind: string, ...fields: Field[]): void => {
      records.push([kind, ...fields]);
    };
    this.addSystem(add, tracks);
    this.addCommunicators(add, tracks);
    // What all hosts share stands below the machine as a whole.
    trace.files.files.forEach(({ path, host }, file) => add('F', file, this.text(path), 1 + this.hosts.indexOf(host)));
    this.addHandles(add);
    for (const [kind, table] of [
      ['I', this.paradigms],
      ['R', this.regions],
      ['W', this.places],
      ['C', this.contexts],
    ] as const)
      table.list.forEach((fields, number) => add(kind, number, ...fields));
    add('A', 0, this.text('Offset'));
    const start = trace.startTime === null ? NOTHING : BigInt(Math.round(trace.startTime * 1e6)) * 1000n;
    put('K', Math.ceil(trace.durationNs) + 1, String(start));
    for (const [text, number] of this.texts) put('T', number, escaped(text));
    // References lead backwards: what others are made of comes first.
    const order = 'NPLIRWCGMAFHQ';
    for (const kind of order) for (const record of records) if (record[0] === kind) put(...record);
  }

  private addSystem(add: (kind: string, ...fields: Field[]) => void, tracks: Tracks): void {
    const { trace } = this;
    const processes = new EventProcesses(trace);
    add('N', 0, this.text('machine'), this.text('machine'), NOTHING);
    this.hosts.forEach((host, i) => add('N', i + 1, this.text(host), this.text('node'), 0));
    processes.labels.forEach((label, i) => add('P', i, this.text(label), this.hosts.indexOf(processes.hosts[i]!) + 1));
    tracks.all.forEach((track, location) =>
      add('L', location, this.text(trackName(trace, track)), processes.ofStream[track.stream]! - 1),
    );
  }

  private addCommunicators(add: (kind: string, ...fields: Field[]) => void, tracks: Tracks): void {
    const { streams, definitions } = this.trace;
    const locationOfRank = new Map<number, number>();
    tracks.all.forEach(({ stream, lane }, location) => {
      const { rank } = streams[stream]!;
      if (rank !== undefined && lane === 0 && !locationOfRank.has(rank)) locationOfRank.set(rank, location);
    });
    if (locationOfRank.size === 0) return;
    const ranks = [...locationOfRank.keys()].sort((a, b) => a - b);
    add('G', 0, this.text(''), GROUP.locations, ...ranks.map((rank) => locationOfRank.get(rank)!));
    (definitions?.communicators ?? []).forEach(({ name, members, isSelf }, i) => {
      const inList = members.map((member) => ranks.indexOf(member === NONE ? NONE : (streams[member]!.rank ?? NONE)));
      const known = isSelf ? [] : inList.filter((rank) => rank !== NONE);
      add('G', i + 1, this.text(''), isSelf ? GROUP.self : GROUP.ranks, ...known);
      add('M', i, this.text(name), i + 1);
    });
  }

  private addHandles(add: (kind: string, ...fields: Field[]) => void): void {
    const { handles, definitions, streams } = this.trace;
    const hasRanks = streams.some(({ rank }) => rank !== undefined);
    for (let handle = 0; handle < handles.length; handle++) {
      const layer = handles.layer.at(handle);
      const name = definitions?.handleNames.get(handle);
      const flags = handles.flags.at(handle);
      add(
        'H',
        handle,
        name === undefined ? this.text('') : this.text(name),
        orNothing(handles.file.at(handle)),
        this.paradigm(layer === NONE ? (this.layers.get(handle) ?? POSIX) : layer),
        flags,
        hasRanks ? orNothing(handles.communicator.at(handle)) : NOTHING,
        orNothing(handles.parent.at(handle)),
      );
      if (flags & HANDLE_FLAGS.preCreated) add('Q', handle);
    }
    this.nameless.list.forEach((fields, i) => add('H', handles.length + i, ...fields));
  }
}

function orNothing(index: number): Field {
  return index === NONE ? NOTHING : index;
}

/** Definitions of one kind, each once, numbered from 0. */
class Definitions {
  readonly list: (readonly Field[])[] = [];
  private readonly numbers = new Map<string, number>();

  /** @param fields of one that is new. */
  number(key: string, fields: () => readonly Field[]): number {
    const number = getOrCreate(this.numbers, key, () => this.list.push(fields()) - 1);
    return number;
  }
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}
