import type { RecordingFile } from '../../trace/byte-source.ts';
import type { LogRegion } from '../../trace/counters.ts';
import { UnreadableRecordingError, type ReadOptions, type Trace } from '../../trace/trace.ts';
import { readCounterRecords } from './counter-records.ts';
import { DarshanLog, requireSomething } from './darshan-log.ts';
import { DarshanTraceBuilder } from './darshan-trace-builder.ts';
import { byteOrder, type ModuleRegion } from './log-header.ts';
import { layoutOf } from './module-layouts.ts';
import { readNames } from './name-records.ts';
import type { RegionReader } from './region-reader.ts';

/** Different names of records; more is damage. */
const MOST_NAMES = 20_000_000;

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
    if (layoutOf(region.name, region.version) !== undefined) await this.readCounters(region);
    else
      this.builder.notes.push(`the module ${region.name} (version ${region.version}) is not known and was passed over`);
  }

  private async readCounters(region: ModuleRegion): Promise<void> {
    const { builder } = this;
    const layout = layoutOf(region.name, region.version)!;
    const table = builder.addTable(region.name, region.version, region.incomplete);
    const reader = this.log.read(region);
    const { problem, leftOut } = await readCounterRecords(reader, layout, {
      add: (id, rank, values) => {
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

function isKnown(module: string): boolean {
  return layoutOf(module, 0) !== undefined;
}
