import { estimateGains } from '../../src/analysis/gain/estimate-gains.ts';
import type { EstimatedInsight, Estimates } from '../../src/analysis/gain/gain.ts';
import { gatherLayerCalls, type LayerCalls } from '../../src/analysis/layers/patterns/layer-calls.ts';
import { measure } from '../../src/analysis/metrics/access-metrics.ts';
import type { CallSites } from '../../src/analysis/sites/call-sites.ts';
import { findInsights } from '../../src/analysis/triggers/evaluate.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../src/analysis/triggers/thresholds.ts';
import { CallTable, type Layer, type Operation } from '../../src/trace/calls.ts';
import { CHUNK_MASK, EVENT_FLAGS, NONE } from '../../src/trace/events.ts';
import { FunctionCallTable } from '../../src/trace/function-calls.ts';
import type { Stream, Trace } from '../../src/trace/trace.ts';
import { eventTrace } from './event-trace.ts';
import { expectSlots } from './sentences.ts';
import { FORMAT_TRAITS } from '../../src/readers/format-traits.ts';

/** Calls that made-up recordings of several layers are made of. */
const CALLS = {
  H5Dwrite: ['write', 'HDF5'],
  H5Dread: ['read', 'HDF5'],
  H5Awrite: ['write', 'HDF5'],
  H5Dcreate2: ['metadata', 'HDF5'],
  H5Dclose: ['metadata', 'HDF5'],
  H5Fflush: ['sync', 'HDF5'],
  nc_put_vara_double: ['write', 'NetCDF'],
  nc_put_var1_double: ['write', 'NetCDF'],
  H5Fopen: ['open', 'HDF5'],
  H5Dopen2: ['open', 'HDF5'],
  H5Oopen: ['open', 'HDF5'],
  H5Idec_ref: ['close', 'HDF5'],
  MPI_File_set_view: ['metadata', 'MPI-IO'],
  MPI_File_set_size: ['metadata', 'MPI-IO'],
  MPI_File_open: ['open', 'MPI-IO'],
  MPI_File_close: ['close', 'MPI-IO'],
  MPI_File_read: ['read', 'MPI-IO'],
  MPI_File_write: ['write', 'MPI-IO'],
  MPI_File_write_at: ['write', 'MPI-IO'],
  MPI_File_write_at_all: ['write', 'MPI-IO'],
  MPI_File_read_at_all: ['read', 'MPI-IO'],
  MPI_File_iwrite_at: ['write', 'MPI-IO'],
  fread: ['read', 'STDIO'],
  open: ['open', 'POSIX'],
  close: ['close', 'POSIX'],
  lseek: ['seek', 'POSIX'],
  pread: ['read', 'POSIX'],
  pwrite: ['write', 'POSIX'],
  fcntl: ['lock', 'POSIX'],
} as const satisfies Readonly<Record<string, readonly [Operation, Layer]>>;
export type LayerCallName = keyof typeof CALLS;
const NAMES = Object.keys(CALLS) as LayerCallName[];

/** A call of a made-up recording; times in nanoseconds. What is left out is nothing, or unknown. */
export interface LayerRow {
  readonly call: LayerCallName;
  readonly start: number;
  readonly duration: number;
  readonly stream?: number;
  readonly file?: number;
  readonly bytes?: number;
  readonly offset?: number;
  /** Row of the call that made it. */
  readonly parent?: number;
  readonly argument?: number;
  readonly handle?: number;
  readonly collective?: boolean;
  readonly nonBlocking?: boolean;
  /** Line of `main.c` that the call stands at; it has no stack without. */
  readonly line?: number | undefined;
}

/** A call of a function that is no I/O. */
export interface FunctionRow {
  readonly name: string;
  readonly start: number;
  readonly duration: number;
  readonly stream?: number;
}

export interface LayerRecording {
  readonly ranks?: number;
  readonly hosts?: readonly string[];
  readonly functions?: readonly FunctionRow[];
  readonly files?: readonly string[];
  readonly durationNs?: number;
}

const PATHS = ['/scratch/run.h5', '/scratch/other.dat'];

