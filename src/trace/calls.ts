/** What a call does, whatever its name and layer. Times and counts of metrics are kept by these. */
export const OPERATIONS = [
  /** Anything that is none of the others: processes, signals, memory. */
  'other',
  /** Moves bytes from a file to the program. */
  'read',
  /** Moves bytes from the program to a file. */
  'write',
  /** Moves bytes between two files inside the kernel (sendfile, copy_file_range, splice). */
  'copy',
  'open',
  'close',
  'seek',
  /** Waits until data have reached the storage (fsync and its like). */
  'sync',
  /** Asks for or changes what is known about a file (stat, access, unlink, rename, truncate, …). */
  'metadata',
  /** Maps a file into memory: its reads and writes are not seen afterwards. */
  'map',
  /** Moves bytes through a socket by a call of the socket interface (send, recv). */
  'message',
  /** Acquires, tries or releases a lock on a file. */
  'lock',
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** Index of an operation, as it stands in `CallTable.operation`. */
export const OPERATION = Object.fromEntries(OPERATIONS.map((name, index) => [name, index])) as Record<
  Operation,
  number
>;

/** The layers of the I/O software, highest first ("I/O paradigm" in OTF2). */
export const LAYERS = [
  /** Any other I/O library; `Trace.definitions` names it (ADIOS in OTF2 archives). */
  'I/O library',
  'NetCDF',
  'PnetCDF',
  'HDF5',
  'MPI-IO',
  'STDIO',
  'POSIX',
  'system call',
] as const;
export type Layer = (typeof LAYERS)[number];
export const SYSTEM_CALL_LAYER = LAYERS.indexOf('system call');

/** The different calls of a trace: their names as recorded, and what they do. */
export class CallTable {
  readonly names: string[] = [];
  /** Index into OPERATIONS for each call. */
  readonly operation: number[] = [];
  private readonly indices = new Map<string, number>();

  /**
   * @throws RangeError when there would be more different names than the event table's column can index: that is junk,
   * no recording.
   */
  intern(name: string, operation: Operation): number {
    let index = this.indices.get(name);
    if (index === undefined) {
      if (this.names.length > 0xffff) throw new RangeError('more than 65,536 different call names');
      index = this.names.push(name) - 1;
      this.operation.push(OPERATION[operation]);
      this.indices.set(name, index);
    }
    return index;
  }

  find(name: string): number | undefined {
    return this.indices.get(name);
  }

  /** The calls that there are now; what is added here or there shows in one of both only. */
  snapshot(): CallTable {
    const now = new CallTable();
    this.names.forEach((name, index) => now.intern(name, OPERATIONS[this.operation[index]!]!));
    return now;
  }
}
