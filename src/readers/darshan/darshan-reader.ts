import type { RecordingFile } from '../../trace/byte-source.ts';
import { isIdentifier, type LogRegion, type SegmentSums } from '../../trace/counters.ts';
import { NONE } from '../../trace/events.ts';
import { UnreadableRecordingError, type ReadOptions, type Trace } from '../../trace/trace.ts';
import { readCounterRecords } from './counter-records.ts';
import { DarshanLog, requireSomething } from './darshan-log.ts';
import { DarshanTraceBuilder } from './darshan-trace-builder.ts';
import { readSegments, segmentBytes, STACK_SEGMENT_BYTES } from './dxt-records.ts';
import { readHeatmaps } from './heatmap-records.ts';
import { byteOrder, type ModuleRegion, type Region } from './log-header.ts';
import { readLayouts } from './lustre-records.ts';
import { layoutOf } from './module-layouts.ts';
import { readMpiRecords } from './mpi-records.ts';
import { readNames } from './name-records.ts';
import type { RegionReader } from './region-reader.ts';

/** Different names of records, and characters of all names; more is damage. */
const MOST_NAMES = 20_000_000;
const MOST_CHARACTERS = 2 ** 30;

/** Newest known versions of the modules whose records are no rows of numbers. */
const NEWEST_OF_SPECIAL: Readonly<Record<string, number>> = {
  LUSTRE: 2,
  HEATMAP: 1,
  APMPI: 1,
  DXT_POSIX: 2,
  DXT_MPIIO: 3,
};

const UNKNOWN_LAYOUT = 'the version of the module is not known, and its records are not those of the newest known one';

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
    this.total = log.map.names.length + log.map.modules.reduce((sum, { length }) => sum + length, 0);
  }

  async read(): Promise<void> {
    const { log, builder } = this;
    if (log.header.isUnknown) {
      builder.notes.push(
        `version ${log.header.version} of the log format is not known; it is read like the newest known`,
      );
    }
    builder.regions.push(...this.regionsOfLog());
    const incomplete = log.map.modules.filter((region) => region.incomplete).map(({ name }) => name);
    if (incomplete.length > 0) {
      const how = 'raise MODMEM or the limit MAX_RECORDS of Darshan (DARSHAN_MODMEM, DARSHAN_CONFIG_PATH)';
      builder.notes.push(`Darshan ran out of memory for ${incomplete.join(', ')}: records are missing; ${how}`);
    }
    if (log.map.lineTables !== undefined) builder.setLineTables(...log.map.lineTables);
    await this.readNames();
    for (const region of log.map.modules) {
      await this.readModule(region);
      this.progress(region.length);
    }
    requireSomething(log, this.where);
  }

  private regionsOfLog(): LogRegion[] {
    const { jobRegion, names } = this.log.map;
    const plain = (name: string, bytes: number): LogRegion => {
      return { name, bytes, version: 0, incomplete: false, known: true };
    };
    const modules = this.log.map.modules.map(({ name, length, version, incomplete }) => {
      return { name, bytes: length, version, incomplete, known: isKnown(name) };
    });
    return [plain('job data', jobRegion.length), plain('record table', names.length), ...modules];
  }

  private async readNames(): Promise<void> {
    const { log, builder } = this;
    if (log.map.names.length === 0) return;
    let characters = 0;
    await this.readRegion(log.map.names, 'record table', 'names of files', async (reader) => {
      const problem = await readNames(reader, log.header.minor, (id, name) => {
        characters += name.length;
        if (builder.namesKnown < MOST_NAMES && characters < MOST_CHARACTERS) builder.addName(id, name);
      });
      const tooMany = builder.namesKnown >= MOST_NAMES || characters >= MOST_CHARACTERS;
      return problem === '' && tooMany ? `more than ${MOST_NAMES} names, or of ${MOST_CHARACTERS} characters` : problem;
    });
    this.progress(log.map.names.length);
  }

  private async readModule(region: ModuleRegion): Promise<void> {
    const { name, version } = region;
    const special = this.special[name];
    if (special !== undefined) {
      const newest = NEWEST_OF_SPECIAL[name]!;
      // The first record of APMPI is unlike the others: what follows damage cannot be told apart.
      const goesOn = name !== 'APMPI';
      await this.readRegion(region, name, 'the records behind it', (reader) => special(reader, region), goesOn);
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
              add: (id, rank, values) => table.add(id, rank, NONE, values),
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
    const usual = log.map.lineTables === undefined ? segmentBytes(module, version) : STACK_SEGMENT_BYTES;
    const hasOffsets = module === 'DXT_POSIX' || version > 1;
    return readSegments(reader, usual, hasOffsets, builder.segmentsOf(module), {
      fileOf: (recordId) => builder.fileOf(recordId),
      stackOf: (rank, frames, count) => builder.recordedStacks.intern(rank, frames, count),
      report: (what, lost) => builder.damage.add('region', `${this.where}, ${module}`, what, lost),
    });
  }

  private async readCounters(region: ModuleRegion): Promise<void> {
    const { builder } = this;
    const layout = layoutOf(region.name, region.version)!;
    const table = builder.addTable(region.name, region.version, region.incomplete);
    const identifiers = layout.counters.flatMap((counter, column) => {
      const place = layout.at[column]!;
      return isIdentifier(counter) && place >= 0 ? [{ counter, column, place }] : [];
    });
    const found = { leftOut: 0, guessIsWrong: false };
    await this.readRegion(region, region.name, 'the records behind it', async (reader) => {
      const reading = await readCounterRecords(reader, layout, {
        add: (id, rank, values) => {
          if (region.name === 'DAOS') builder.addName(id, objectName(reader));
          table.add(id, rank, builder.fileOf(id), values);
          for (const { counter, column, place } of identifiers)
            if (values[column] !== 0) table.addIdentifier(counter, reader.uint64(reader.at + place));
        },
      });
      found.leftOut += reading.leftOut;
      found.guessIsWrong ||= layout.isGuess && reading.problem !== '';
      return found.guessIsWrong ? UNKNOWN_LAYOUT : reading.problem;
    });
    if (found.leftOut > 0) {
      builder.notes.push(`${found.leftOut} records of POSIX are left out: in version 1 they count calls of stdio`);
    }
    if (found.guessIsWrong) builder.dropTable(table);
    else if (layout.isGuess)
      builder.notes.push(`version ${region.version} of ${region.name} is read like the newest known`);
  }

  /**
   * Reads a region and reports what is wrong with it. Behind a damaged stream reading goes on with the next sound one:
   * processes pack their records each for itself, so that a record never lies across two streams.
   *
   * @param read returns what is wrong; '' when nothing.
   */
  private async readRegion(
    region: Region,
    name: string,
    lost: string,
    read: (reader: RegionReader) => Promise<string>,
    goesOn = true,
  ): Promise<void> {
    const end = region.offset + region.length;
    for (let from: number | undefined = region.offset; from !== undefined && from < end;) {
      const reader = this.log.read({ offset: from, length: end - from }, () => this.options.signal?.throwIfAborted());
      let problem;
      try {
        problem = await read(reader);
      } finally {
        await reader.close();
      }
      const next: number | undefined = goesOn ? reader.failure?.next : undefined;
      const cause = reader.failure?.message ?? problem;
      if (cause !== '') {
        const where = `${this.where}, ${name}, byte ${reader.position} of what was packed from byte ${from} on`;
        const rest = next === undefined ? lost : `what stands between there and byte ${next} of the log`;
        this.builder.damage.add('region', where, cause, rest);
      }
      from = next;
    }
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