export function layerTrace(rows: readonly LayerRow[], recording: LayerRecording = {}): Trace {
  const { ranks = 1, hosts = [], functions, files = PATHS } = recording;
  const streams = Array.from({ length: ranks }, (_, rank): Partial<Stream> => ({ rank, host: hosts[rank] ?? '' }));
  const trace = eventTrace(streams, files, rows.length, (event, row) => {
    const { call, start, duration, stream = 0, file = 0, bytes = 0, offset, parent, line } = rows[row]!;
    Object.assign(event, { stream, start, duration, file, bytes, call: NAMES.indexOf(call), layer: CALLS[call][1] });
    event.flags = flagsOf(rows[row]!);
    event.offset = offset ?? NaN;
    event.parent = parent ?? NONE;
    event.handle = rows[row]!.handle ?? NONE;
    event.link = parent === undefined ? 'none' : 'nesting';
    event.stack = line ?? NONE;
  });
  trace.events.update((chunk, number) => {
    for (let i = 0; i < trace.events.rowsIn(number); i++)
      chunk.argument[i] = rows[number * (CHUNK_MASK + 1) + i]!.argument ?? NaN;
  });
  const calls = new CallTable();
  for (const name of NAMES) calls.intern(name, CALLS[name][0]);
  const capabilities = { ...trace.capabilities, stacks: rows.some(({ line }) => line !== undefined) };
  const durationNs = recording.durationNs ?? trace.durationNs;
  const table = functions === undefined ? {} : { functions: functionTable(functions) };
  return { ...trace, format: 'recorder', form: FORMAT_TRAITS.recorder, calls, capabilities, durationNs, ...table };
}

function flagsOf({ collective, nonBlocking }: LayerRow): number {
  return (collective === true ? EVENT_FLAGS.collective : 0) | (nonBlocking === true ? EVENT_FLAGS.nonBlocking : 0);
}

function functionTable(rows: readonly FunctionRow[]): FunctionCallTable {
  const table = new FunctionCallTable();
  for (const { name, start, duration, stream = 0 } of rows) {
    let called = table.functions.findIndex((each) => each.name === name);
    if (called < 0)
      called = table.functions.push({ name, role: 'computation', paradigm: '', sourceFile: '', sourceLine: 0 }) - 1;
    table.duration.values[table.enter(start, stream, called)] = duration;
  }
  return table;
}

/** Stacks of such recordings have one frame each: the node's number is the line. */
export function layerSites(file = '/src/main.c'): CallSites {
  const line = (number: number): CallSites['sites'][number] => ({
    file,
    line: number,
    column: 0,
    changed: false,
    functionName: 'main',
    module: 'program',
    node: number,
    depth: 0,
  });
  return {
    sites: Array.from({ length: 100 }, (_, number) => line(number)),
    siteOfNode: Int32Array.from({ length: 100 }, (_, node) => node),
    isStartUp: new Uint8Array(100),
  };
}

/** The findings of a made-up recording, by their codes. */
export function layerFindings(trace: Trace, thresholds: Partial<Thresholds> = {}): Map<string, EstimatedInsight> {
  return new Map(layerEstimates(trace, thresholds).insights.map((insight) => [insight.code, insight]));
}

/** What the run and the findings of a made-up recording cost. */
export function layerEstimates(trace: Trace, thresholds: Partial<Thresholds> = {}, source?: string): Estimates {
  const callSites = layerSites(source);
  const all = { ...DEFAULT_THRESHOLDS, ...thresholds };
  const ignored = new Uint8Array(trace.files.length);
  const metrics = measure(trace, callSites, ignored);
  const insights = findInsights(trace, metrics, all, callSites);
  const estimated = estimateGains({ trace, callSites, metrics, ignored }, insights);
  expectSlots(estimated.insights);
  return estimated;
}

/** What the patterns look at, of a made-up recording all of whose files count. */
export function layerCallsOf(trace: Trace): LayerCalls {
  const counts = new Uint8Array(trace.files.length).fill(1);
  return gatherLayerCalls({ trace, callSites: layerSites(), counts, tinyBytes: DEFAULT_THRESHOLDS.tiny_bytes });
}
