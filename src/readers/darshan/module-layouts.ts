import { COUNTER_NAMES, type CounterNames } from './counter-names.ts';

/**
 * How the records of a version of a module differ from those of the current one. Unless it says otherwise a record is the
 * record's identifier and rank (16 bytes), the integers, and the floating-point numbers, 8 bytes each.
 */
interface StoredVersion {
  /** Bytes of a record, as darshan-util knows them: a check of the table. */
  readonly bytes: number;
  /** Bytes before the integers; 16 unless it says otherwise. */
  readonly head?: number;
  /** Bytes behind the numbers. */
  readonly tail?: number;
  /** Counters that it does not hold, and what stands for them. */
  readonly lacks?: Readonly<Record<string, number>>;
  /** Integers that later versions do not hold. */
  readonly extra?: { readonly before: string; readonly count: number };
  /** Names of what it holds, where that is little; for the rest stands -1. */
  readonly holds?: readonly string[];
  /** Counters that are sums of what it holds. */
  readonly sums?: Readonly<Record<string, readonly string[]>>;
  /** A record in which this one of its `extra` integers is positive counts another interface too, and is left out. */
  readonly leftOutIf?: number;
}

interface ModuleVersions {
  readonly names: CounterNames;
  /** Unsigned identifiers that stand before the integers (at byte 16) and that darshan-parser prints as a counter. */
  readonly owner?: string;
  /** Counter that says how many numbers of 8 bytes follow each record. */
  readonly followedBy?: string;
  readonly versions: Readonly<Record<number, StoredVersion>>;
}

const OPEN_END_CLOSE_START = (module: string): Record<string, number> => ({
  [`${module}_F_CLOSE_START_TIMESTAMP`]: -1,
  [`${module}_F_OPEN_END_TIMESTAMP`]: -1,
});
const POSIX_3_LACKS = {
  POSIX_FILENOS: -1,
  POSIX_DUPS: -1,
  POSIX_RENAME_SOURCES: -1,
  POSIX_RENAME_TARGETS: -1,
  POSIX_RENAMED_FROM: 0,
};
const POSIX_2_LACKS = { ...POSIX_3_LACKS, ...OPEN_END_CLOSE_START('POSIX') };
const PNETCDF_OPENS = ['PNETCDF_INDEP_OPENS', 'PNETCDF_COLL_OPENS'];
const PNETCDF_SUMS = { PNETCDF_FILE_OPENS: PNETCDF_OPENS };

/** The modules whose records hold one number for each counter. */
export const COUNTER_MODULES: Readonly<Record<string, ModuleVersions>> = {
  POSIX: {
    names: COUNTER_NAMES.POSIX,
    versions: {
      4: { bytes: 704 },
      3: { bytes: 664, lacks: POSIX_3_LACKS },
      2: { bytes: 648, lacks: POSIX_2_LACKS },
      // Before there was a module for it, calls of stdio stood in these records.
      1: { bytes: 680, lacks: POSIX_2_LACKS, extra: { before: 'POSIX_FSYNCS', count: 4 }, leftOutIf: 0 },
    },
  },
  'MPI-IO': {
    names: COUNTER_NAMES['MPI-IO'],
    versions: {
      3: { bytes: 560 },
      2: { bytes: 544, lacks: OPEN_END_CLOSE_START('MPIIO') },
      1: { bytes: 544, lacks: OPEN_END_CLOSE_START('MPIIO') },
    },
  },
  STDIO: {
    names: COUNTER_NAMES.STDIO,
    versions: { 2: { bytes: 248 }, 1: { bytes: 240, lacks: { STDIO_FDOPENS: -1 } } },
  },
  H5F: {
    names: COUNTER_NAMES.H5F,
    versions: {
      3: { bytes: 80 },
      2: { bytes: 56, lacks: { H5F_FLUSHES: -1, H5F_USE_MPIIO: -1, H5F_F_META_TIME: -1 } },
      1: { bytes: 40, holds: ['H5F_OPENS', 'H5F_F_OPEN_START_TIMESTAMP', 'H5F_F_CLOSE_END_TIMESTAMP'] },
    },
  },
  H5D: {
    names: COUNTER_NAMES.H5D,
    owner: 'H5D_FILE_REC_ID',
    versions: { 2: { bytes: 912, head: 24 }, 1: { bytes: 904 } },
  },
  PNETCDF_FILE: {
    names: COUNTER_NAMES.PNETCDF_FILE,
    versions: {
      3: { bytes: 152 },
      2: {
        bytes: 64,
        holds: [
          ...PNETCDF_OPENS,
          'PNETCDF_FILE_F_OPEN_START_TIMESTAMP',
          'PNETCDF_FILE_F_CLOSE_START_TIMESTAMP',
          'PNETCDF_FILE_F_OPEN_END_TIMESTAMP',
          'PNETCDF_FILE_F_CLOSE_END_TIMESTAMP',
        ],
        sums: PNETCDF_SUMS,
      },
      1: {
        bytes: 48,
        holds: [...PNETCDF_OPENS, 'PNETCDF_FILE_F_OPEN_START_TIMESTAMP', 'PNETCDF_FILE_F_CLOSE_END_TIMESTAMP'],
        sums: PNETCDF_SUMS,
      },
    },
  },
  PNETCDF_VAR: {
    names: COUNTER_NAMES.PNETCDF_VAR,
    owner: 'PNETCDF_VAR_FILE_REC_ID',
    versions: { 1: { bytes: 1120, head: 24 } },
  },
  'BG/Q': { names: COUNTER_NAMES['BG/Q'], versions: { 2: { bytes: 112 }, 1: { bytes: 120, head: 24 } } },
  MDHIM: { names: COUNTER_NAMES.MDHIM, followedBy: 'MDHIM_SERVERS', versions: { 1: { bytes: 88 } } },
  // Behind the numbers: identifiers of pool and container, and for DAOS of the object.
  DFS: { names: COUNTER_NAMES.DFS, versions: { 1: { bytes: 584, tail: 32 } } },
  DAOS: { names: COUNTER_NAMES.DAOS, versions: { 1: { bytes: 696, tail: 48 } } },
};

