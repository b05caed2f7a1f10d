import { ignoredFiles } from '../../../src/analysis/metrics/ignored-files.ts';
import { measure, type Metrics } from '../../../src/analysis/metrics/access-metrics.ts';
import { withLinkedLayers } from '../../../src/analysis/layers/linked-trace.ts';
import { findCallSites, type CallSites } from '../../../src/analysis/sites/call-sites.ts';
import { findInsights } from '../../../src/analysis/triggers/evaluate.ts';
import type { Insight } from '../../../src/analysis/triggers/insight.ts';
import { DEFAULT_THRESHOLDS, sizeLimits } from '../../../src/analysis/triggers/thresholds.ts';
import type { ResolvedStacks } from '../../../src/symbols/resolved-stacks.ts';
import { resolveStacks } from '../../../src/symbols/stack-resolver.ts';
import { CallStackTable } from '../../../src/trace/call-stacks.ts';
import { CallTable, LAYERS } from '../../../src/trace/calls.ts';
import { CounterTable, type CounterLog } from '../../../src/trace/counters.ts';
import { CHUNK_MASK, EventTable, NONE } from '../../../src/trace/events.ts';
import { FileTable, HandleTable } from '../../../src/trace/files.ts';
import { NameTable } from '../../../src/trace/names.ts';
import type { Stream, Trace } from '../../../src/trace/trace.ts';
import { PLAIN_SEARCH } from '../../../src/symbols/symbol-files.ts';
import { FORMAT_TRAITS } from '../../../src/readers/format-traits.ts';
import { withSlots } from '../sentences.ts';

/** A DXT segment, as the reader makes rows of it. Times in microseconds. */
export interface Segment {
  readonly rank: number;
  readonly file?: string;
  readonly layer?: 'POSIX' | 'MPI-IO';
  readonly direction?: 'read' | 'write';
  readonly offset?: number;
  readonly bytes: number;
  readonly start: number;
  readonly duration: number;
  /** Line of solver.c, with the log's own word for it. */
  readonly line?: number;
}

/** Values of a record by counter; the others are 0. */
export type CounterRecord = Readonly<Record<string, number>> & { readonly rank: number };

export const MPI_IO_COUNTERS = ['READS', 'WRITES'].flatMap((what) =>
  ['INDEP', 'COLL', 'SPLIT', 'NB'].map((kind) => `MPIIO_${kind}_${what}`),
);

/** What an analysis makes of a trace. */
export interface Analysed {
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  readonly callSites: CallSites;
  readonly metrics: Metrics;
  readonly insights: readonly Insight[];
}

/** A Darshan log made by hand, row by row: what the model holds, without a file. */
export class DarshanEvents {
  private readonly events = new EventTable();
  private readonly files = new FileTable();
  private readonly handles = new HandleTable();
  private readonly calls = new CallTable();
  private readonly stacks = new CallStackTable();
  private readonly streams: Stream[] = [];
  private readonly modules: CounterTable[] = [];
  private readonly handleOf = new Map<string, number>();
  private end = 0;

  constructor(ranks: number, hosts: readonly string[] = ['']) {
    for (let rank = 0; rank < ranks; rank++) {
      const host = hosts[Math.floor((rank * hosts.length) / ranks)]!;
      this.streams.push({ host, pid: rank, processId: rank, part: 0, rank });
    }
  }

  add(segment: Segment): this {
    const { rank, file = '/scratch/out.dat', layer = 'POSIX', direction = 'write', line } = segment;
    const fileIndex = this.files.intern('', file);
    const key = `${fileIndex} ${rank} ${layer}`;
    const handle = this.handleOf.get(key) ?? this.handles.add(fileIndex, rank);
    this.handleOf.set(key, handle);
    const row = this.events.append();
    const chunk = this.events.chunkOf(row);
    const i = row & CHUNK_MASK;
    const name = layer === 'POSIX' ? direction : `MPI_File_${direction}`;
    chunk.start[i] = segment.start * 1000;
    chunk.duration[i] = segment.duration * 1000;
    chunk.offset[i] = segment.offset ?? NaN;
    chunk.bytes[i] = segment.bytes;
    chunk.requested[i] = segment.bytes;
    chunk.file[i] = fileIndex;
    chunk.handle[i] = handle;
    chunk.stack[i] = line === undefined ? NONE : this.node(line);
    chunk.parent[i] = NONE;
    chunk.argument[i] = NaN;
    chunk.stream[i] = rank;
    chunk.line[i] = row + 1;
    chunk.call[i] = this.calls.intern(name, direction);
    chunk.layer[i] = LAYERS.indexOf(layer);
    this.end = Math.max(this.end, segment.start + segment.duration);
    return this;
  }

  private node(line: number): number {
    const frame = { module: 'solver', value: line, symbol: '', symbolOffset: 0, sourceFile: '/w/solver.c' };
    this.stacks.moduleForms.set(this.stacks.modules.intern('solver'), 'address');
    return this.stacks.internNode(NONE, this.stacks.internFrame({ ...frame, sourceLine: line }));
  }

  /** A module of counters on one file. */
  module(
    name: string,
    counters: readonly string[],
    records: readonly CounterRecord[],
    file = '/scratch/out.dat',
  ): this {
    const table = new CounterTable(name, 1, counters, false);
    const index = this.files.intern('', file);
    for (const record of records) {
      table.add(
        1n,
        record.rank,
        index,
        counters.map((counter) => record[counter] ?? 0),
      );
    }
    table.trim();
    this.modules.push(table);
    return this;
  }

  trace(): Trace {
    this.events.trim();
    const counters: CounterLog = {
      job: {
        command: './solver',
        userId: '1',
        jobId: '1',
        startTime: 0,
        endTime: 1,
        runTime: this.end / 1e6,
        processes: this.streams.length,
        logVersion: '3.41',
        compression: 'zlib',
        metadata: [],
        mounts: [],
      },
      regions: [],
      modules: this.modules,
      layouts: [],
      heatmaps: [],
      segments: [],
    };
    const { events, files, handles, calls, stacks, streams } = this;
    return {
      format: 'darshan',
      form: FORMAT_TRAITS.darshan,
      version: '3.41',
      program: './solver',
      startTime: 0,
      durationNs: this.end * 1000,
      parts: [{ name: 'solver.darshan', path: '/w/solver.darshan', commandId: '', host: '', launchId: '', run: '' }],
      streams,
      files,
      handles,
      calls,
      errors: new NameTable(['']),
      events,
      stacks,
      capabilities: { time: true, duration: true, stacks: stacks.nodes > 0, paths: true },
      damage: [],
      notes: [],
      counters,
    };
  }

  async analysed(): Promise<Analysed> {
    const trace = withLinkedLayers(this.trace());
    const nothing = { open: () => Promise.resolve(undefined), modified: () => Promise.resolve(undefined) };
    const lookup = {
      tool: 'none',
      open: () => Promise.reject(new Error('nothing is looked up')),
      demangle: (names: readonly string[]) => Promise.resolve([...names]),
    };
    const resolved = await resolveStacks(trace, nothing, PLAIN_SEARCH, lookup);
    const callSites = findCallSites(trace, resolved, 'line', () => true);
    const metrics = measure(trace, callSites, ignoredFiles(trace.files), sizeLimits(DEFAULT_THRESHOLDS));
    return {
      trace,
      resolved,
      callSites,
      metrics,
      insights: withSlots(findInsights(trace, metrics, DEFAULT_THRESHOLDS, callSites)),
    };
  }
}
