import * as patterns from '../layers/patterns/snippets.ts';
import type { DataLibrary } from './advice-context.ts';
import type { Insight, Recommendation } from './insight.ts';
import * as languages from './language-snippets.ts';
import { advising, naming, say, slot } from './message.ts';
import * as parallel from './parallel-snippets.ts';

/** What HDF5, NetCDF and SQLite have of their own, where MPI-IO and system calls are theirs to make. */

type Direction = 'read' | 'write';

/** Those that hold arrays. */
type ArrayLibrary = Exclude<DataLibrary, 'SQLite'>;

/** The program as a whole, as far as advice has to know it. */
export interface AdvisedProgram {
  readonly isMpi: boolean;
  /** Bytes of a block of the file system. */
  readonly alignment: number;
}

/** Bytes written below for each that the program writes: with no more than this no gap is among them. */
const AS_MANY = 1.001;

/** Whether calls of MPI-IO write what they were asked to, and nothing between. */
export function hasNoGaps(writtenBytes: number, askedBytes: number): boolean {
  return writtenBytes <= AS_MANY * askedBytes;
}

/** Of reads that MPI-IO makes before writes without gaps. */
export const READ_FOR_NOTHING: Recommendation = {
  audience: 'job',
  text: 'No gap is written, so these reads serve nothing. Whether MPI-IO makes them depends on its implementation and its hints: try romio_ds_write=disable, or another one (with Open MPI, OMPIO instead of ROMIO or the reverse).',
};

export function collectiveHdf5(direction: Direction): Recommendation {
  const assignment = direction === 'read' ? 'part = dataset[first:end]' : 'dataset[first:end] = part';
  return {
    audience: 'code',
    text: `Transfer collectively: all processes call H5D${direction} with a property list of H5Pset_dxpl_mpio, and HDF5 lets MPI-IO join their requests.`,
    snippet: {
      language: 'c',
      title: `HDF5: ${direction} together`,
      code: `hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
H5D${direction}(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, part); /* every process, with its own selection */
`,
    },
    alternatives: [
      {
        language: 'fortran',
        title: `HDF5: ${direction} together (Fortran)`,
        code: `call h5pcreate_f(H5P_DATASET_XFER_F, transfer, error)
call h5pset_dxpl_mpio_f(transfer, H5FD_MPIO_COLLECTIVE_F, error)
call h5d${direction}_f(dataset, H5T_NATIVE_DOUBLE, part, count, error, memory, space, transfer)
`,
      },
      {
        language: 'python',
        title: `HDF5: ${direction} together (h5py with the mpio driver)`,
        code: `with dataset.collective:  # every process takes part
    ${assignment}
`,
      },
    ],
  };
}

function collectiveNetcdf(direction: Direction): Recommendation {
  const verb = direction === 'read' ? 'get' : 'put';
  const assignment = direction === 'read' ? 'part = variable[first:end]' : 'variable[first:end] = part';
  return {
    audience: 'code',
    text: `Access the variable collectively (nc_var_par_access): all processes call nc_${verb}_vara, and the library lets MPI-IO join their requests.`,
    snippet: {
      language: 'c',
      title: `NetCDF: ${direction} together`,
      code: `nc_var_par_access(file, variable, NC_COLLECTIVE); /* once, after the file was opened by nc_open_par */
nc_${verb}_vara_double(file, variable, first, count, part); /* every process, with its own part */
`,
    },
    alternatives: [
      {
        language: 'fortran',
        title: `NetCDF: ${direction} together (Fortran)`,
        code: `status = nf90_var_par_access(file, variable, NF90_COLLECTIVE)
status = nf90_${verb}_var(file, variable, part, start=first, count=counts)
`,
      },
      {
        language: 'python',
        title: `NetCDF: ${direction} together (netCDF4-python)`,
        code: `variable.set_collective(True)  # in a file opened with parallel=True
${assignment}
`,
      },
    ],
  };
}

function together(library: ArrayLibrary, direction: Direction): Recommendation {
  return library === 'HDF5' ? collectiveHdf5(direction) : collectiveNetcdf(direction);
}

