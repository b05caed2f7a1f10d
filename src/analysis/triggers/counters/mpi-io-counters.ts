import type { Amount } from '../insight.ts';
import type { CounterView } from './counter-view.ts';
import type { RecordView } from './module-view.ts';
import { known, measured, READ, smallSizes, WRITE } from './posix-counters.ts';

/** What the MPI-IO module counts in one direction, by Darshan's names. */
export interface MpiDirection {
  readonly verb: 'read' | 'write';
  readonly independent: string;
  readonly collective: string;
  /** Collective ones in two halves (`MPI_File_read_all_begin`). */
  readonly split: string;
  readonly nonBlocking: string;
  readonly bytes: string;
  readonly time: string;
  readonly sizes: string;
}

export const READS: MpiDirection = {
  verb: 'read',
  independent: 'MPIIO_INDEP_READS',
  collective: 'MPIIO_COLL_READS',
  split: 'MPIIO_SPLIT_READS',
  nonBlocking: 'MPIIO_NB_READS',
  bytes: 'MPIIO_BYTES_READ',
  time: 'MPIIO_F_READ_TIME',
  sizes: 'MPIIO_SIZE_READ_AGG',
};

export const WRITES: MpiDirection = {
  verb: 'write',
  independent: 'MPIIO_INDEP_WRITES',
  collective: 'MPIIO_COLL_WRITES',
  split: 'MPIIO_SPLIT_WRITES',
  nonBlocking: 'MPIIO_NB_WRITES',
  bytes: 'MPIIO_BYTES_WRITTEN',
  time: 'MPIIO_F_WRITE_TIME',
  sizes: 'MPIIO_SIZE_WRITE_AGG',
};

/** Transfers through MPI-IO in a direction that all processes make together, and those of single processes. */
function callsOf(get: (counters: readonly string[]) => number, of: MpiDirection): { together: number; alone: number } {
  return { together: get([of.collective, of.split]), alone: get([of.independent, of.nonBlocking]) };
}

/** A header that one process writes by itself makes no run one of independent calls. */
const FEW_ALONE = 0.01;

/** Whatever goes through MPI-IO in a direction is collective, or nearly so: there is nothing left to be made collective. */
export function isCollective(view: CounterView, direction: MpiDirection): boolean {
  const mpi = view.module('MPI-IO');
  if (mpi === undefined) return false;
  const { together, alone } = callsOf((counters) => mpi.sum(counters), direction);
  return together > 0 && alone <= FEW_ALONE * together;
}

/** Numbers of the records of files that are read by collective calls, or for collective writes: by some processes for all. */
export function filesReadForAll(view: CounterView): ReadonlySet<bigint> {
  const written = collectiveFiles(view, WRITES);
  const sieved = [...filesReadForWrites(view)].filter((file) => written.has(file));
  return new Set([...collectiveFiles(view, READS), ...sieved]);
}

/**
 * Numbers of the records of files that the program only writes through MPI-IO, and that are read below between the writes:
 * MPI-IO reads what lies between the pieces of a write first. Who reads back what was written does not change from reads to
 * writes with each of them.
 */
export function filesReadForWrites(view: CounterView): ReadonlySet<bigint> {
  let files = readForWrites.get(view);
  if (files === undefined) readForWrites.set(view, (files = findReadForWrites(view)));
  return files;
}

/** Several rules ask for them. */
const readForWrites = new WeakMap<CounterView, ReadonlySet<bigint>>();

function findReadForWrites(view: CounterView): ReadonlySet<bigint> {
  const onlyWritten = new Set<bigint>();
  const read = new Set<bigint>();
  view.module('MPI-IO')?.forEach((record) => {
    const count = (of: MpiDirection): number => {
      const { together, alone } = callsOf((counters) => measured(record, counters), of);
      return together + alone;
    };
    if (count(READS) > 0) read.add(record.id);
    else if (count(WRITES) > 0) onlyWritten.add(record.id);
  });
  const turns = new Map<bigint, { reads: number; switches: number }>();
  view.module('POSIX')?.forEach((record) => {
    const { reads, switches } = turns.get(record.id) ?? { reads: 0, switches: 0 };
    turns.set(record.id, {
      reads: reads + measured(record, [READ.calls]),
      switches: switches + measured(record, ['POSIX_RW_SWITCHES']),
    });
  });
  return new Set(
    [...onlyWritten].filter((file) => {
      const { reads, switches } = turns.get(file) ?? { reads: 0, switches: 0 };
      return !read.has(file) && reads > 0 && switches >= reads;
    }),
  );
}

/** Bytes; what describes objects of HDF5 and NetCDF is moved in pieces of hundreds. */
export const DESCRIPTION = 1024;

/** Whether the calls of single processes may all be small: then the bytes are those of the collective ones. */
function areSmall(record: RecordView, direction: MpiDirection, alone: number): boolean {
  return measured(record, smallSizes(direction, DESCRIPTION)) >= alone;
}

/** Numbers of the records of files that are read or written by collective calls: some processes do it for all. */
export function collectiveFiles(view: CounterView, direction: MpiDirection): ReadonlySet<bigint> {
  const files = new Set<bigint>();
  view.module('MPI-IO')?.forEach((record) => {
    const { together, alone } = callsOf((counters) => measured(record, counters), direction);
    if (together > alone || (together > 0 && areSmall(record, direction, alone))) files.add(record.id);
  });
  return files;
}

/**
 * Calls of a record with the bytes and the time of its direction: counters do not divide these by kinds of calls.
 * @returns undefined without such a call.
 */
export function transfer(record: RecordView, { bytes, time }: MpiDirection, events: number): Amount | undefined {
  if (events === 0) return undefined;
  return { events, bytes: known(record.get(bytes)), timeNs: known(record.get(time)) * 1e9 };
}

/** Whether all bytes of a record's file are moved by collective calls: by some processes for all. */
export function areMovedForAll(view: CounterView): (record: RecordView) => boolean {
  const [read, written] = [filesReadForAll(view), collectiveFiles(view, WRITES)];
  return (record) =>
    (read.has(record.id) || written.has(record.id)) &&
    (read.has(record.id) || measured(record, [READ.bytes]) === 0) &&
    (written.has(record.id) || measured(record, [WRITE.bytes]) === 0);
}