/** Where the counters of a record stand. */
export interface RecordLayout {
  readonly module: string;
  readonly bytes: number;
  /** Names of the columns. */
  readonly counters: readonly string[];
  /** How many of the columns are integers; the rest are floating-point numbers, then the owner's identifier. */
  readonly integers: number;
  readonly floats: number;
  /** For each column the byte where it stands, or -1. */
  readonly at: Int32Array;
  /** What stands in a column that the record does not hold. */
  readonly fill: Float64Array;
  /** Columns that are sums of integers at these bytes. */
  readonly sums: readonly (readonly [column: number, at: readonly number[]])[];
  /** Byte of an integer that makes the record be left out when it is positive; -1: none is. */
  readonly leftOutIf: number;
  /** Column that says how many numbers follow; -1: none do. */
  readonly followedBy: number;
  /** The version is newer than what is known: this is the newest layout that is. */
  readonly isGuess: boolean;
}

/** @returns undefined for modules that are not in the table. */
export function layoutOf(module: string, version: number): RecordLayout | undefined {
  const known = COUNTER_MODULES[module];
  if (known === undefined) return undefined;
  const newest = Math.max(...Object.keys(known.versions).map(Number));
  const isGuess = known.versions[version] === undefined;
  const stored = known.versions[isGuess ? newest : version]!;
  const { integers, floats } = known.names;
  const counters = [...integers, ...floats, ...(known.owner === undefined ? [] : [known.owner])];
  const at = new Int32Array(counters.length).fill(-1);
  const fill = new Float64Array(counters.length).fill(-1);
  const places = placesOf(stored, known.names);
  counters.forEach((name, column) => {
    at[column] = places.get(name) ?? -1;
    fill[column] = stored.lacks?.[name] ?? -1;
  });
  if (known.owner !== undefined) {
    at[counters.length - 1] = stored.head === 24 ? 16 : -1;
    fill[counters.length - 1] = 0;
  }
  return {
    module,
    bytes: stored.bytes,
    counters,
    integers: integers.length,
    floats: floats.length,
    at,
    fill,
    sums: Object.entries(stored.sums ?? {}).map(([name, parts]) => [
      counters.indexOf(name),
      parts.map((part) => places.get(part)!),
    ]),
    leftOutIf: stored.leftOutIf === undefined ? -1 : places.get(`extra ${stored.leftOutIf}`)!,
    followedBy: known.followedBy === undefined ? -1 : counters.indexOf(known.followedBy),
    isGuess,
  };
}

function placesOf(stored: StoredVersion, { integers, floats }: CounterNames): Map<string, number> {
  const places = new Map<string, number>();
  let at = stored.head ?? 16;
  for (const name of stored.holds ?? [...integers, ...floats]) {
    if (stored.lacks?.[name] !== undefined) continue;
    if (name === stored.extra?.before) {
      for (let i = 0; i < stored.extra.count; i++, at += 8) places.set(`extra ${i}`, at);
    }
    places.set(name, at);
    at += 8;
  }
  if (at + (stored.tail ?? 0) !== stored.bytes) throw new RangeError(`a record of ${integers[0]!} has ${at} bytes`);
  return places;
}
