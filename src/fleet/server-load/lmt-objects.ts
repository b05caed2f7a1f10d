import type { RecordingFile } from '../../trace/byte-source.ts';
import { tableRows, type Fields } from './delimited-table.ts';
import type { LmtTable } from './lmt-tables.ts';
import { lustreName, type ServerTarget } from './server-target.ts';

/** A storage or metadata target. */
export interface LmtTarget extends Omit<ServerTarget, 'kind'> {
  /** Number of its server in the dump. */
  readonly serverId: string | undefined;
}

/** What the dump says of the machine. */
export interface LmtObjects {
  readonly storageTargets: ReadonlyMap<string, LmtTarget>;
  readonly metadataTargets: ReadonlyMap<string, LmtTarget>;
  /** Names of the kinds of metadata operations. */
  readonly operations: ReadonlyMap<string, string>;
  /** Seconds since 1970 of each sample. The dump names no zone: UTC. */
  readonly moments: ReadonlyMap<string, number>;
}

/** Samples of ten years, one each five seconds. */
const MOST_MOMENTS = 64_000_000;

type Tables = ReadonlyMap<LmtTable, RecordingFile>;

/** @throws Error in words for the user when a table cannot be read. */
export async function readObjects(tables: Tables): Promise<LmtObjects> {
  const fileSystems = new Map<string, string>();
  await forEachRow(tables, 'FILESYSTEM_INFO', ['FILESYSTEM_ID', 'FILESYSTEM_NAME'], ([id, name]) => {
    if (id !== undefined && name !== undefined) fileSystems.set(id, name);
  });
  const servers = new Map<string, { host: string | undefined; fileSystem: string | undefined }>();
  await forEachRow(tables, 'OSS_INFO', ['OSS_ID', 'FILESYSTEM_ID', 'HOSTNAME'], ([id, fileSystem, host]) => {
    if (id !== undefined) servers.set(id, { host, fileSystem: fileSystems.get(fileSystem ?? '') });
  });
  const storageTargets = new Map<string, LmtTarget>();
  const ostColumns = ['OST_ID', 'OSS_ID', 'OST_NAME', 'HOSTNAME'];
  await forEachRow(tables, 'OST_INFO', ostColumns, ([id, serverId, name, host]) => {
    const server = servers.get(serverId ?? '');
    if (id !== undefined) storageTargets.set(id, target(name, host ?? server?.host, server?.fileSystem, serverId));
  });
  const metadataTargets = new Map<string, LmtTarget>();
  const mdsColumns = ['MDS_ID', 'FILESYSTEM_ID', 'MDS_NAME', 'HOSTNAME'];
  await forEachRow(tables, 'MDS_INFO', mdsColumns, ([id, fileSystem, name, host]) => {
    if (id !== undefined) metadataTargets.set(id, target(name, host, fileSystems.get(fileSystem ?? ''), id));
  });
  const operations = new Map<string, string>();
  await forEachRow(tables, 'OPERATION_INFO', ['OPERATION_ID', 'OPERATION_NAME'], ([id, name]) => {
    if (id !== undefined && name !== undefined) operations.set(id, name);
  });
  return { storageTargets, metadataTargets, operations, moments: await readMoments(tables) };
}

async function readMoments(tables: Tables): Promise<Map<string, number>> {
  const moments = new Map<string, number>();
  await forEachRow(tables, 'TIMESTAMP_INFO', ['TS_ID', 'TIMESTAMP'], ([id, text]) => {
    const at = text === undefined ? NaN : secondsOf(text);
    if (id === undefined || Number.isNaN(at)) return;
    if (moments.size === MOST_MOMENTS) throw new Error('TIMESTAMP_INFO: more than 64,000,000 moments: dump by month');
    moments.set(id, at);
  });
  return moments;
}

/** @returns NaN for what is no date. */
function secondsOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text);
  return Date.parse(text.replace(' ', 'T') + (hasZone ? '' : 'Z')) / 1000;
}

function target(
  recorded: string | undefined,
  server: string | undefined,
  fileSystem: string | undefined,
  serverId: string | undefined,
): LmtTarget {
  const found = lustreName(recorded ?? '');
  return {
    fileSystem: fileSystem ?? found?.fileSystem ?? null,
    server: server ?? null,
    serverId,
    name: found?.name ?? recorded ?? null,
    index: found?.index ?? null,
  };
}

/** Calls `visit` with every row of a table; never when the dump has no such file. */
export async function forEachRow(
  tables: Tables,
  table: LmtTable,
  columns: readonly string[],
  visit: (fields: Fields) => void,
): Promise<void> {
  const file = tables.get(table);
  if (file === undefined) return;
  for await (const rows of tableRows(file, columns)) {
    for (const row of rows) visit(row);
  }
}
