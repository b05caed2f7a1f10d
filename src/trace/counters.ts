/**
 * What a Darshan log counts instead of (or beside) recording every call: numbers per file and process
 * (docs of the format: darshan-util, `darshan-*-log-format.h`). Names of modules and counters are Darshan's own.
 */
import { getOrCreate } from '../base/grouping.ts';
import type { Layer } from './calls.ts';
import { NONE } from './events.ts';
import type { FileIndex } from './indices.ts';

/** The layer whose calls a module of Darshan counts; modules that count something else are not here. */
export const LAYER_OF_MODULE: Readonly<Record<string, Layer>> = {
  POSIX: 'POSIX',
  'MPI-IO': 'MPI-IO',
  STDIO: 'STDIO',
  H5F: 'HDF5',
  H5D: 'HDF5',
  PNETCDF_FILE: 'PnetCDF',
  PNETCDF_VAR: 'PnetCDF',
};

/** The job that was recorded. Times in seconds since 1970, with fractions where the log has them; a start of 0 is not known. */
export interface Job {
  /** The executable and its arguments, as far as the log holds them; '' when unknown. */
  readonly command: string;
  /** As text: anonymised logs hold numbers beyond 2^53. */
  readonly userId: string;
  readonly jobId: string;
  readonly startTime: number;
  /** 0 when the program was killed; NaN when it is not known. */
  readonly endTime: number;
  /**
   * Seconds, as darshan-parser computes them (logs before 3.41 count begun seconds); NaN when the program was killed, or a
   * time is not known.
   */
  readonly runTime: number;
  /** 0 when it is not known. */
  readonly processes: number;
  /** Version of the format, such as `3.41`. */
  readonly logVersion: string;
  readonly compression: 'zlib' | 'bzip2' | 'none';
  /** `key=value` lines of the log in their order; MPI-IO hints stand under `h`. */
  readonly metadata: readonly (readonly [key: string, value: string])[];
  /** Longest mount points first: a file lies under the first one that its path begins with. */
  readonly mounts: readonly (readonly [mountPoint: string, fileSystem: string])[];
}

/** A piece of the log as its header lists it. */
export interface LogRegion {
  /** `job data`, `record table`, or the name of a module as darshan-parser prints it (`MPI-IO`). */
  readonly name: string;
  /** As stored. */
  readonly bytes: number;
  /** Of the module; 0 for others. */
  readonly version: number;
  /** The recorder ran out of memory for it: records are missing. */
  readonly incomplete: boolean;
  /** The reader knows its records. */
  readonly known: boolean;
}

/** Sums of the segments of one DXT module. */
export interface SegmentSums {
  readonly module: 'DXT_POSIX' | 'DXT_MPIIO';
  readonly write: { readonly count: number; readonly bytes: number };
  readonly read: { readonly count: number; readonly bytes: number };
}

/** How a file lies on the storage targets of Lustre; one component covers it all unless the layout is progressive. */
export interface FileLayout {
  /** Index into `Trace.files`, or NONE. */
  readonly file: FileIndex;
  readonly recordId: bigint;
  readonly rank: number;
  readonly components: readonly LayoutComponent[];
}

export interface LayoutComponent {
  /** Bytes. */
  readonly stripeSize: number;
  readonly stripeCount: number;
  /** Storage target that was asked for as the first; -1: any. Logs of Darshan before 3.4 only. */
  readonly stripeOffset?: number;
  /** As darshan-parser prints it (`raid0`); '' when the log does not hold it. */
  readonly pattern: string;
  readonly flags: number;
  /** First byte, and the byte behind the last; -1: to the end of the file. */
  readonly extentStart: number;
  readonly extentEnd: number;
  readonly mirror: number;
  readonly pool: string;
  /** Object storage targets, in the order of the stripes. */
  readonly targets: readonly number[];
}

/** Bytes that one process moved through one interface, in bins of equal time. */
export interface Heatmap {
  /** `POSIX`, `MPIIO`, `STDIO`, `DFS`, `DAOS`. */
  readonly api: string;
  readonly rank: number;
  /** Seconds. */
  readonly binWidth: number;
  readonly read: Float64Array;
  readonly written: Float64Array;
}

