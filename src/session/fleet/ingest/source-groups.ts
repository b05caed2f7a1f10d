import { isNamedAsRecording } from '../file-head.ts';
import { namedPart } from '../../../readers/strace/part-name.ts';
import { isCompanion, withoutStackSamples } from '../../reading/companions.ts';

/** Files of a folder that may be one recording. */
export interface FileGroup {
  readonly names: readonly string[];
  /** Names alone do not tell: numbers behind a name are a sign of one run (`strace -ff`) only in a format whose files are named so. */
  readonly ifNamedAlike: boolean;
  /** Names as of looks at the counters of servers: whether they are that, their content tells. */
  readonly ifLooks: boolean;
}

/** DFTracer writes a file for each process: `RUN-PID.pfw`, with `-preload` or `-app` behind it in some releases. */
const DFTRACER = /^(.+)-\d+(?:-[a-z]+)?\.pfw(?:\.gz)?$/;
/** The recorder library writes a file for each process into a folder of the recording. */
const IOLENS = /\.iorec(?:\.(?:gz|xz|bz2|zst))?$/;
/** Drishti's HDF5 connector writes `PROGRAM.RANK.drishti`. */
const DRISHTI = /^(.+)\.\d+\.drishti$/;

/** Looks at the counters of servers: only several of them say what was done between them. */
const JOBSTATS = /job_?stats/i;
const PROMETHEUS = /prometheus|\.(?:prom|openmetrics)(?:\.(?:gz|xz|bz2|zst))?$/i;

function looksOf(name: string): readonly [kind: string, run: string] | undefined {
  if (isNamedAsRecording(name)) return undefined;
  if (JOBSTATS.test(name)) return ['looks', 'jobstats'];
  return PROMETHEUS.test(name) ? ['looks', 'prometheus'] : undefined;
}

/** Whether one of some files is named as a look at the counters of servers. */
export function holdsLooks(paths: readonly string[]): boolean {
  return paths.some((path) => looksOf(path.split('/').at(-1)!) !== undefined);
}

/** The files of a folder by the recording that they are part of; what belongs to another file of it is left out. */
export function groupsOf(names: readonly string[], mayBeLooks = true): FileGroup[] {
  const groups = new Map<string, FileGroup & { names: string[] }>();
  for (const name of withoutStackSamples(names.filter((candidate) => !isCompanion(candidate)))) {
    const [kind, run] = (mayBeLooks ? looksOf(name) : undefined) ?? runOf(name);
    const key = `${kind}\0${run}`;
    const group = groups.get(key);
    if (group === undefined)
      groups.set(key, { names: [name], ifNamedAlike: kind === 'process', ifLooks: kind === 'looks' });
    else group.names.push(name);
  }
  return [...groups.values()];
}

function runOf(name: string): readonly [kind: string, run: string] {
  const part = namedPart(name, name);
  if (part.commandId !== '') return ['command', part.commandId];
  if (!Number.isNaN(part.pid)) return ['process', part.run];
  if (IOLENS.test(name)) return ['iolens', ''];
  const dftracer = DFTRACER.exec(name);
  if (dftracer !== null) return ['dftracer', dftracer[1]!];
  const drishti = DRISHTI.exec(name);
  return drishti === null ? ['file', name] : ['drishti', drishti[1]!];
}

/** Tables of the Lustre Monitoring Tool's data base, a file each. */
const LMT_TABLE =
  /^(?:FILESYSTEM|OSS|OST|MDS|ROUTER|OPERATION|TIMESTAMP|EVENT|VARIABLE)_(?:INFO|DATA|OPS_DATA|INTERFACE_DATA|AGGREGATE_\w+)\.(?:tsv|csv|txt)(?:\.(?:gz|xz|bz2|zst))?$/i;

/** The tables of a server's dump in a folder; none when it is not one. */
export function serverDump(names: readonly string[]): readonly string[] {
  const tables = names.filter((name) => LMT_TABLE.test(name));
  const has = (pattern: RegExp): boolean => tables.some((name) => pattern.test(name));
  return has(/^timestamp_info\./i) && has(/^(?:ost_data|mds_ops_data|mds_data)\./i) ? tables : [];
}
