/** Files and their transfers as the counters of a Darshan log tell them. */
import { measuredTotal } from '../../analysis/counters/module-figures.ts';
import { operationCounters } from '../../analysis/counters/module-counters.ts';
import { MountTable } from '../../analysis/counters/mounts.ts';
import { FILE_MODULES } from '../../analysis/counters/categories.ts';
import type { CounterLog, FileLayout } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import type { FileTable } from '../../trace/files.ts';
import { busiestProcess } from './busiest-process.ts';
import { CountedModule } from './counted-module.ts';
import { layoutFacts } from './layout-facts.ts';
import type { FileFacts, InterfaceUse, RecordingFacts, WhichFiles } from './recording-facts.ts';
import type { Transfers } from './transfers.ts';

/** A file as one module knows it. */
interface Part {
  readonly counted: CountedModule;
  readonly group: number;
}

interface CountedFile {
  /** Index into `Trace.files`, or NONE. */
  readonly file: number;
  readonly recordId: bigint;
  readonly parts: Part[];
}

/**
 * @param log with counters of at least one module of files.
 * @returns one entry for each file that was read or written, or for all; standard input, output and error are no files.
 */
export function countedFiles(log: CounterLog, files: FileTable, which: WhichFiles = 'moved'): RecordingFacts {
  const modules = log.modules
    .filter(({ module }) => FILE_MODULES.includes(module) && !isBelowAnother(module, log))
    .map((table) => new CountedModule(table, log.job.processes));
  const context = new FileContext(log, files);
  const facts: FileFacts[] = [];
  let metadataSeconds = 0;
  const fileIds = files.files.map(({ kind }, file) => (kind === 'regular' ? String(file) : undefined));
  const outermost = new Map(modules.map((counted) => [counted, new Uint8Array(counted.groups.length)]));
  for (const counted of joinedByFile(modules)) {
    if (counted.file !== NONE && files.at(counted.file).kind !== 'regular') continue;
    const outer = outermostOf(counted.parts);
    for (const { counted: module, group } of outer) outermost.get(module)![group] = 1;
    const found = context.factsOf(counted, outer);
    if (counted.file !== NONE) fileIds[counted.file] = found.file_id!;
    metadataSeconds += found.metadata_seconds!;
    if (which === 'all' || movesAnything(found)) facts.push(found);
  }
  const ioSeconds = busiestProcess(modules, (counted, group) => outermost.get(counted)![group] === 1);
  return { files: facts, interfaces: interfacesOf(log), ioSeconds, metadataSeconds, fileIds };
}

/** Objects of DAOS are what files of DFS consist of. */
function isBelowAnother(module: string, log: CounterLog): boolean {
  return module === 'DAOS' && log.modules.some((table) => table.module === 'DFS' && table.length > 0);
}

function joinedByFile(modules: readonly CountedModule[]): CountedFile[] {
  const found = new Map<number | bigint, CountedFile>();
  for (const counted of modules) {
    for (let group = 0; group < counted.groups.length; group++) {
      const file = counted.groups.file(group);
      const recordId = counted.groups.recordId(group);
      const key = file === NONE ? recordId : file;
      const known = found.get(key);
      if (known === undefined) found.set(key, { file, recordId, parts: [{ counted, group }] });
      else known.parts.push({ counted, group });
    }
  }
  return [...found.values()];
}

/**
 * The modules whose calls on the file are the program's own: MPI-IO where bytes went through it, for these went through
 * POSIX below once more. `FILE` streams lie beside both.
 */
function outermostOf(parts: readonly Part[]): readonly Part[] {
  const upper = parts.find(({ counted }) => counted.module === 'MPI-IO');
  if (upper === undefined) return parts;
  const moved = upper.counted.get('bytes_read', upper.group) + upper.counted.get('bytes_written', upper.group);
  return parts.filter(({ counted }) => counted.module === 'STDIO' || (counted.module === 'MPI-IO') === moved > 0);
}

/** The modules that count requests as they reach the file system. */
function requestsOf(parts: readonly Part[]): readonly Part[] {
  const isLow = ({ counted, group }: Part): boolean =>
    counted.module !== 'MPI-IO' && counted.get('reads', group) + counted.get('writes', group) > 0;
  const low = parts.filter(isLow);
  return low.length === 0 ? parts : low;
}

function movesAnything({ reads, writes, bytes_read, bytes_written }: FileFacts): boolean {
  return reads! + writes! + bytes_read! + bytes_written! > 0;
}

/** What is known of all files of a log. */
class FileContext {
  private readonly mounts: MountTable;
  private readonly layouts = new Map<number, FileLayout>();
  private readonly hdf5Files = new Set<number>();

  constructor(
    private readonly log: CounterLog,
    private readonly files: FileTable,
  ) {
    this.mounts = new MountTable(log.job.mounts);
    for (const layout of log.layouts) {
      if (layout.file !== NONE && !this.layouts.has(layout.file)) this.layouts.set(layout.file, layout);
    }
    for (const table of log.modules.filter(({ module }) => module === 'H5F')) {
      for (let record = 0; record < table.length; record++) this.hdf5Files.add(table.file(record));
    }
  }

