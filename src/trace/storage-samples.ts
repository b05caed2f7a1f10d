/**
 * What the machine's storage did while a program was recorded, for whoever: columns of running sums, from one look to the
 * next. Block devices, Lustre's servers and servers of NFS together (proc(5), `/proc/diskstats`; Lustre Operations Manual,
 * section 44.7, `osc.*.stats`; `/proc/self/mountstats`).
 */
export interface StorageSamples {
  /** When was looked, seconds since 1970; each later than the one before. */
  readonly at: readonly number[];
  /** Bytes that storage delivered and took since the first look. */
  readonly read: readonly number[];
  readonly written: readonly number[];
  /** Seconds since the first look in which at least one process waited for storage; absent where the kernel does not tell. */
  readonly stalled?: readonly number[];
}
