/** Files by how they were used, as `darshan-parser --file` counts them (darshan-util, `darshan-logutils-accumulator.c`). */
import type { CounterTable } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import { counterPrefix } from './module-counters.ts';
import { FileGroups } from './sums.ts';

export interface FileCategory {
  readonly files: number;
  /** Read and written. */
  readonly bytes: number;
  /** Greatest offset of a last byte that was accessed; -1 when the module does not measure it. */
  readonly maxOffset: number;
  /** Mean over the files of the offset of the last byte; -1 when not measured, 0 without files. */
  readonly meanOffset: number;
}

export interface FileCategories {
  readonly total: FileCategory;
  readonly readOnly: FileCategory;
  readonly writeOnly: FileCategory;
  readonly readWrite: FileCategory;
  /** Used by exactly one process. */
  readonly unique: FileCategory;
  /** Used by all processes. */
  readonly shared: FileCategory;
  /** Used by several processes, but not by all. darshan-parser prints these with the shared ones. */
  readonly partiallyShared: FileCategory;
}

/** Modules that darshan-parser derives figures of (others have no notion of a file that is read and written). */
export const FILE_MODULES: readonly string[] = ['POSIX', 'MPI-IO', 'STDIO', 'DFS', 'DAOS'];

class CategorySum {
  private files = 0;
  private bytes = 0;
  private offsets = 0;
  private maxOffset = 0;

  add(bytes: number, lastByte: number): void {
    this.files++;
    this.bytes += bytes;
    this.offsets += lastByte;
    if (lastByte > this.maxOffset) this.maxOffset = lastByte;
  }

  done(measuresOffsets: boolean): FileCategory {
    const { files, bytes } = this;
    if (files > 0 && !measuresOffsets) return { files, bytes, maxOffset: -1, meanOffset: -1 };
    return { files, bytes, maxOffset: this.maxOffset, meanOffset: files === 0 ? 0 : this.offsets / files };
  }
}

/**
 * @param processes of the job.
 * @returns undefined for modules that are not among FILE_MODULES.
 */
export function fileCategories(table: CounterTable, processes: number): FileCategories | undefined {
  if (!FILE_MODULES.includes(table.module)) return undefined;
  const prefix = counterPrefix(table.module);
  const groups = new FileGroups(table);
  const read = groups.sums(`${prefix}_BYTES_READ`);
  const written = groups.sums(`${prefix}_BYTES_WRITTEN`);
  const lastByte = lastBytes(groups, prefix);
  const users = processesOf(table, groups, processes);
  const sums = {
    total: new CategorySum(),
    readOnly: new CategorySum(),
    writeOnly: new CategorySum(),
    readWrite: new CategorySum(),
    unique: new CategorySum(),
    shared: new CategorySum(),
    partiallyShared: new CategorySum(),
  };
  for (let file = 0; file < groups.length; file++) {
    const bytes = read[file]! + written[file]!;
    const sharing = users[file] === 1 ? 'unique' : users[file]! >= processes ? 'shared' : 'partiallyShared';
    for (const category of ['total', accessOf(read[file]!, written[file]!), sharing] as const) {
      if (category !== undefined) sums[category].add(bytes, lastByte[file]!);
    }
  }
  const measuresOffsets = table.find(`${prefix}_MAX_BYTE_READ`) !== undefined;
  const entries = Object.entries(sums).map(([name, sum]) => [name, sum.done(measuresOffsets)]);
  return Object.fromEntries(entries) as { [Name in keyof FileCategories]: FileCategory };
}

function accessOf(read: number, written: number): 'readOnly' | 'writeOnly' | 'readWrite' | undefined {
  if (read > 0) return written > 0 ? 'readWrite' : 'readOnly';
  return written > 0 ? 'writeOnly' : undefined;
}

/** Offset of the last byte of each file that was accessed. */
function lastBytes(groups: FileGroups, prefix: string): Float64Array {
  const lastByte = new Float64Array(groups.length);
  for (const counter of [`${prefix}_MAX_BYTE_READ`, `${prefix}_MAX_BYTE_WRITTEN`]) {
    groups.forEach(counter, (value, file) => {
      if (value > lastByte[file]!) lastByte[file] = value;
    });
  }
  return lastByte;
}

/** How many processes used each file: all when there is a shared record, else as many as there are records. */
export function processesOf(table: CounterTable, groups: FileGroups, processes: number): Float64Array {
  const users = new Float64Array(groups.length);
  for (let record = 0; record < table.length; record++) {
    const group = groups.groupOf[record]!;
    if (group !== NONE) users[group]! += table.rank(record) < 0 ? Math.max(processes, 2) : 1;
  }
  return users;
}
