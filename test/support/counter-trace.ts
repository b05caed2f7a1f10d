import { CallStackTable } from '../../src/trace/call-stacks.ts';
import { CallTable } from '../../src/trace/calls.ts';
import { CounterTable, type CounterLog, type FileLayout, type Job } from '../../src/trace/counters.ts';
import { EventTable, NONE } from '../../src/trace/events.ts';
import { FileTable, HandleTable } from '../../src/trace/files.ts';
import { NameTable } from '../../src/trace/names.ts';
import type { Stream, Trace } from '../../src/trace/trace.ts';
import { FORMAT_TRAITS } from '../../src/readers/format-traits.ts';

/** One record of a module: what is not given was counted as 0. */
export interface CounterRecord {
  /** Path; undefined: the log has lost the name. */
  readonly path?: string;
  /** -1 (all processes together) by default. */
  readonly rank?: number;
  readonly values: Readonly<Record<string, number>>;
}

export interface CounterLogParts {
  readonly job?: Partial<Job>;
  readonly modules: Readonly<Record<string, readonly CounterRecord[]>>;
  /** Modules that ran out of memory. */
  readonly incomplete?: readonly string[];
  /** Host of each process. */
  readonly hosts?: readonly string[];
  readonly layouts?: readonly { path: string; stripeSize: number; stripeCount: number }[];
}

export type CounterTrace = Trace & { readonly counters: CounterLog };

/** A recording of counters only, as the readers of Darshan make it. */
export function counterTrace(parts: CounterLogParts): CounterTrace {
  const files = new FileTable();
  const modules = Object.entries(parts.modules).map(([name, records]) =>
    table(name, records, files, parts.incomplete?.includes(name) === true),
  );
  const layouts = (parts.layouts ?? []).map((layout) => layoutOf(layout, files));
  const job: Job = {
    command: './program',
    userId: '1000',
    jobId: '42',
    startTime: 1_700_000_000,
    endTime: 1_700_000_010,
    runTime: 10,
    processes: 4,
    logVersion: '3.41',
    compression: 'zlib',
    metadata: [],
    mounts: [],
    ...parts.job,
  };
  const regions = modules.map(({ module, version, incomplete }) => ({
    name: module,
    bytes: 1,
    version,
    incomplete,
    known: true,
  }));
  const streams = (parts.hosts ?? []).map((host, rank): Stream => ({
    host,
    pid: rank,
    processId: rank,
    part: 0,
    rank,
  }));
  return {
    format: 'darshan',
    form: FORMAT_TRAITS.darshan,
    version: job.logVersion,
    program: job.command,
    startTime: job.startTime,
    durationNs: job.runTime * 1e9,
    parts: [],
    streams,
    files,
    handles: new HandleTable(),
    calls: new CallTable(),
    errors: new NameTable(['']),
    events: new EventTable(),
    stacks: new CallStackTable(),
    capabilities: { time: true, duration: true, stacks: false, paths: true },
    damage: [],
    notes: [],
    counters: { job, regions, modules, layouts, heatmaps: [], segments: [] },
  };
}

function table(name: string, records: readonly CounterRecord[], files: FileTable, incomplete: boolean): CounterTable {
  const counters = [...new Set(records.flatMap(({ values }) => Object.keys(values)))];
  const made = new CounterTable(name, 1, counters, incomplete);
  let nameless = 1n;
  for (const { path, rank = -1, values } of records) {
    const file = path === undefined ? NONE : files.intern('', path);
    const id = path === undefined ? nameless++ : BigInt(1000 + file);
    made.add(
      id,
      rank,
      file,
      counters.map((counter) => values[counter] ?? 0),
    );
  }
  made.trim();
  return made;
}

function layoutOf(
  { path, stripeSize, stripeCount }: { path: string; stripeSize: number; stripeCount: number },
  files: FileTable,
): FileLayout {
  const component = {
    stripeSize,
    stripeCount,
    pattern: 'raid0',
    flags: 0,
    extentStart: 0,
    extentEnd: -1,
    mirror: 0,
    pool: '',
    targets: [],
  };
  return { file: files.intern('', path), recordId: 1n, rank: -1, components: [component] };
}
