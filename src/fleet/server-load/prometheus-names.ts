import { nfsQuantitiesOf, quantitiesOf } from './metadata-operations.ts';
import type { Quantity } from './load-sample.ts';
import { lustreName, type ServerTarget } from './server-target.ts';

export type Labels = ReadonlyMap<string, string>;

/** What a series of Prometheus counts. */
export interface CountedSeries {
  readonly target: ServerTarget;
  readonly counts: readonly Quantity[];
  /** `used`: bytes that are stored: `capacity` less `free`. */
  readonly gauge?: 'capacity' | 'free';
  /** A job's part: counts only where the target itself has no series. */
  readonly isOfJob: boolean;
}

/** Whether a name is one of those that are read, or that stand beside them in what an exporter prints. */
export const EXPORTED_NAME = /^(?:lustre_|node_disk_|node_nfsd_)\w+$/;

/** Devices that stand upon others, whose bytes would count twice, and such as are no disks of a server. */
const NO_DISK =
  /^(?:dm-|md|loop|ram|zram|sr|fd|zd|nbd|drbd|bcache)\d|^(?:[hsv]|xv)d[a-z]+\d+$|^(?:nvme\d+n\d+|mmcblk\d+)(?:p|boot)\d+$/;

/**
 * What a series says of a server: names of lustre_exporter (HPE, GSI), lustrefs-exporter (DDN) and of the disks and the NFS
 * server of node_exporter.
 * @returns undefined for all others, such as those of Lustre's clients.
 */
export function countedSeries(name: string, labels: Labels): CountedSeries | undefined {
  const server = labels.get('instance')?.replace(/:\d+$/, '') ?? null;
  if (name.startsWith('lustre_')) return lustreSeries(name.slice('lustre_'.length), labels, server);
  const isOfJob = false;
  if (name.startsWith('node_disk_')) {
    const device = labels.get('device') ?? '';
    const counts = quantity(name, 'node_disk_read_bytes_total', 'node_disk_written_bytes_total');
    if (counts === undefined || device === '' || NO_DISK.test(device)) return undefined;
    return { target: { kind: 'disk', fileSystem: null, server, name: device, index: null }, counts, isOfJob };
  }
  const target = { kind: 'NFS', fileSystem: null, server, name: 'nfsd', index: null } as const;
  const bytes = quantity(name, 'node_nfsd_disk_bytes_read_total', 'node_nfsd_disk_bytes_written_total');
  if (bytes !== undefined) return { target, counts: bytes, isOfJob };
  if (name !== 'node_nfsd_requests_total') return undefined;
  const counts = nfsQuantitiesOf(labels.get('method') ?? '');
  return counts.length === 0 ? undefined : { target, counts, isOfJob };
}

function quantity(name: string, read: string, written: string): readonly Quantity[] | undefined {
  if (name === read) return ['bytesRead'];
  return name === written ? ['bytesWritten'] : undefined;
}

function lustreSeries(name: string, labels: Labels, server: string | null): CountedSeries | undefined {
  const component = labels.get('component');
  const found = lustreName(labels.get('target') ?? '');
  // Clients have the same names for what they do themselves.
  if (found === undefined || (component !== undefined && component !== found.kind.toLowerCase())) return undefined;
  const target = { ...found, server };
  const isOfJob = labels.has('jobid');
  const own = isOfJob ? name.replace(/^job_/, '') : name;
  const gauge = /^(capacity|free)_(?:kilo|kibi)bytes$/.exec(own)?.[1];
  if (gauge === 'capacity' || gauge === 'free') return { target, counts: [], gauge, isOfJob };
  if (found.kind === 'OST') {
    const counts = quantity(own, 'read_bytes_total', 'write_bytes_total');
    return counts && { target, counts, isOfJob };
  }
  if (own !== 'stats_total') return undefined;
  const counts = quantitiesOf(labels.get('operation') ?? '');
  return counts.length === 0 ? undefined : { target, counts, isOfJob };
}