function wholeBlock(library: ArrayLibrary, direction: Direction): Recommendation {
  const isRead = direction === 'read';
  if (library === 'NetCDF') {
    return {
      audience: 'code',
      ...advising(
        say`${isRead ? 'Read' : 'Write'} an array by one call (nc_${isRead ? 'get' : 'put'}_vara with counts above ${slot('advisedNumber', 1)}) instead of its elements or rows in a loop.`,
      ),
      snippet: patterns.netcdfWholeBlock(isRead),
      alternatives: patterns.netcdfWholeBlockIn(isRead),
    };
  }
  return {
    audience: 'code',
    text: `${isRead ? 'Read many of these elements by one H5Dread' : 'Collect many of these elements in memory and write them by one H5Dwrite'}: select the whole block.`,
    snippet: patterns.hdf5WholeBlock('c', isRead),
    alternatives: [patterns.hdf5WholeBlock('fortran', isRead), patterns.h5pyWholeBlock(isRead)],
  };
}

function chunksInCache(library: ArrayLibrary): Recommendation {
  const text =
    'Make chunks of the shape that one call moves, go through them in their order, and let the cache of the library hold those in use.';
  if (library === 'NetCDF') {
    const classic =
      ' A file of the classic format has no chunks: there move what lies side by side in it by one call, in its order.';
    return { audience: 'code', text: text + classic, snippet: patterns.netcdfChunks(false) };
  }
  return {
    audience: 'code',
    text,
    snippet: patterns.hdf5Chunks('c', false),
    alternatives: [patterns.hdf5Chunks('fortran', false), patterns.h5pyChunks()],
  };
}

function aligned(library: ArrayLibrary, block: number): Recommendation {
  if (library === 'HDF5') {
    return {
      audience: 'code',
      text: "Let HDF5 begin its objects at multiples of the file system's block (H5Pset_alignment; on Lustre the stripe size).",
      snippet: parallel.hdf5Alignment(block),
      alternatives: languages.hdf5AlignmentIn(block),
    };
  }
  return {
    audience: 'code',
    ...advising(
      say`Let NetCDF-4 begin its objects at multiples of the file system's block (nc_set_alignment, from ${naming('advisedVersion', '4.9')} on).`,
    ),
    snippet: {
      language: 'c',
      title: 'NetCDF: aligned objects',
      code: `nc_set_alignment(65536, ${block}); /* before nc_create: objects from 64 KiB on */
`,
    },
  };
}

function openOnce(library: ArrayLibrary): Recommendation {
  const [open, close] = library === 'HDF5' ? ['H5Fopen', 'H5Fclose'] : ['nc_open', 'nc_close'];
  return {
    audience: 'code',
    text: `Open the file once before the loop (${open}) and close it after the loop (${close}): each time, the library reads and writes the metadata of the file.`,
  };
}

function flushSeldom(library: ArrayLibrary): Recommendation {
  const call = library === 'HDF5' ? 'H5Fflush' : 'nc_sync';
  return {
    audience: 'code',
    text: `Do not flush after each record: leave ${call} to the end or to a checkpoint. Each time, the library writes the data that it holds and the metadata of the file, much of it unchanged.`,
  };
}

function metadata(library: ArrayLibrary, isMpi: boolean): Recommendation[] {
  const fewer: Recommendation = {
    audience: 'code',
    text: 'Make fewer objects: one attribute that holds an array instead of many, one data set with a dimension for the steps.',
  };
  if (library === 'NetCDF') return [fewer];
  const block: Recommendation = {
    audience: 'code',
    ...advising(say`Let HDF5 keep its metadata together, in blocks of ${slot('advisedSize', 1 << 20)}.`),
    snippet: patterns.hdf5MetadataBlock('c'),
    alternatives: [patterns.hdf5MetadataBlock('fortran')],
  };
  if (!isMpi) return [fewer, block];
  const collective: Recommendation = {
    audience: 'code',
    text: 'Let one rank read the metadata and hand it to all, and write it collectively.',
    snippet: patterns.hdf5CollectiveMetadata('c'),
    alternatives: [patterns.hdf5CollectiveMetadata('fortran')],
  };
  return [fewer, collective, block];
}

const KEEP_CONNECTION =
  'Keep the connection open for all statements: each new one opens the file, asks for a journal, reads the schema and begins with an empty cache.';
const ONE_TRANSACTION =
  'Make many changes in one transaction (BEGIN … COMMIT; in Python commit() after many): SQLite writes each page that they touch once, and keeps one journal for them.';
