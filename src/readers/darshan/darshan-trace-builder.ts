import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable } from '../../trace/calls.ts';
import {
  CounterTable,
  type CounterLog,
  type FileLayout,
  type Heatmap,
  type Job,
  type LogRegion,
  type SegmentSums,
} from '../../trace/counters.ts';
import { DamageLog } from '../../trace/damage.ts';
import { EventTable, NONE } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { NameTable } from '../../trace/names.ts';
import type { ReadOptions, Stream, Trace } from '../../trace/trace.ts';
import { emptyImpossibleBins, replaceImpossible } from './counter-bounds.ts';
import { layoutOf } from './module-layouts.ts';
import { RecordedStacks, readLineTable } from './recorded-stacks.ts';
import { SegmentRows } from './segment-rows.ts';
import { DARSHAN_TRAITS } from './traits.ts';

/** Names that belong to Darshan itself, not to a file. */
const INTERNAL_NAME = /^(heatmap:|darshan-)/;

/**
 * Identifiers are hashes of names (`darshan_core_gen_record_id`), so that those of the standard streams are known, and
 * tell them where an anonymised log has another name for them, or none.
 */
const STANDARD_STREAMS: readonly (readonly [recordId: bigint, name: string])[] = [
  [0xcc7a12a8f35a0099n, '<STDIN>'],
  [0xdcefd8e1e1999787n, '<STDOUT>'],
  [0x6473749c774423afn, '<STDERR>'],
];

/** Gathers what the readers of Darshan's logs and of its tools' texts find, and makes a trace of it. */
export class DarshanTraceBuilder {
  readonly streams: Stream[] = [];
  readonly files: FileTable;
  readonly handles = new HandleTable();
  readonly calls = new CallTable();
  readonly events: EventTable;
  readonly stacks = new CallStackTable();
  readonly damage = new DamageLog();
  readonly notes: string[] = [];
  readonly regions: LogRegion[] = [];
  readonly layouts: FileLayout[] = [];
  readonly heatmaps: Heatmap[] = [];
  /** Hosts of the processes, by rank. */
  readonly hosts = new Map<number, string>();
  /** Stacks of the segments; what it gives for one is what `SegmentRows.add` takes. */
  readonly recordedStacks = new RecordedStacks();
  private lineTables: CounterLog['lineTables'];
  private readonly segments = new Map<SegmentSums['module'], SegmentRows>();
  /** Which of the recording's files is read: its processes are streams of their own. */
  part = 0;
  private readonly streamIndices = new Map<string, number>();
  private readonly modules: CounterTable[] = [];
  /** A record's name as long as nothing uses it, then its index in `files`. */
  private readonly names = new Map<bigint, string | number>(STANDARD_STREAMS);

  /** @param file the recording's file: its name and whole path. */
  constructor(
    private readonly file: { readonly name: string; readonly path: string },
    options: ReadOptions,
  ) {
    this.files = new FileTable(options.sharedPaths);
    this.events = new EventTable(options.chunkStore);
  }

  /** The name of a record; the first one that is not empty counts. Names come before what uses them. */
  addName(recordId: bigint, name: string): void {
    if (name !== '' && !this.names.has(recordId)) this.names.set(recordId, name);
  }

  get namesKnown(): number {
    return this.names.size;
  }

  /** Name of a record, '' when the log does not hold it. */
  nameOf(recordId: bigint): string {
    const known = this.names.get(recordId);
    return typeof known === 'number' ? this.files.at(known).path : (known ?? '');
  }

  /** The file that a record belongs to; NONE when it has no name, or one of Darshan's own. */
  fileOf(recordId: bigint): number {
    const known = this.names.get(recordId);
    if (typeof known === 'number') return known;
    if (known === undefined || INTERNAL_NAME.test(known)) return NONE;
    const file = this.files.intern('', known);
    this.names.set(recordId, file);
    return file;
  }

  /**
   * The table of a module's records, with the counters of the module's current version or those given.
   * @throws RangeError when no counters are given and the module is not known.
   */
  addTable(
    module: string,
    version: number,
    incomplete: boolean,
    counters = layoutOf(module, version)?.counters,
  ): CounterTable {
    if (counters === undefined) throw new RangeError(`no counters are known of ${module}`);
    const table = new CounterTable(module, version, counters, incomplete);
    this.modules.push(table);
    return table;
  }

  /** Takes a table back: what was read into it was no records. */
  dropTable(table: CounterTable): void {
    this.modules.splice(this.modules.indexOf(table), 1);
  }

  /** Where segments of a module of DXT go. */
  segmentsOf(module: SegmentSums['module']): SegmentRows {
    let rows = this.segments.get(module);
    if (rows === undefined) {
      rows = new SegmentRows(module, this);
      this.segments.set(module, rows);
    }
    return rows;
  }

  /** Index of the stream of a process. */
  streamOf(rank: number, host: string): number {
    if (host !== '' && !this.hosts.has(rank)) this.hosts.set(rank, host);
    const { part } = this;
    const key = `${part} ${rank}`;
    let stream = this.streamIndices.get(key);
    if (stream === undefined) {
      stream = this.streams.push({ host, pid: rank, processId: rank, part, rank }) - 1;
      this.streamIndices.set(key, stream);
    }
    return stream;
  }

  /** The texts that the variant with call stacks holds of addresses: lines of `0xADDRESS, FILE:LINE`. */
  setLineTables(posix: string, mpiIo: string): void {
    this.lineTables = { POSIX: readLineTable(posix), 'MPI-IO': readLineTable(mpiIo) };
  }

  build(job: Job): Trace {
    this.events.trim();
    const lines = new Map([...(this.lineTables?.POSIX ?? []), ...(this.lineTables?.['MPI-IO'] ?? [])]);
    const executable = job.command.split(' ', 1)[0]!;
    const hasStacks = this.recordedStacks.resolve(this.stacks, this.events, executable, lines);
    this.finish(this.modules);
    emptyImpossibleBins(this.heatmaps, this.file.name, this.damage);
    const hasEvents = this.events.length > 0;
    return {
      format: 'darshan',
      form: DARSHAN_TRAITS,
      version: job.logVersion,
      program: job.command,
      startTime: job.startTime > 0 ? job.startTime : null,
      durationNs: Number.isNaN(job.runTime) ? this.latest() : Math.round(job.runTime * 1e9),
      parts: [{ ...this.file, commandId: '', host: '', launchId: '', run: '' }],
      streams: this.streams,
      files: this.files,
      handles: this.handles,
      calls: this.calls,
      errors: new NameTable(['']),
      events: this.events,
      stacks: this.stacks,
      capabilities: { time: hasEvents, duration: hasEvents, stacks: hasStacks, paths: true },
      damage: this.damage.list(),
      notes: this.notes,
      counters: this.counterLog(job),
    };
  }

  /** Ends the reading of tables: what can be no value is taken out of them, and reported. */
  finish(tables: readonly CounterTable[]): void {
    for (const table of tables) {
      table.trim();
      replaceImpossible(table, this.file.name, this.damage);
    }
  }

  /** End of the last segment: how long a job ran that was killed. */
  private latest(): number {
    return [...this.segments.values()].reduce((latest, rows) => Math.max(latest, rows.latest), 0);
  }

  private counterLog(job: Job): CounterLog {
    const { regions, modules, layouts, heatmaps, hosts, lineTables } = this;
    const segments = [...this.segments.values()].map(({ sums }) => sums);
    return { job, regions, modules, layouts, heatmaps, hosts, segments, ...(lineTables && { lineTables }) };
  }
}
