/** Dumps of the Lustre Monitoring Tool: what servers did between samples. */
import type { RecordingFile } from '../../trace/byte-source.ts';
import type { Row } from '../schema/tables.ts';
import { readObjects, rowsOf, type LmtObjects, type LmtTarget } from './lmt-objects.ts';
import type { LmtTable } from './lmt-tables.ts';
import { LoadSeries, type LoadSample } from './load-series.ts';
import { OperationSums } from './operation-sums.ts';

/** Rows that the storage targets of a dump become at most; above, samples are joined two by two. */
const MOST_ROWS = 1 << 20;
/** Loads of servers that are kept; the rest has what stands beside the targets' counters, or none. */
const MOST_LOADS = 1 << 21;
/** Rows of a dump between two looks at whether it is still wanted. */
const ROWS_AT_ONCE = 8192;

type LoadRow = Omit<Row<'server_load'>, 'log'>;

export interface ServerLoad {
  readonly rows: LoadRow[];
  /** What was lost, in words. */
  readonly damage: readonly string[];
}

/**
 * @param mostRows bound of the rows of storage targets.
 * @throws Error in words for the user when a table cannot be read.
 */
export async function readLmt(
  tables: ReadonlyMap<LmtTable, RecordingFile>,
  signal?: AbortSignal,
  mostRows = MOST_ROWS,
): Promise<ServerLoad> {
  return new LmtReader(tables, await readObjects(tables), mostRows, signal).read();
}

class LmtReader {
  private readonly leftOut = { unknownMoment: 0, notLater: 0, unknownTarget: 0 };
  private rowsRead = 0;

  constructor(
    private readonly tables: ReadonlyMap<LmtTable, RecordingFile>,
    private readonly objects: LmtObjects,
    private readonly mostRows: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async read(): Promise<ServerLoad> {
    const { storageTargets, metadataTargets } = this.objects;
    const storage = await this.storage();
    const metadata = await this.metadata();
    const rows = [
      ...this.loadRows(storage.samples, storageTargets, 'OST'),
      ...this.loadRows(metadata, metadataTargets, 'MDT'),
    ];
    return { rows, damage: this.damage(storage.joined) };
  }

  private async storage(): Promise<{ samples: Map<string, LoadSample[]>; joined: number }> {
    const loads = await this.loads('OSS_DATA', 'OSS_ID');
    const targets = new Map<string, LoadSeries>();
    let [kept, joined] = [0, 1];
    const columns = ['OST_ID', 'TS_ID', 'READ_BYTES', 'WRITE_BYTES', 'PCT_CPU'];
    for await (const [id, moment, read, written, load] of rowsOf(this.tables, 'OST_DATA', columns)) {
      const at = this.momentOf(moment);
      if (id === undefined || at === undefined) continue;
      const server = this.objects.storageTargets.get(id)?.serverId;
      const cpuPercent = loads.get(`${server} ${moment}`) ?? numberOf(load);
      const sample = { at, bytesRead: numberOf(read), bytesWritten: numberOf(written), operations: null, cpuPercent };
      const series = targets.get(id) ?? new LoadSeries();
      targets.set(id, series);
      const before = series.samples.length;
      if (!series.add(sample)) this.leftOut.notLater++;
      kept += series.samples.length - before;
      if (kept <= this.mostRows) continue;
      for (const each of targets.values()) each.halve();
      kept = [...targets.values()].reduce((sum, { samples }) => sum + samples.length, 0);
      joined *= 2;
    }
    return { samples: new Map([...targets].map(([id, { samples }]) => [id, samples])), joined };
  }

  private async metadata(): Promise<Map<string, LoadSample[]>> {
    const loads = await this.loads('MDS_DATA', 'MDS_ID');
    const sums = new OperationSums();
    const momentIds = new Map<number, string>();
    const columns = ['MDS_ID', 'OPERATION_ID', 'TS_ID', 'SAMPLES'];
    for await (const [id, operation = '', moment, count] of rowsOf(this.tables, 'MDS_OPS_DATA', columns)) {
      const at = this.momentOf(moment);
      if (id === undefined || at === undefined) continue;
      momentIds.set(at, moment!);
      if (!sums.add(id, operation, at, numberOf(count))) this.leftOut.notLater++;
    }
    return sums.samples((id, at) => loads.get(`${id} ${momentIds.get(at)}`) ?? null);
  }

  /** Loads of servers in percent, by number of the server and of the moment. */
  private async loads(table: LmtTable, server: string): Promise<ReadonlyMap<string, number>> {
    const loads = new Map<string, number>();
    for await (const [id, moment, load] of rowsOf(this.tables, table, [server, 'TS_ID', 'PCT_CPU'])) {
      const percent = numberOf(load);
      if (percent !== null) loads.set(`${id} ${moment}`, percent);
      if (loads.size === MOST_LOADS) break;
    }
    return loads;
  }

  private momentOf(id: string | undefined): number | undefined {
    if (++this.rowsRead % ROWS_AT_ONCE === 0) this.signal?.throwIfAborted();
    const at = id === undefined ? undefined : this.objects.moments.get(id);
    if (at === undefined) this.leftOut.unknownMoment++;
    return at;
  }

  private *loadRows(
    series: ReadonlyMap<string, readonly LoadSample[]>,
    targets: ReadonlyMap<string, LmtTarget>,
    target_kind: 'OST' | 'MDT',
  ): Generator<LoadRow> {
    for (const [id, samples] of series) {
      const target = targets.get(id);
      if (target === undefined) this.leftOut.unknownTarget += samples.length;
      for (const sample of samples) {
        yield {
          file_system: target?.fileSystem ?? null,
          server: target?.server ?? null,
          target: target?.name ?? null,
          target_kind,
          target_index: target?.index ?? null,
          start_time: sample.start,
          end_time: sample.end,
          seconds: sample.end - sample.start,
          bytes_read: sample.bytesRead,
          bytes_written: sample.bytesWritten,
          operations: sample.operations,
          cpu_percent: sample.cpuPercent,
        };
      }
    }
  }

  private damage(joined: number): string[] {
    const { unknownMoment, notLater, unknownTarget } = this.leftOut;
    const damage: string[] = [];
    if (unknownMoment > 0)
      damage.push(`${unknownMoment} rows of a moment that TIMESTAMP_INFO does not hold are left out`);
    if (notLater > 0) damage.push(`${notLater} rows that are not later than those before them are left out`);
    if (unknownTarget > 0)
      damage.push(`${unknownTarget} intervals are of targets that OST_INFO or MDS_INFO do not hold`);
    if (joined > 1)
      damage.push(`too many samples: ${joined} at a time are joined to one (give dumps of shorter times)`);
    return damage;
  }
}

/** @returns null for what is no number. */
function numberOf(text: string | undefined): number | null {
  const value = text === undefined ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}