/** Everything of a Darshan log but its events (the segments of DXT). */
export interface CounterLog {
  readonly job: Job;
  readonly regions: readonly LogRegion[];
  /** In the order of the log; LUSTRE and HEATMAP, whose records have no fixed length, stand below. */
  readonly modules: readonly CounterTable[];
  readonly layouts: readonly FileLayout[];
  readonly heatmaps: readonly Heatmap[];
  readonly segments: readonly SegmentSums[];
  /** Hosts that processes ran on, by rank, as far as the log names them. */
  readonly hosts?: ReadonlyMap<number, string>;
  /**
   * What the variant with call stacks says itself of the return addresses of each layer: `FILE:LINE`, often of the line
   * behind the call, or `??:0`.
   */
  readonly lineTables?: Readonly<Record<'POSIX' | 'MPI-IO', ReadonlyMap<number, string>>>;
}

/** Counters that hold the identifier of a record: no amount, and of more bits than a number holds. */
export function isIdentifier(counter: string): boolean {
  return /_(?:RENAMED_FROM|FILE_REC_ID)$/.test(counter);
}

const CHUNK_RECORDS = 4096;
/** Room for records that the first chunk begins with: most modules of most logs have a handful. */
const FIRST_RECORDS = 16;

/** The values of one counter in one chunk: many counters are the same number (0 or -1) everywhere. */
type ChunkColumn = Float64Array | number;

/** Records of one module: each is a file as one process used it, or (rank -1) as all of them did together. */
export class CounterTable {
  length = 0;
  private ids = new BigUint64Array(64);
  private ranks = new Int32Array(64);
  private files = new Int32Array(64);
  private readonly chunks: ChunkColumn[][] = [];
  private filling: Float64Array | undefined;
  /** Records that `filling` has room for. */
  private fillingRoom = 0;
  private readonly indices: ReadonlyMap<string, number>;
  private readonly identifiers = new Map<string, Set<bigint>>();

  /**
   * @param module Darshan's name as darshan-parser prints it (`MPI-IO`).
   * @param version of the module in the log.
   * @param counters Darshan's names, integers first, in the order of the current version of the module.
   * @param incomplete the recorder ran out of memory: records are missing.
   */
  constructor(
    readonly module: string,
    readonly version: number,
    readonly counters: readonly string[],
    readonly incomplete: boolean,
  ) {
    this.indices = new Map(counters.map((name, index) => [name, index]));
  }

  /** Position of a counter, or undefined when the module has none of that name. */
  find(counter: string): number | undefined {
    return this.indices.get(counter);
  }

  /**
   * @param file index into `Trace.files`, or NONE when the log holds no name for the record.
   * @param values one for each counter; -1 means "not measured" in integer counters.
   */
  add(recordId: bigint, rank: number, file: FileIndex, values: ArrayLike<number>): void {
    this.makeRoom();
    this.ids[this.length] = recordId;
    this.ranks[this.length] = rank;
    this.files[this.length] = file;
    const within = this.length % CHUNK_RECORDS;
    if (this.filling === undefined || within === this.fillingRoom) this.widenFilling();
    const [filling, room] = [this.filling!, this.fillingRoom];
    for (let counter = 0; counter < this.counters.length; counter++) {
      filling[counter * room + within] = values[counter]!;
    }
    this.length++;
    if (within === CHUNK_RECORDS - 1) this.finishChunk(CHUNK_RECORDS);
  }

  /** Keeps what a record holds in a counter of identifiers, whose value is rounded; 0 is none. */
  addIdentifier(counter: string, id: bigint): void {
    if (id !== 0n) getOrCreate(this.identifiers, counter, () => new Set()).add(id);
  }

  /** The different identifiers of all records in a counter, in their order. */
  identifiersIn(counter: string): readonly bigint[] {
    return [...(this.identifiers.get(counter) ?? [])];
  }

  /** Gives the unused rest of the room back; no record may be added afterwards. */
  trim(): void {
    if (this.filling !== undefined) this.finishChunk(this.length % CHUNK_RECORDS);
    this.ids = this.ids.slice(0, this.length);
    this.ranks = this.ranks.slice(0, this.length);
    this.files = this.files.slice(0, this.length);
  }

