import type { Amount } from '../insight.ts';
import type { ModuleView, RecordSet, RecordView } from './module-view.ts';

/** What the POSIX module counts in one direction, by Darshan's names. */
export interface Direction {
  readonly verb: 'read' | 'write';
  readonly calls: string;
  readonly bytes: string;
  /** Offset of the last byte. */
  readonly lastByte: string;
  readonly time: string;
  readonly consecutive: string;
  /** Anywhere behind the last access; consecutive ones among them. */
  readonly sequential: string;
  readonly sizes: string;
}

export const READ: Direction = {
  verb: 'read',
  calls: 'POSIX_READS',
  bytes: 'POSIX_BYTES_READ',
  lastByte: 'POSIX_MAX_BYTE_READ',
  time: 'POSIX_F_READ_TIME',
  consecutive: 'POSIX_CONSEC_READS',
  sequential: 'POSIX_SEQ_READS',
  sizes: 'POSIX_SIZE_READ',
};

export const WRITE: Direction = {
  verb: 'write',
  calls: 'POSIX_WRITES',
  bytes: 'POSIX_BYTES_WRITTEN',
  lastByte: 'POSIX_MAX_BYTE_WRITTEN',
  time: 'POSIX_F_WRITE_TIME',
  consecutive: 'POSIX_CONSEC_WRITES',
  sequential: 'POSIX_SEQ_WRITES',
  sizes: 'POSIX_SIZE_WRITE',
};

/** Darshan's classes of sizes with the largest that belongs to each, in bytes (darshan-common.h). */
const SIZE_CLASSES: readonly (readonly [name: string, largest: number])[] = [
  ['0_100', 100],
  ['100_1K', 1024],
  ['1K_10K', 10 * 1024],
  ['10K_100K', 100 * 1024],
  ['100K_1M', 1024 ** 2],
  ['1M_4M', 4 * 1024 ** 2],
  ['4M_10M', 10 * 1024 ** 2],
  ['10M_100M', 100 * 1024 ** 2],
  ['100M_1G', 1024 ** 3],
];

/** The largest size that `smallSizes` counts: Darshan's classes are all that is known. */
export function largestCounted(bound: number): number {
  return SIZE_CLASSES.reduce((most, [, bytes]) => (bytes <= bound ? bytes : most), 0);
}

/** The counters of requests up to a size; a bound within a class leaves that class out. */
export function smallSizes({ sizes }: Pick<Direction, 'sizes'>, largest: number): string[] {
  return SIZE_CLASSES.filter(([, bytes]) => bytes <= largest).map(([name]) => `${sizes}_${name}`);
}

/** Sum of what was measured of some counters of a record. */
export function measured(record: RecordView, counters: readonly string[]): number {
  return counters.reduce((sum, counter) => sum + known(record.get(counter)), 0);
}

/** 0 for what was not measured. */
export function known(value: number): number {
  return Number.isNaN(value) ? 0 : value;
}

/**
 * Calls of a record with the bytes and the time of its direction: counters do not divide these by kinds of calls.
 * @returns undefined without such a call.
 */
export function transfer(record: RecordView, { bytes, time }: Direction, events: number): Amount | undefined {
  if (events === 0) return undefined;
  return { events, bytes: known(record.get(bytes)), timeNs: known(record.get(time)) * 1e9 };
}

/** All reads and writes of a record, and the time of its metadata calls too; no more than this where it was only opened. */
export function everything(record: RecordView): Amount {
  const events = measured(record, [READ.calls, WRITE.calls]);
  return {
    events,
    bytes: measured(record, [READ.bytes, WRITE.bytes]),
    timeNs: measured(record, [READ.time, WRITE.time, 'POSIX_F_META_TIME']) * 1e9,
  };
}

/** Nanoseconds of a direction. */
export function timeOf(posix: ModuleView, { time }: Direction, over?: RecordSet): number {
  return posix.sum(time, over) * 1e9;
}