  factsOf({ file, recordId, parts }: CountedFile, outer: readonly Part[]): FileFacts {
    const path = file === NONE ? null : this.files.at(file).path;
    const mount = path === null ? undefined : this.mounts.find(path);
    const uses = (module: string): boolean => parts.some(({ counted }) => counted.module === module);
    return {
      file_id: recordId.toString(16).padStart(16, '0'),
      path,
      mount_point: known(mount?.mountPoint),
      file_system: known(mount?.fileSystem),
      ...usersOf(parts, this.log.job.processes),
      ...transfersOf(outer, requestsOf(parts), parts),
      ...extremesOf(outer),
      uses_mpi_io: uses('MPI-IO'),
      uses_stdio: uses('STDIO'),
      uses_hdf5: file !== NONE && this.hdf5Files.has(file),
      ...layoutFacts(this.layouts.get(file)),
    };
  }
}

/** @param name `UNKNOWN` where no mount point fits. */
function known(name: string | undefined): string | null {
  return name === undefined || name === 'UNKNOWN' ? null : name;
}

/** Processes that used a file: all when there is a shared record, else as many as there are records. */
function usersOf(parts: readonly Part[], processes: number): Pick<FileFacts, 'processes' | 'rank'> {
  const ranks = new Set<number>();
  let most = 0;
  for (const { counted, group } of parts) {
    const rank = counted.table.rank(counted.groups.firstRecord(group));
    const users = rank < 0 ? Math.max(processes, 1) : counted.users[group]!;
    ranks.add(users === 1 ? rank : NONE);
    most = Math.max(most, users);
  }
  const single = ranks.size === 1 ? [...ranks][0]! : NONE;
  return { processes: Math.max(most, ranks.size), rank: single === NONE ? null : single };
}

function transfersOf(outer: readonly Part[], requests: readonly Part[], all: readonly Part[]): Transfers {
  const sum = (parts: readonly Part[], name: keyof Transfers): number =>
    parts.reduce((total, { counted, group }) => total + counted.get(name, group), 0);
  const direction = (way: 'read' | 'write'): Partial<Transfers> => {
    const calls = `${way}s` as const;
    // Where nothing tells how large requests were, or where they began, that is not known of them.
    const measured = (name: keyof Transfers): readonly Part[] =>
      requests.filter(({ counted }) => counted.measures(name));
    const share = (name: keyof Transfers): number | null =>
      sum(measured(name), calls) === 0 && sum(requests, calls) > 0 ? null : sum(measured(name), name);
    const moment = (name: keyof Transfers, choose: (...values: number[]) => number): number | null => {
      const values = outer.map(({ counted, group }) => counted.get(name, group)).filter((value) => value > 0);
      return values.length === 0 ? null : choose(...values);
    };
    const bytes = way === 'read' ? 'bytes_read' : 'bytes_written';
    return {
      [bytes]: sum(outer, bytes),
      [calls]: sum(requests, calls),
      [`sized_${calls}`]: sum(measured(`small_${calls}`), calls),
      [`small_${calls}`]: share(`small_${calls}`),
      [`placed_${calls}`]: sum(measured(`consecutive_${calls}`), calls),
      [`consecutive_${calls}`]: share(`consecutive_${calls}`),
      [`sequential_${calls}`]: share(`sequential_${calls}`),
      [`${way}_seconds`]: sum(outer, `${way}_seconds`),
      [`${way}_start`]: moment(`${way}_start`, Math.min),
      [`${way}_end`]: moment(`${way}_end`, Math.max),
      [`collective_${calls}`]: sum(all, `collective_${calls}`),
      [`independent_${calls}`]: sum(all, `independent_${calls}`),
    };
  };
  const both = { ...direction('read'), ...direction('write'), metadata_seconds: sum(outer, 'metadata_seconds') };
  return both as Transfers;
}

/** Slowest and fastest process of a file that several used, where most of its bytes went. */
function extremesOf(
  outer: readonly Part[],
): Pick<FileFacts, 'slowest_rank_bytes' | 'fastest_rank_bytes' | 'slowest_rank_seconds' | 'fastest_rank_seconds'> {
  const found = outer.flatMap(({ counted, group }) => counted.extremes.get(group) ?? []);
  const most = found.sort((a, b) => b.slowest.seconds - a.slowest.seconds)[0];
  return {
    slowest_rank_bytes: most?.slowest.bytes ?? null,
    fastest_rank_bytes: most?.fastest.bytes ?? null,
    slowest_rank_seconds: most?.slowest.seconds ?? null,
    fastest_rank_seconds: most?.fastest.seconds ?? null,
  };
}

function interfacesOf(log: CounterLog): InterfaceUse {
  const uses = (...modules: string[]): boolean =>
    log.modules.some(({ module, length }) => modules.includes(module) && length > 0);
  // Standard input, output and error have records in every log, used or not.
  const usesStdio = log.modules.some((table) => {
    if (table.module !== 'STDIO') return false;
    const { opens, reads, writes } = operationCounters('STDIO')!;
    return [...opens, ...reads, ...writes].some((counter) => measuredTotal(table, counter) > 0);
  });
  return {
    uses_posix: uses('POSIX'),
    uses_stdio: usesStdio,
    uses_mpi_io: uses('MPI-IO'),
    uses_hdf5: uses('H5F', 'H5D'),
    uses_netcdf: uses('PNETCDF_FILE', 'PNETCDF_VAR'),
  };
}
