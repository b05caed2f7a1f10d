/**
 * A program that repeats what a recorded one did to its files: what DIOS (Knüpfer et al., sections 5 and 6) describes in
 * XML. Tasks are what each process runs; series repeat operations; numbers may be expressions (docs/replay.md).
 */

/**
 * A number, or an expression of numbers, SIZE (number of tasks), RANK (0 to SIZE − 1), variables of the series around it
 * and environment variables: `RANK * 1048576 + i * 640`.
 */
export type NumberText = number | string;

/**
 * A path relative to the replay's directory; `{…}` in it is an expression, `{i:4}` filled up to four digits, `{{` and
 * `}}` are braces (`literalPath` in expressions/path-template).
 */
export type PathText = string;

/** Numbers of open files are the task's own, as descriptors are. */
type Slot = number;

/** Calls of POSIX. Bytes are moved in full; what a file has not is left unread. */
type PosixOperation =
  /** `mode`: bits of OPEN_MODE. */
  | { readonly operation: 'open'; readonly slot: Slot; readonly path: PathText; readonly mode: number }
  | { readonly operation: 'close'; readonly slot: Slot }
  | { readonly operation: 'duplicate'; readonly slot: Slot; readonly to: Slot }
  | { readonly operation: 'read' | 'write'; readonly slot: Slot; readonly bytes: NumberText }
  | {
      readonly operation: 'pread' | 'pwrite';
      readonly slot: Slot;
      readonly bytes: NumberText;
      readonly offset: NumberText;
    }
  | { readonly operation: 'seek'; readonly slot: Slot; readonly offset: NumberText; readonly whence: 0 | 1 | 2 }
  | { readonly operation: 'sync'; readonly slot: Slot; readonly dataOnly: boolean }
  | { readonly operation: 'truncate'; readonly slot: Slot; readonly length: NumberText }
  | { readonly operation: 'lock' | 'unlock'; readonly slot: Slot; readonly shared?: boolean }
  | { readonly operation: 'unlink' | 'mkdir' | 'rmdir' | 'stat'; readonly path: PathText }
  | { readonly operation: 'rename'; readonly path: PathText; readonly to: PathText };

/** Calls of C streams: the library buffers them. */
type StreamOperation =
  | { readonly operation: 'fopen'; readonly slot: Slot; readonly path: PathText; readonly mode: string }
  | { readonly operation: 'fclose'; readonly slot: Slot }
  | {
      readonly operation: 'buf_read' | 'buf_write' | 'buf_read_random';
      readonly slot: Slot;
      readonly bytes: NumberText;
    }
  | { readonly operation: 'buf_seek'; readonly slot: Slot; readonly offset: NumberText; readonly whence: 0 | 1 | 2 };

/** Calls on files of a pool: the next one, or any. */
type PoolOperation =
  | {
      readonly operation: 'poolopen' | 'poolrandom';
      readonly slot: Slot;
      readonly pool: string;
      /** Bits of OPEN_MODE. */
      readonly mode: number;
    }
  /** Removes the next file; it counts apart from those that are opened. */
  | { readonly operation: 'poolunlink'; readonly pool: string };

/** Calls of MPI-IO (the paper's mpi_series). Offsets count elements of the view, as in MPI. */
export type MpiOperation =
  | {
      readonly operation: 'mpi_fopen';
      readonly slot: Slot;
      readonly path: PathText;
      /** Words of MPI_MODE_…, separated by blanks: `create rdwr`. */
      readonly mode: string;
      /** The tasks that open it together; absent: all. */
      readonly communicator?: 'self' | readonly number[];
    }
  | { readonly operation: 'mpi_fclose'; readonly slot: Slot }
  | { readonly operation: 'mpi_fdelete'; readonly path: PathText }
  | {
      readonly operation: 'mpi_set_view';
      readonly slot: Slot;
      readonly displacement: NumberText;
      readonly elementType: string;
      readonly fileType: string;
    }
  | {
      readonly operation: 'mpi_read' | 'mpi_write';
      readonly slot: Slot;
      /** An explicit offset, the process's own pointer, or the one that all share. */
      readonly position: 'explicit' | 'individual' | 'shared';
      readonly blocking: boolean;
      readonly collective: boolean;
      readonly offset?: NumberText;
      readonly count: NumberText;
      readonly datatype: string;
    }
  | { readonly operation: 'mpi_wait'; readonly slot: Slot };

/** What orders tasks: a token to one, a token from one, or all of some at the same place. */
export type SynchronisationOperation =
  | { readonly operation: 'send_sync' | 'recv_sync'; readonly peer: NumberText }
  /** Absent tasks: all. */
  | { readonly operation: 'barrier'; readonly tasks?: readonly number[] };

export type ReplayOperation =
  | PosixOperation
  | StreamOperation
  | PoolOperation
  | MpiOperation
  | SynchronisationOperation
  /** Decimals are allowed. */
  | { readonly operation: 'sleep'; readonly seconds: NumberText };

/** Operations that are repeated. */
export interface ReplaySeries {
  readonly operation: 'series' | 'mpi_series';
  readonly count: NumberText;
  /** Name of the variable that holds the iteration, from 0, in the expressions within; '' for none. */
  readonly variable: string;
  readonly body: readonly ReplayNode[];
}

export type ReplayNode = ReplaySeries | ReplayOperation;

export interface ReplayTask {
  /** Which of the SIZE tasks run it: `0`, `1..3`, `all`; expressions may stand for the bounds. */
  readonly ranks: string;
  readonly body: readonly ReplayNode[];
}

/** Files by number, spread over folders. */
export interface FilePool {
  readonly name: string;
  readonly path: PathText;
  readonly files: NumberText;
  readonly filesPerFolder: NumberText;
  /** Whether they are made before the replay, with a random size between the two (bytes). */
  readonly create: boolean;
  readonly leastBytes: NumberText;
  readonly mostBytes: NumberText;
}

/** A derived type of MPI, by the constructor that makes it. */
export type MpiDatatype = { readonly name: string; readonly of: string } & (
  | { readonly kind: 'contiguous'; readonly count: NumberText }
  | {
      readonly kind: 'vector';
      readonly count: NumberText;
      readonly blockLength: NumberText;
      readonly stride: NumberText;
    }
  | {
      readonly kind: 'subarray';
      readonly sizes: readonly NumberText[];
      readonly subsizes: readonly NumberText[];
      readonly starts: readonly NumberText[];
    }
  | {
      readonly kind: 'indexed';
      /** Of each block, in elements. */
      readonly blockLengths: readonly NumberText[];
      readonly displacements: readonly NumberText[];
    }
  /** Another begin and extent (bytes), so that what is tiled stands closer or wider. */
  | { readonly kind: 'resized'; readonly lowerBound: NumberText; readonly extent: NumberText }
);

export interface ReplayProgram {
  readonly tasks: readonly ReplayTask[];
  readonly pools: readonly FilePool[];
  readonly datatypes: readonly MpiDatatype[];
  /** Files that must be there before it begins, with their size in bytes: what the program read without having written it. */
  readonly inputs: readonly { readonly path: PathText; readonly bytes: number }[];
}
