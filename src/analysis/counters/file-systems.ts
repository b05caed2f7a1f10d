/** Where data lay: PyDarshan's "data access by category", with the job's mount points. */
import type { CounterLog } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import type { FileTable } from '../../trace/files.ts';
import { MountTable } from './mounts.ts';
import { valueOrZero } from './lacking.ts';

export interface FileSystemAccess {
  /** Mount point; the first folder of the path where none fits; `<STDOUT>` and the like. */
  readonly name: string;
  /** Such as `lustre`; '' when unknown. */
  readonly fileSystem: string;
  /** Files of which at least one byte was read. */
  readonly filesRead: number;
  readonly filesWritten: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** Modules that see all bytes that reach a file system: those above (MPI-IO, HDF5) go through POSIX. */
const LOWEST_MODULES = ['POSIX', 'STDIO'];

/** Bytes through POSIX and STDIO by file system, most bytes first. Files without a name in the log stand under `?`. */
export function accessByFileSystem(log: CounterLog, files: FileTable): FileSystemAccess[] {
  const read = bytesByFile(log, files.length, 'BYTES_READ');
  const written = bytesByFile(log, files.length, 'BYTES_WRITTEN');
  const mounts = new MountTable(log.job.mounts);
  const access = new Map<string, { -readonly [Name in keyof FileSystemAccess]: FileSystemAccess[Name] }>();
  for (let file = 0; file <= files.length; file++) {
    const [bytesRead, bytesWritten] = [read[file]!, written[file]!];
    if (bytesRead === 0 && bytesWritten === 0) continue;
    const place = file === files.length ? { name: '?', fileSystem: '' } : placeOf(files.at(file).path, mounts);
    const sum = access.get(place.name) ?? { ...place, filesRead: 0, filesWritten: 0, bytesRead: 0, bytesWritten: 0 };
    if (bytesRead > 0) sum.filesRead++;
    if (bytesWritten > 0) sum.filesWritten++;
    sum.bytesRead += bytesRead;
    sum.bytesWritten += bytesWritten;
    access.set(place.name, sum);
  }
  return [...access.values()].sort((a, b) => b.bytesRead + b.bytesWritten - (a.bytesRead + a.bytesWritten));
}

/** Bytes for each file; those of records without a name stand behind the last. */
function bytesByFile(log: CounterLog, files: number, counter: string): Float64Array {
  const bytes = new Float64Array(files + 1);
  for (const table of log.modules.filter(({ module }) => LOWEST_MODULES.includes(module))) {
    const column = table.find(`${table.module}_${counter}`);
    if (column === undefined) continue;
    for (let record = 0; record < table.length; record++) {
      const file = table.file(record);
      bytes[file === NONE ? files : file]! += Math.max(0, valueOrZero(table.value(record, column)));
    }
  }
  return bytes;
}

function placeOf(path: string, mounts: MountTable): { name: string; fileSystem: string } {
  const { mountPoint, fileSystem } = mounts.find(path);
  if (mountPoint !== 'UNKNOWN') return { name: mountPoint, fileSystem };
  return { name: /^\/+[^/]*(?=\/)/.exec(path)?.[0] ?? (path.startsWith('/') ? '/' : path), fileSystem: '' };
}