  recordId(record: number): bigint {
    return this.ids[record]!;
  }

  /** -1: all processes together. */
  rank(record: number): number {
    return this.ranks[record]!;
  }

  /** Index into `Trace.files`, or NONE. */
  file(record: number): number {
    return this.files[record]!;
  }

  value(record: number, counter: number): number {
    const column = this.chunks[Math.floor(record / CHUNK_RECORDS)]?.[counter];
    if (column === undefined) return this.filling![counter * this.fillingRoom + (record % CHUNK_RECORDS)]!;
    return typeof column === 'number' ? column : column[record % CHUNK_RECORDS]!;
  }

  /** Value by name; NaN when the module has no such counter. Not for hot places. */
  get(record: number, counter: string): number {
    const index = this.indices.get(counter);
    return index === undefined ? NaN : this.value(record, index);
  }

  /**
   * Goes over the values of one counter in the order of the records, many at a time.
   * @param visit gets one number where all `records` of them are the same, else an array that must not be kept.
   */
  forEachValues(
    counter: number,
    visit: (values: Float64Array | number, firstRecord: number, records: number) => void,
  ): void {
    for (let first = 0; first < this.length; first += CHUNK_RECORDS) {
      const records = Math.min(CHUNK_RECORDS, this.length - first);
      const from = counter * this.fillingRoom;
      const column = this.chunks[first / CHUNK_RECORDS]?.[counter];
      visit(column ?? this.filling!.subarray(from, from + records), first, records);
    }
  }

  /**
   * Replaces the values of one counter that lie outside of bounds; to be called after `trim`.
   * @param keepsNaN NaN means that the record lacks the counter; otherwise it lies outside.
   * @returns how many there were, and the first of them.
   */
  replaceOutside(
    counter: number,
    least: number,
    most: number,
    instead: number,
    keepsNaN: boolean,
  ): { count: number; value: number } {
    let [count, first] = [0, 0];
    const isOutside = (value: number): boolean =>
      !(value >= least && value <= most) && !(keepsNaN && Number.isNaN(value));
    this.chunks.forEach((columns, chunk) => {
      const column = columns[counter]!;
      if (typeof column === 'number') {
        if (!isOutside(column)) return;
        if (count === 0) first = column;
        count += Math.min(CHUNK_RECORDS, this.length - chunk * CHUNK_RECORDS);
        columns[counter] = instead;
        return;
      }
      for (let record = 0; record < column.length; record++) {
        const value = column[record]!;
        if (!isOutside(value)) continue;
        if (count === 0) first = value;
        count++;
        column[record] = instead;
      }
    });
    return { count, value: first };
  }

  private makeRoom(): void {
    if (this.length < this.ids.length) return;
    const room = this.ids.length * 2;
    const ids = new BigUint64Array(room);
    ids.set(this.ids);
    const ranks = new Int32Array(room);
    ranks.set(this.ranks);
    const files = new Int32Array(room).fill(NONE);
    files.set(this.files);
    [this.ids, this.ranks, this.files] = [ids, ranks, files];
  }

  /** Makes room for more records in the chunk, or begins one: the first of a module small, the others whole. */
  private widenFilling(): void {
    const before = this.filling;
    const roomBefore = this.fillingRoom;
    const isFirst = this.chunks.length === 0;
    this.fillingRoom = !isFirst ? CHUNK_RECORDS : before === undefined ? FIRST_RECORDS : roomBefore * 4;
    this.filling = new Float64Array(this.fillingRoom * this.counters.length);
    if (before === undefined) return;
    for (let counter = 0; counter < this.counters.length; counter++) {
      const from = counter * roomBefore;
      this.filling.set(before.subarray(from, from + roomBefore), counter * this.fillingRoom);
    }
  }

  private finishChunk(records: number): void {
    const filled = this.filling!;
    this.chunks.push(
      this.counters.map((_, counter) => {
        const from = counter * this.fillingRoom;
        const column = filled.subarray(from, from + records);
        return column.every((value) => Object.is(value, column[0])) ? column[0]! : column.slice();
      }),
    );
    this.filling = undefined;
  }
}
