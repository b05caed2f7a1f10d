/** Dumps of the Lustre Monitoring Tool: what servers did between samples. */
import type { RecordingFile } from '../../trace/byte-source.ts';
import type { Row } from '../schema/tables.ts';
import { forEachRow, readObjects, type LmtObjects, type LmtTarget } from './lmt-objects.ts';
import type { LmtTable } from './lmt-tables.ts';
import { loadRow, MOST_ROWS, type ServerLoad } from './load-rows.ts';
import type { LoadSample } from './load-sample.ts';
import { LoadSeries } from './load-series.ts';
import { OperationSums } from './operation-sums.ts';

/** Loads of servers that are kept; the rest has what stands beside the targets' counters, or none. */
const MOST_LOADS = 1 << 19;
const UNKNOWN_TARGET = { fileSystem: null, server: null, name: null, index: null };
/** Rows of a dump between two looks at whether it is still wanted. */
const ROWS_AT_ONCE = 8192;

/**
 * @param log key of the dump's content.
 * @param mostRows bound of the rows of storage targets.
 * @throws Error in words for the user when a table cannot be read.
 */
export async function readLmt(
  tables: ReadonlyMap<LmtTable, RecordingFile>,
  log: string,
  signal?: AbortSignal,
  mostRows = MOST_ROWS,
): Promise<ServerLoad> {
  return new LmtReader(tables, log, await readObjects(tables), mostRows, signal).read();
}

class LmtReader {
  private readonly leftOut = { unknownMoment: 0, notLater: 0, unknownTarget: 0 };
  private rowsRead = 0;

  constructor(
    private readonly tables: ReadonlyMap<LmtTable, RecordingFile>,
    private readonly log: string,
    private readonly objects: LmtObjects,
    private readonly mostRows: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async read(): Promise<ServerLoad> {
    const { storageTargets, metadataTargets } = this.objects;
    const storage = await this.storage();
    const metadata = await this.metadata();
    const rows: Row<'server_load'>[] = [];
    this.addRows(rows, storage.samples, storageTargets, 'OST');
    this.addRows(rows, metadata, metadataTargets, 'MDT');
    return { rows, damage: this.damage(storage.joined) };
  }

  private async storage(): Promise<{ samples: Map<string, LoadSample[]>; joined: number }> {
    const loads = await this.loads('OSS_DATA', 'OSS_ID');
    const targets = new Map<string, LoadSeries>();
    let [kept, joined] = [0, 1];
    const columns = ['OST_ID', 'TS_ID', 'READ_BYTES', 'WRITE_BYTES', 'PCT_CPU', 'KBYTES_USED'];
    await forEachRow(this.tables, 'OST_DATA', columns, ([id, moment, read, written, load, used]) => {
      const at = this.momentOf(moment);
      if (id === undefined || at === undefined) return;
      const server = this.objects.storageTargets.get(id)?.serverId ?? '';
      const cpuPercent = loads.get(server)?.get(at) ?? numberOf(load);
      const sample = { at, bytesRead: numberOf(read), bytesWritten: numberOf(written), cpuPercent };
      const series = targets.get(id) ?? new LoadSeries();
      targets.set(id, series);
      const before = series.samples.length;
      if (!series.add({ ...sample, bytesUsed: bytesOf(used) })) this.leftOut.notLater++;
      kept += series.samples.length - before;
      if (kept <= this.mostRows) return;
      for (const each of targets.values()) each.halve();
      kept = [...targets.values()].reduce((sum, { samples }) => sum + samples.length, 0);
      joined *= 2;
    });
    return { samples: new Map([...targets].map(([id, { samples }]) => [id, samples])), joined };
  }

  private async metadata(): Promise<Map<string, LoadSample[]>> {
    const loads = await this.loads('MDS_DATA', 'MDS_ID');
    const used = await this.loads('MDS_DATA', 'MDS_ID', 'KBYTES_USED');
    const sums = new OperationSums();
    const columns = ['MDS_ID', 'OPERATION_ID', 'TS_ID', 'SAMPLES'];
    await forEachRow(this.tables, 'MDS_OPS_DATA', columns, ([id, operation = '', moment, count]) => {
      const at = this.momentOf(moment);
      if (id === undefined || at === undefined) return;
      const name = this.objects.operations.get(operation);
      if (!sums.add(id, operation, name, { at, count: numberOf(count) })) this.leftOut.notLater++;
    });
    return sums.samples((id, at) => {
      const kibibytes = used.get(id)?.get(at);
      return {
        cpuPercent: loads.get(id)?.get(at) ?? null,
        bytesUsed: kibibytes === undefined ? null : kibibytes * 1024,
      };
    });
  }

  /** Loads of servers in percent, or what another column holds, by number of the server and by moment. */
  private async loads(
    table: LmtTable,
    server: string,
    column = 'PCT_CPU',
  ): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
    const loads = new Map<string, Map<number, number>>();
    let kept = 0;
    await forEachRow(this.tables, table, [server, 'TS_ID', column], ([id, moment, text]) => {
      const value = numberOf(text);
      const at = moment === undefined ? undefined : this.objects.moments.get(moment);
      if (id === undefined || at === undefined || value === null || kept === MOST_LOADS) return;
      const ofServer = loads.get(id) ?? new Map<number, number>();
      loads.set(id, ofServer.set(at, value));
      kept++;
    });
    return loads;
  }

  private momentOf(id: string | undefined): number | undefined {
    if (++this.rowsRead % ROWS_AT_ONCE === 0) this.signal?.throwIfAborted();
    const at = id === undefined ? undefined : this.objects.moments.get(id);
    if (at === undefined) this.leftOut.unknownMoment++;
    return at;
  }

  /** Makes rows of samples, which are given up. */
  private addRows(
    rows: Row<'server_load'>[],
    series: ReadonlyMap<string, LoadSample[]>,
    targets: ReadonlyMap<string, LmtTarget>,
    kind: 'OST' | 'MDT',
  ): void {
    for (const [id, samples] of series) {
      const target = targets.get(id);
      if (target === undefined) this.leftOut.unknownTarget += samples.length;
      const known = { ...(target ?? UNKNOWN_TARGET), kind };
      for (const sample of samples) rows.push(loadRow(this.log, known, sample));
      samples.length = 0;
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

/** @param kibibytes as `KBYTES_USED` holds them. */
function bytesOf(kibibytes: string | undefined): number | null {
  const value = numberOf(kibibytes);
  return value === null ? null : value * 1024;
}
