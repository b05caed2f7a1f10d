import type { RecordingFile } from '../../trace/byte-source.ts';
import type { LogRegion, SegmentSums } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import { UnreadableRecordingError, type ReadOptions, type Trace } from '../../trace/trace.ts';
import { readCounterRecords } from './counter-records.ts';
import { DarshanLog, requireSomething } from './darshan-log.ts';
import { DarshanTraceBuilder } from './darshan-trace-builder.ts';
import { readSegments, segmentBytes, STACK_SEGMENT_BYTES } from './dxt-records.ts';
import { readHeatmaps } from './heatmap-records.ts';
import { byteOrder, type ModuleRegion } from './log-header.ts';
import { readLayouts } from './lustre-records.ts';
import { layoutOf } from './module-layouts.ts';
import { readMpiRecords } from './mpi-records.ts';
import { readNames } from './name-records.ts';
import type { RegionReader } from './region-reader.ts';

/** Different names of records; more is damage. */
const MOST_NAMES = 20_000_000;

/** Newest known versions of the modules whose records are no rows of numbers. */
const NEWEST_OF_SPECIAL: Readonly<Record<string, number>> = {
  LUSTRE: 2,
  HEATMAP: 1,
  APMPI: 1,
  DXT_POSIX: 2,
  DXT_MPIIO: 3,
};

/** Whether a file begins like a Darshan log. */
export function looksLikeDarshan(head: Uint8Array): boolean {
  return byteOrder(head) !== undefined;
}

/**
 * Reads a Darshan log. Damage is reported and passed over; what is sound is kept.
 *
 * @throws UnreadableRecordingError when it is no log whose structure is known, or more than one file is given.
 * @throws the signal's reason when reading is aborted.
 */
export async function readDarshan(files: readonly RecordingFile[], options: ReadOptions = {}): Promise<Trace> {
  const [file] = files;
  if (file === undefined || files.length > 1) {
    const names = files.slice(0, 3).map(({ name }) => name);
    const list = files.length > 3 ? `${names.join(', ')}, …` : names.join(', ');
    throw new UnreadableRecordingError(
      `${files.length} Darshan logs (${list}): each log is a recording of its own; open them one by one`,
    );
  }
  const source = await file.openAt();
  try {
    const builder = new DarshanTraceBuilder(file, options);
    const log = await DarshanLog.open(source, file.name, builder.damage);
    await new LogReader(log, builder, file.name, options).read();
    return builder.build(log.job);
  } finally {
    await source.close();
  }
}

/** Goes over the regions of a log. */
class LogReader {
  private done = 0;
  private readonly total: number;

  constructor(
    private readonly log: DarshanLog,
    private readonly builder: DarshanTraceBuilder,
    private readonly where: string,
    private readonly options: ReadOptions,
  ) {
    this.total = log.names.length + log.modules.reduce((sum, { length }) => sum + length, 0);
  }

  async read(): Promise<void> {
    const { log, builder } = this;
    if (log.header.isUnknown) {
      builder.notes.push(
        `version ${log.header.version} of the log format is not known; it is read like the newest known`,
      );
    }
    builder.regions.push(...this.regionsOfLog());
    if (log.lineTables !== undefined) builder.setLineTables(...log.lineTables);
    await this.readNames();
    for (const region of log.modules) {
      this.options.signal?.throwIfAborted();
      await this.readModule(region);
      this.progress(region.length);
    }
    requireSomething(log, this.where);
  }

  private regionsOfLog(): LogRegion[] {
    const { jobRegion, names } = this.log;
    const plain = (name: string, bytes: number): LogRegion => {
      return { name, bytes, version: 0, incomplete: false, known: true };
    };
    const modules = this.log.modules.map(({ name, length, version, incomplete }) => {
      return { name, bytes: length, version, incomplete, known: isKnown(name) };
    });
    return [plain('job data', jobRegion.length), plain('record table', names.length), ...modules];
  }

  private async readNames(): Promise<void> {
    const { log, builder } = this;
    if (log.names.length === 0) return;
    const reader = log.read(log.names);
    const problem = await readNames(reader, log.header.minor, (id, name) => {
      if (builder.namesKnown < MOST_NAMES) builder.addName(id, name);
    });
    const tooMany = builder.namesKnown === MOST_NAMES ? `more than ${MOST_NAMES} names` : '';
    await this.finish(reader, 'record table', problem === '' ? tooMany : problem, 'names of files');
    this.progress(log.names.length);
  }

