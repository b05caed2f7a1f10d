import type { FileIndex } from './indices.ts';

/**
 * What a recording says beside its events (Tschüter, section 3.2.1 and appendix A.1): the I/O paradigms, files with their
 * scope and properties, and groups of processes. What a format lacks is absent, never guessed.
 */

/** A name and a value as recorded: `Lustre stripe count`, 4. */
export interface Property {
  readonly name: string;
  readonly value: string | number;
}

/** An I/O paradigm, as our layers are called in OTF2. */
export interface Paradigm {
  /** Index into LAYERS. */
  readonly layer: number;
  /** What it is told by: `POSIX`, `MPI-IO`, `netCDF`. */
  readonly identification: string;
  /** As shown: `POSIX I/O`. */
  readonly name: string;
  /** Whether handles of it can be used by several processes together. */
  readonly isParallel: boolean;
  readonly isOperatingSystem: boolean;
  readonly properties: readonly Property[];
}

/** What is known of a file or folder. */
export interface FileDefinition {
  /** Index into `Trace.files`. */
  readonly file: FileIndex;
  readonly isDirectory: boolean;
  /** The part of the machine that sees it: a host, or the whole machine; '' when the recording does not say. */
  readonly scope: string;
  /** Mount point, file system, stripes and whatever else was recorded. */
  readonly properties: readonly Property[];
}

/** Processes that communicate or open files together. */
export interface Communicator {
  /** `MPI_COMM_WORLD`, … */
  readonly name: string;
  /** Index into `Trace.streams` by rank within the communicator. Empty for one that holds each process alone. */
  readonly members: readonly number[];
  /** Index of the communicator that it was made of, or NONE. */
  readonly parent: number;
  /** Each process has one of its own (MPI_COMM_SELF). */
  readonly isSelf: boolean;
}

export interface Definitions {
  readonly paradigms: readonly Paradigm[];
  readonly files: readonly FileDefinition[];
  readonly communicators: readonly Communicator[];
  /** By index into `Trace.handles`: names of their own, as data sets of HDF5 have them. */
  readonly handleNames: ReadonlyMap<number, string>;
}