const READS_WHOLE_TABLES =
  'SQLite reads these pages: create an index for what the statements search for (EXPLAIN QUERY PLAN shows which of them scan a whole table), and keep the connection open, and with it its cache, which PRAGMA cache_size makes as large as what is read again.';
const ASKS =
  'SQLite asks this, to learn of other processes, and makes and removes its journal, for each transaction: make many changes, or ask many questions, in one (BEGIN … COMMIT), keep the connection open, or keep the journal (PRAGMA journal_mode = WAL, or TRUNCATE where processes on several machines use the file).';

/** SQLite reads, writes and asks by itself: what a program can do is another statement, or setting. */
function ofSqlite(trigger: string): Recommendation[] | undefined {
  if (trigger === 'open-close-in-loop') return [statements(KEEP_CONNECTION, ...CONNECTION)];
  if (/^(repeated-questions|posix-metadata-time|names-changed-again)$/.test(trigger))
    return [statements(ASKS, ...TRANSACTION)];
  if (/reads(-shared)?$/.test(trigger)) return [statements(READS_WHOLE_TABLES, ...INDEX)];
  const isOfWrites = /writes(-shared)?$/.test(trigger) && trigger !== 'synchronous-writes';
  return isOfWrites ? [statements(ONE_TRANSACTION, ...TRANSACTION)] : undefined;
}

type Statements = readonly [title: string, c: string, python: string];

function statements(text: string, title: string, c: string, python: string): Recommendation {
  return {
    audience: 'code',
    text,
    snippet: { language: 'c', title: `SQLite: ${title}`, code: c },
    alternatives: [{ language: 'python', title: `SQLite: ${title} (Python)`, code: python }],
  };
}

const CONNECTION: Statements = [
  'one connection',
  `sqlite3 *database;
sqlite3_open(path, &database); /* once, for all statements */
`,
  `database = sqlite3.connect(path)  # once, for all statements
`,
];
const INDEX: Statements = [
  'an index',
  `sqlite3_exec(database, "CREATE INDEX IF NOT EXISTS t_by_k ON t(k)", NULL, NULL, NULL); /* for: … WHERE k = ? */
`,
  `database.execute("CREATE INDEX IF NOT EXISTS t_by_k ON t(k)")  # for: … WHERE k = ?
`,
];
const TRANSACTION: Statements = [
  'one transaction for many statements',
  `sqlite3_exec(database, "BEGIN", NULL, NULL, NULL);
/* the statements of now */
sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
`,
  `database.execute("BEGIN")
for row in rows:
    database.execute(statement, row)
database.commit()
`,
];

const SMALL = /^(posix-small|strided-small|mpi-io-independent)-(read|write)s(-shared)?$/;
const SHARED = /-shared$|^mpi-io-independent-/;
const PLACES = /^(posix-(random|redundant)-(reads|writes)|backward-reads)$/;
const SHARED_WORK = /^(one-process-does-all|posix-data-imbalance|posix-time-imbalance)$/;

/**
 * What a line that calls HDF5, NetCDF or SQLite can do about a finding, by the library's own calls; undefined where the general
 * advice is as good. Advice for the job stays.
 */
export function libraryAdvice(
  insight: Insight,
  library: DataLibrary,
  program: AdvisedProgram,
): Recommendation[] | undefined {
  const own = ownAdvice(insight, library, program);
  return own && [...own, ...insight.recommendations.filter(({ audience }) => audience === 'job')];
}

function ownAdvice(
  { trigger }: Insight,
  library: DataLibrary,
  { isMpi, alignment }: AdvisedProgram,
): Recommendation[] | undefined {
  if (library === 'SQLite') return ofSqlite(trigger);
  const small = SMALL.exec(trigger);
  if (small !== null) {
    const direction = small[2] as Direction;
    const collective = isMpi && SHARED.test(trigger) ? [together(library, direction)] : [];
    return [...collective, wholeBlock(library, direction)];
  }
  if (PLACES.test(trigger)) return [chunksInCache(library)];
  if (trigger === 'posix-misaligned-writes') return [aligned(library, alignment)];
  if (trigger === 'open-close-in-loop') return [openOnce(library)];
  if (trigger === 'flush-after-every-record') return [flushSeldom(library)];
  if (trigger === 'posix-metadata-time') return metadata(library, isMpi);
  return isMpi && SHARED_WORK.test(trigger) ? [together(library, 'write')] : undefined;
}