  private async readModule(region: ModuleRegion): Promise<void> {
    const { name, version } = region;
    const special = this.special[name];
    if (special !== undefined) {
      const reader = this.log.read(region);
      await this.finish(reader, name, await special(reader, region), 'the records behind it');
      const newest = NEWEST_OF_SPECIAL[name]!;
      if (version > newest) this.builder.notes.push(`version ${version} of ${name} is read like version ${newest}`);
    } else if (layoutOf(name, version) !== undefined) await this.readCounters(region);
    else this.builder.notes.push(`the module ${name} (version ${version}) is not known and was passed over`);
  }

  /** Readers of the modules whose records are no rows of numbers; they return what is wrong with a region. */
  private readonly special: Readonly<Record<string, (reader: RegionReader, region: ModuleRegion) => Promise<string>>> =
    {
      LUSTRE: (reader, { version }) =>
        readLayouts(reader, version, (layout) => {
          this.builder.layouts.push({ ...layout, file: this.builder.fileOf(layout.recordId) });
        }),
      HEATMAP: (reader) =>
        readHeatmaps(reader, (recordId, heatmap) => {
          const api = this.builder.nameOf(recordId).replace(/^heatmap:/, '');
          this.builder.heatmaps.push({ ...heatmap, api });
        }),
      APMPI: (reader, { name, version, incomplete }) =>
        readMpiRecords(reader, {
          begin: (counters) => {
            const table = this.builder.addTable(name, version, incomplete, counters);
            return {
              add: (id, rank, values) => {
                table.add(id, rank, NONE, values);
              },
            };
          },
          host: (rank, host) => {
            if (!this.builder.hosts.has(rank)) this.builder.hosts.set(rank, host);
          },
        }),
      DXT_POSIX: (reader, region) => this.readSegments('DXT_POSIX', reader, region),
      DXT_MPIIO: (reader, region) => this.readSegments('DXT_MPIIO', reader, region),
    };

  private readSegments(
    module: SegmentSums['module'],
    reader: RegionReader,
    { version }: ModuleRegion,
  ): Promise<string> {
    const { builder, log } = this;
    const rows = builder.segmentsOf(module);
    let process = 0;
    const usual = log.lineTables === undefined ? segmentBytes(module, version) : STACK_SEGMENT_BYTES;
    return readSegments(reader, usual, module === 'DXT_POSIX' || version > 1, {
      begin: (recordId, rank, host) => {
        process = rank;
        rows.begin(builder.fileOf(recordId), rank, host);
      },
      add: (isWrite, offset, bytes, start, end, stack) => {
        rows.add(isWrite, offset, bytes, start, end, stack);
      },
      stackOf: (frames, count) => builder.recordedStacks.intern(process, frames, count),
      end: () => {
        rows.end();
      },
    });
  }

  private async readCounters(region: ModuleRegion): Promise<void> {
    const { builder } = this;
    const layout = layoutOf(region.name, region.version)!;
    const table = builder.addTable(region.name, region.version, region.incomplete);
    const reader = this.log.read(region);
    const { problem, leftOut } = await readCounterRecords(reader, layout, {
      add: (id, rank, values) => {
        if (region.name === 'DAOS') builder.addName(id, objectName(reader));
        table.add(id, rank, builder.fileOf(id), values);
      },
    });
    if (leftOut > 0) {
      builder.notes.push(`${leftOut} records of POSIX are left out: in version 1 they count calls of stdio`);
    }
    if (layout.isGuess && problem !== '') {
      builder.dropTable(table);
      const what = `version ${region.version} of the module is not known, and its records are not those of the newest known`;
      await reader.close();
      builder.damage.add('region', `${this.where}, ${region.name}`, what, 'the whole region');
      return;
    }
    if (layout.isGuess) builder.notes.push(`version ${region.version} of ${region.name} is read like the newest known`);
    await this.finish(reader, region.name, problem, 'the records behind it');
  }

  /** Reports what was wrong with a region, and gives up what is left of it. */
  private async finish(reader: RegionReader, name: string, problem: string, lost: string): Promise<void> {
    await reader.close();
    const cause = reader.failure?.message ?? problem;
    if (cause === '') return;
    this.builder.damage.add('region', `${this.where}, ${name}, unpacked byte ${reader.position}`, cause, lost);
  }

  private progress(bytes: number): void {
    this.done += bytes;
    this.options.progress?.(this.total === 0 ? 1 : this.done / this.total);
  }
}

/** Objects of DAOS have no names; darshan-parser prints their two numbers, which end the record. */
function objectName(reader: RegionReader): string {
  const end = reader.at + layoutOf('DAOS', 1)!.bytes;
  return `${reader.uint64(end - 16)}.${reader.uint64(end - 8)}`;
}

function isKnown(module: string): boolean {
  return NEWEST_OF_SPECIAL[module] !== undefined || layoutOf(module, 0) !== undefined;
}
