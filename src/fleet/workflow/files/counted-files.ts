import { FileGroups } from '../../../analysis/counters/sums.ts';
import { counterPrefix } from '../../../analysis/counters/module-counters.ts';
import { ignoredFiles } from '../../../analysis/metrics/ignored-files.ts';
import { LAYER_OF_MODULE, type CounterLog, type CounterTable } from '../../../trace/counters.ts';
import { NONE } from '../../../trace/events.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { FileAccess } from '../recording-facts.ts';

/** Modules whose records are files, the uppermost first: its bytes are those that the program moved. */
const MODULES = ['PNETCDF_FILE', 'H5F', 'MPI-IO', 'STDIO', 'POSIX', 'DFS'];

/** The files that a Darshan log counts bytes of, without those of the system. */
export function countedFiles({ files }: Trace, log: CounterLog): FileAccess[] {
  const ignored = ignoredFiles(files);
  const found = new Map<number, ModuleFile[]>();
  for (const module of MODULES) {
    const table = log.modules.find((each) => each.module === module);
    for (const each of table === undefined ? [] : moduleFiles(table)) {
      if (ignored[each.file] === 1) continue;
      found.set(each.file, [...(found.get(each.file) ?? []), each]);
    }
  }
  const origin = log.job.startTime > 0 ? log.job.startTime : null;
  return [...found].flatMap(([file, uses]) => {
    const access = accessOf(uses, origin);
    return access === undefined ? [] : [{ path: files.at(file).path, parent: null, ...access }];
  });
}

/** A file as one module counted it. Moments are seconds from the beginning of the program; 0: never. */
interface ModuleFile {
  readonly module: string;
  readonly file: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly maps: number;
  readonly first: number;
  readonly last: number;
  readonly readFrom: number;
  readonly writtenFrom: number;
  readonly writtenUntil: number;
  /** Offset behind the last byte that was read and written; 0 when not measured. */
  readonly furthestRead: number;
  readonly furthestWritten: number;
}

function moduleFiles(table: CounterTable): ModuleFile[] {
  const groups = new FileGroups(table);
  const prefix = counterPrefix(table.module);
  const fold = (counter: string, pick: (known: number, value: number) => number): Float64Array => {
    const values = new Float64Array(groups.length);
    groups.forEach(`${prefix}_${counter}`, (value, group) => {
      if (value > 0) values[group] = pick(values[group]!, value);
    });
    return values;
  };
  const sum = (counter: string): Float64Array => fold(counter, (known, value) => known + value);
  const most = (counter: string): Float64Array => fold(counter, Math.max);
  const least = (counter: string): Float64Array =>
    fold(counter, (known, value) => (known === 0 ? value : Math.min(known, value)));
  const columns = {
    bytesRead: sum('BYTES_READ'),
    bytesWritten: sum('BYTES_WRITTEN'),
    maps: sum('MMAPS'),
    readFrom: least('F_READ_START_TIMESTAMP'),
    writtenFrom: least('F_WRITE_START_TIMESTAMP'),
    writtenUntil: most('F_WRITE_END_TIMESTAMP'),
    furthestRead: most('MAX_BYTE_READ'),
    furthestWritten: most('MAX_BYTE_WRITTEN'),
  };
  const starts = ['OPEN', 'READ', 'WRITE'].map((what) => least(`F_${what}_START_TIMESTAMP`));
  const ends = ['CLOSE', 'READ', 'WRITE'].map((what) => most(`F_${what}_END_TIMESTAMP`));
  return Array.from({ length: groups.length }, (_, group): ModuleFile | undefined => {
    const file = groups.file(group);
    if (file === NONE) return undefined;
    const begun = starts.map((each) => each[group]!).filter((when) => when > 0);
    return {
      module: table.module,
      file,
      bytesRead: columns.bytesRead[group]!,
      bytesWritten: columns.bytesWritten[group]!,
      maps: columns.maps[group]!,
      readFrom: columns.readFrom[group]!,
      writtenFrom: columns.writtenFrom[group]!,
      writtenUntil: columns.writtenUntil[group]!,
      // Darshan notes the last byte itself.
      furthestRead: columns.furthestRead[group]! > 0 ? columns.furthestRead[group]! + 1 : 0,
      furthestWritten: columns.furthestWritten[group]! > 0 ? columns.furthestWritten[group]! + 1 : 0,
      first: begun.length === 0 ? 0 : Math.min(...begun),
      last: Math.max(...ends.map((each) => each[group]!)),
    };
  }).filter((each) => each !== undefined);
}

/** @returns undefined for a file that was opened and not used: Darshan does not keep what for. */
function accessOf(uses: readonly ModuleFile[], origin: number | null): Omit<FileAccess, 'path' | 'parent'> | undefined {
  const moved = uses.find(({ bytesRead, bytesWritten }) => bytesRead + bytesWritten > 0);
  const maps = uses.some((use) => use.maps > 0);
  if (moved === undefined && !maps) return undefined;
  const { bytesRead = 0, bytesWritten = 0 } = moved ?? {};
  const reads = bytesRead > 0 || maps;
  const least = (values: readonly number[]): number =>
    values.reduce((known, value) => (value > 0 && (known === 0 || value < known) ? value : known), 0);
  const date = (when: number): number | null => (origin === null || when === 0 ? null : origin + when);
  const readFrom = least(uses.map((use) => use.readFrom));
  const writtenFrom = least(uses.map((use) => use.writtenFrom));
  const furthestRead = Math.max(...uses.map((use) => use.furthestRead));
  const furthestWritten = Math.max(...uses.map((use) => use.furthestWritten));
  const readsOwn = bytesWritten > 0 && writtenFrom < readFrom && furthestRead <= furthestWritten;
  const needsContent = reads && !readsOwn;
  return {
    mode: reads ? (bytesWritten > 0 ? 'read-write' : 'read') : 'write',
    paradigms: uses.map(({ module }) => LAYER_OF_MODULE[module] ?? module),
    bytesRead,
    bytesWritten,
    from: date(least(uses.map((use) => use.first))),
    to: date(Math.max(...uses.map((use) => use.last))),
    writtenUntil: date(Math.max(...uses.map((use) => use.writtenUntil))),
    readFrom: date(readFrom),
    needsContent,
    leavesContent: bytesWritten > 0,
    // A file with holes, as HDF5 makes them, is not one of which others wrote most.
    keepsContent: bytesWritten > 0 && (needsContent || furthestWritten > 2 * bytesWritten),
  };
}
