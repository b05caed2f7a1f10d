import type { Row } from '../schema/tables.ts';

/** What every row of a recording begins with. */
export interface RowKey {
  readonly log: string;
  readonly job_id: string | null;
  /** Seconds since 1970. */
  readonly start_time: number | null;
}

/** A file as a row of the store, without what every row of the recording says. */
export type FileFacts = Omit<Row<'file'>, keyof RowKey>;

/** Files that were read or written, or all that were used. */
export type WhichFiles = 'moved' | 'all';

/** Which interfaces a program used; null where the recording cannot show it. */
export type InterfaceUse = Pick<Row<'job'>, 'uses_posix' | 'uses_stdio' | 'uses_mpi_io' | 'uses_hdf5' | 'uses_netcdf'>;

/** What the rows of a recording are made of, whichever way it was recorded. */
export interface RecordingFacts {
  readonly files: readonly FileFacts[];
  readonly interfaces: InterfaceUse;
  /** Of the process that spent most in I/O calls; null when the recording has no times. */
  readonly ioSeconds: number | null;
  /** Seconds in opens, closes and their like, summed over processes; of files too that were neither read nor written. */
  readonly metadataSeconds: number;
  /** `file_id` of each file of `Trace.files`; undefined for those that do not count. */
  readonly fileIds: readonly (string | undefined)[];
}
