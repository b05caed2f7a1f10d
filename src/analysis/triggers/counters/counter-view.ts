import type { CounterLog, FileLayout, Job, LayoutComponent } from '../../../trace/counters.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { FileIndex } from '../../../trace/indices.ts';
import { leftOutFiles } from '../../counters/left-out-records.ts';
import { NO_FLOOR, type Floor } from './floor.ts';
import { ModuleView } from './module-view.ts';

/** How a log is judged. */
interface Judging {
  /** Of the job, as the user says; 0 when the log is to be asked. */
  readonly nodes: number;
  /** 1 for files that do not count; all do where it is absent, as for Drishti. */
  readonly ignored?: Uint8Array;
  readonly floor?: Floor;
}

/** A Darshan log, as rules read it. */
export class CounterView {
  private readonly modules: ReadonlyMap<string, ModuleView>;
  private layoutByFile: ReadonlyMap<number, FileLayout> | undefined;
  /** Compute nodes of the job; undefined when nobody says. */
  readonly nodes: number | undefined;
  /** It is the user who says so. */
  readonly nodesAreGiven: boolean;
  /** MPI-IO hints that the log holds: as a rule those with which Darshan wrote the log. */
  readonly hints: ReadonlyMap<string, string>;

  /** What findings must amount to. */
  readonly floor: Floor;

  constructor(
    private readonly trace: Trace,
    private readonly counters: CounterLog,
    { nodes, ignored, floor = NO_FLOOR }: Judging,
  ) {
    const leftOut = ignored && leftOutFiles(trace, ignored);
    this.modules = new Map(counters.modules.map((table) => [table.module, new ModuleView(table, leftOut)]));
    this.floor = floor;
    this.nodesAreGiven = nodes > 0;
    this.nodes = nodes > 0 ? nodes : recordedNodes(trace, counters.job);
    this.hints = hintsOf(counters.job);
  }

  get job(): Job {
    return this.counters.job;
  }

  /** Of the job; at least 1. */
  get processes(): number {
    return Math.max(1, this.counters.job.processes);
  }

  /** Nanoseconds; NaN when the log does not know. */
  get runTimeNs(): number {
    return this.counters.job.runTime * 1e9;
  }

  /** The log measured how long something took. */
  get hasTimes(): boolean {
    return TIMES.some(([module, prefix]) => {
      const view = this.module(module);
      return view !== undefined && view.sum(TIME_COUNTERS.map((counter) => `${prefix}_F_${counter}`)) > 0;
    });
  }

  /** A module by the name that darshan-parser prints (`POSIX`, `MPI-IO`, `STDIO`, `H5F`, …); undefined without records. */
  module(name: string): ModuleView | undefined {
    return this.modules.get(name);
  }

  /** The log has such a module, with or without records that can be read. */
  has(name: string): boolean {
    return this.modules.has(name) || this.counters.regions.some((region) => region.name === name);
  }

  /** Path of a file, as recorded: never put it into a shell line unquoted. */
  path(file: FileIndex): string {
    return this.trace.files.at(file).path;
  }

  /** HDF5 is used: the log has its modules, or MPI-IO works on files that are called so. */
  get usesHdf5(): boolean {
    return ['H5F', 'H5D'].some((name) => this.has(name)) || this.hasHdf5Names();
  }

  private hasHdf5Names(): boolean {
    let found = false;
    this.module('MPI-IO')?.forEach(({ file }) => {
      found ||= file >= 0 && /\.(h5|hdf5)$/.test(this.path(file));
    });
    return found;
  }

  /** Type of the file system that a file lies on (`lustre`), '' when the log does not say. */
  fileSystem(file: FileIndex): string {
    const path = this.path(file);
    const mounts = this.job.mounts.filter(([mountPoint]) => path.startsWith(mountPoint));
    mounts.sort((a, b) => b[0].length - a[0].length);
    return mounts[0]?.[1] ?? '';
  }

  /** How a file lies on Lustre; of a progressive layout the first component. */
  layout(file: FileIndex): LayoutComponent | undefined {
    this.layoutByFile ??= new Map(this.counters.layouts.map((layout) => [layout.file, layout]));
    return this.layoutByFile.get(file)?.components[0];
  }
}

const TIMES = [
  ['POSIX', 'POSIX'],
  ['MPI-IO', 'MPIIO'],
  ['STDIO', 'STDIO'],
] as const;
const TIME_COUNTERS = ['READ_TIME', 'WRITE_TIME', 'META_TIME'];

/** Hosts of the processes, when the recording knows those of all. */
function recordedNodes(trace: Trace, job: Job): number | undefined {
  const ranks = new Set<number>();
  const hosts = new Set<string>();
  for (const { host, rank } of trace.streams) {
    if (host === '' || rank === undefined) continue;
    ranks.add(rank);
    hosts.add(host);
  }
  return ranks.size > 0 && ranks.size >= job.processes ? hosts.size : undefined;
}

/** `romio_no_indep_rw=true;cb_nodes=4`; the literal `no` stands for none. */
function hintsOf(job: Job): ReadonlyMap<string, string> {
  const line = job.metadata.find(([key]) => key === 'h')?.[1] ?? '';
  const pairs = line.split(';').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at <= 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
  });
  return new Map(pairs);
}
