import type { RecordingFile } from '../../trace/byte-source.ts';
import { tableRows } from './delimited-table.ts';
import type { LmtTable } from './lmt-tables.ts';

/** A storage or metadata target. */
export interface LmtTarget {
  readonly fileSystem: string | null;
  /** Host that serves it. */
  readonly server: string | null;
  /** Number of that server in the dump. */
  readonly serverId: string | undefined;
  /** `OST0004`; as the dump names it where the name has no number. */
  readonly name: string | null;
  /** What Lustre and Darshan call it by; null where the name has no number. */
  readonly index: number | null;
}

/** What the dump says of the machine. */
export interface LmtObjects {
  readonly storageTargets: ReadonlyMap<string, LmtTarget>;
  readonly metadataTargets: ReadonlyMap<string, LmtTarget>;
  /** Seconds since 1970 of each sample. The dump names no zone: UTC. */
  readonly moments: ReadonlyMap<string, number>;
}

/** Samples of ten years, one each five seconds. */
const MOST_MOMENTS = 64_000_000;

type Tables = ReadonlyMap<LmtTable, RecordingFile>;

/** @throws Error in words for the user when a table cannot be read. */
export async function readObjects(tables: Tables): Promise<LmtObjects> {
  const fileSystems = new Map<string, string>();
  for await (const [id, name] of rowsOf(tables, 'FILESYSTEM_INFO', ['FILESYSTEM_ID', 'FILESYSTEM_NAME'])) {
    if (id !== undefined && name !== undefined) fileSystems.set(id, name);
  }
  const servers = new Map<string, { host: string | undefined; fileSystem: string | undefined }>();
  for await (const [id, fileSystem, host] of rowsOf(tables, 'OSS_INFO', ['OSS_ID', 'FILESYSTEM_ID', 'HOSTNAME'])) {
    if (id !== undefined) servers.set(id, { host, fileSystem: fileSystems.get(fileSystem ?? '') });
  }
  const storageTargets = new Map<string, LmtTarget>();
  const ostColumns = ['OST_ID', 'OSS_ID', 'OST_NAME', 'HOSTNAME'];
  for await (const [id, serverId, name, host] of rowsOf(tables, 'OST_INFO', ostColumns)) {
    const server = servers.get(serverId ?? '');
    if (id !== undefined) storageTargets.set(id, target(name, host ?? server?.host, server?.fileSystem, serverId));
  }
  const metadataTargets = new Map<string, LmtTarget>();
  const mdsColumns = ['MDS_ID', 'FILESYSTEM_ID', 'MDS_NAME', 'HOSTNAME'];
  for await (const [id, fileSystem, name, host] of rowsOf(tables, 'MDS_INFO', mdsColumns)) {
    if (id !== undefined) metadataTargets.set(id, target(name, host, fileSystems.get(fileSystem ?? ''), id));
  }
  return { storageTargets, metadataTargets, moments: await readMoments(tables) };
}

async function readMoments(tables: Tables): Promise<Map<string, number>> {
  const moments = new Map<string, number>();
  for await (const [id, text] of rowsOf(tables, 'TIMESTAMP_INFO', ['TS_ID', 'TIMESTAMP'])) {
    const at = text === undefined ? NaN : secondsOf(text);
    if (id === undefined || Number.isNaN(at)) continue;
    if (moments.size === MOST_MOMENTS) throw new Error('TIMESTAMP_INFO: more than 64,000,000 moments: dump by month');
    moments.set(id, at);
  }
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
  // Targets are numbered in hexadecimal: `scratch-OST001f`.
  const found = /^(?:(.*)-)?((?:OST|MDT)([0-9a-f]{4}))(?:_UUID)?$/i.exec(recorded ?? '');
  return {
    fileSystem: fileSystem ?? found?.[1] ?? null,
    server: server ?? null,
    serverId,
    name: found?.[2] ?? recorded ?? null,
    index: found === null ? null : parseInt(found[3]!, 16),
  };
}

/** The rows of a table; none when the dump has no such file. */
export async function* rowsOf(
  tables: Tables,
  table: LmtTable,
  columns: readonly string[],
): AsyncGenerator<readonly (string | undefined)[]> {
  const file = tables.get(table);
  if (file !== undefined) yield* tableRows(file, columns);
}
