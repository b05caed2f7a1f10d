import type { CausesRequest, JobCauses } from '../query/job-causes.ts';
import type { Answer } from '../query/fleet-answers.ts';
import type { JobFilter } from '../query/job-filter.ts';
import type { QueryValue } from '../query/query-engine.ts';
import type { FleetHistory, HistoryRequest, KindHistory } from '../history/history.ts';
import { quantile } from '../history/ranks.ts';

/** What a store did since a day, as data: pages are made of it, and scripts read it. */
export interface FleetReport {
  /** Seconds since 1970. */
  readonly since: number;
  /** Null: up to now. */
  readonly until: number | null;
  readonly total: Usage;
  /** Days (UTC) with jobs. */
  readonly days: readonly DayOfJobs[];
  readonly coverage: readonly Coverage[];
  readonly groups: readonly { readonly by: UsageGroup; readonly rows: readonly Usage[] }[];
  readonly findings: readonly FrequentFinding[];
  readonly causes: readonly CauseCount[];
  /** Slow jobs whose causes were looked for, in each direction. */
  readonly examined: { readonly reads: number; readonly writes: number };
  /** Kinds of jobs of the lowest bandwidth, lowest first. */
  readonly slowest: readonly SlowKind[];
  /** Kinds with enough runs to be looked at for changes. */
  readonly compared: number;
  /** Kinds that have changed since. */
  readonly changed: readonly KindHistory[];
}

export interface Usage {
  readonly name: string | null;
  readonly jobs: number;
  readonly applications: number;
  readonly users: number;
  readonly coreHours: number | null;
  readonly processHours: number | null;
  readonly bytesRead: number | null;
  readonly bytesWritten: number | null;
}

export type UsageGroup = 'application' | 'user' | 'account' | 'queue' | 'node';

interface DayOfJobs {
  readonly day: string;
  readonly jobs: number;
  readonly bytesRead: number | null;
  readonly bytesWritten: number | null;
}

/** Null where the store has no tables of the batch system, or no samples of servers. */
export interface Coverage {
  readonly what: string;
  readonly all: number | null;
  readonly withLogs: number | null;
  readonly share: number | null;
}

interface FrequentFinding {
  readonly code: string;
  readonly title: string;
  readonly severity: string;
  readonly jobs: number;
  /** 0 to 1. */
  readonly share: number;
  readonly applications: number;
}

/** In how many of the slow jobs that were looked at a verdict was found. */
interface CauseCount {
  readonly kind: string;
  readonly reads: number;
  readonly writes: number;
}

interface SlowKind extends Pick<KindHistory, 'application' | 'processes' | 'input'> {
  readonly runs: number;
  readonly bandwidth: number;
  readonly ioShare: number | null;
}

/** A store as reports ask it. */
interface ReportSource {
  answer(id: string, values: readonly QueryValue[], filter: JobFilter): Promise<Answer>;
  causes(request: CausesRequest, signal?: AbortSignal): Promise<readonly JobCauses[]>;
  history(request: HistoryRequest, filter: JobFilter, signal?: AbortSignal): Promise<FleetHistory>;
}

const GROUPS: readonly UsageGroup[] = ['application', 'user', 'account', 'queue', 'node'];
const MOST_ROWS = 10;
/** Slow jobs whose causes are looked for, in each direction. */
const MOST_CAUSES = 100;
/** Bytes a second below which a job is slow, as `fleet causes` takes it. */
const SLOW = 1e9;
/** Runs of a kind since the day, so that it is one of the slow ones. */
const LEAST_RUNS = 3;

/** @param filter with the day since which jobs count (`from`). */
export async function gatherReport(
  source: ReportSource,
  filter: JobFilter & Required<Pick<JobFilter, 'from'>>,
  signal?: AbortSignal,
): Promise<FleetReport> {
  const rows = async (id: string, ...values: QueryValue[]): Promise<NamedRow[]> => {
    signal?.throwIfAborted();
    return namedRows(await source.answer(id, values, filter));
  };
  const { from, to, ...others } = filter;
  const groups: { by: UsageGroup; rows: Usage[] }[] = [];
  for (const by of GROUPS) groups.push({ by, rows: (await rows('usage', by, MOST_ROWS)).map(usageOf) });
  // What a kind was before is what it is compared with.
  const request = { changesSince: from, mostKinds: Infinity };
  const history = await source.history(request, { ...others, ...(to !== undefined && { to }) }, signal);
  return {
    since: from,
    until: to ?? null,
    total: usageOf((await rows('usage', 'all', 1))[0] ?? NO_JOBS),
    days: (await rows('traffic-over-time')).map((row) => ({
      ...{ day: String(row['day']), jobs: Number(row['jobs']) },
      ...{ bytesRead: amount(row['bytes_read']), bytesWritten: amount(row['bytes_written']) },
    })),
    coverage: (await rows('coverage', dayOf(from), to === undefined ? '' : dayOf(to))).map((row) => ({
      ...{ what: String(row['what']), all: amount(row['all']) },
      ...{ withLogs: amount(row['with_logs']), share: amount(row['share']) },
    })),
    groups,
    findings: (await rows('frequent-insights', MOST_ROWS)).map(findingOf),
    ...(await causesOf(source, filter, signal)),
    slowest: slowestOf(history.told, from),
    compared: history.kinds,
    changed: history.told.filter(({ measures }) => measures.some(({ changes }) => changes.length > 0)),
  };
}

type NamedRow = Readonly<Record<string, QueryValue | undefined>>;

const NO_JOBS: NamedRow = { name: 'all', jobs: 0, applications: 0, users: 0 };

function namedRows({ result: { columns, rows } }: Answer): NamedRow[] {
  return rows.map((cells) => Object.fromEntries(columns.map(({ name }, index) => [name, cells[index]])));
}

/** Unknown stays unknown. Whole numbers beyond 2^53 come as text. */
function amount(value: QueryValue | undefined): number | null {
  return typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : null;
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('T', ' ').replace('Z', '');
}

function usageOf(row: NamedRow): Usage {
  return {
    name: typeof row['name'] === 'string' ? row['name'] : null,
    ...{ jobs: Number(row['jobs']), applications: Number(row['applications']), users: Number(row['users']) },
    ...{ coreHours: amount(row['core_hours']), processHours: amount(row['process_hours']) },
    ...{ bytesRead: amount(row['bytes_read']), bytesWritten: amount(row['bytes_written']) },
  };
}

function findingOf(row: NamedRow): FrequentFinding {
  const text = (name: string): string => String(row[name] ?? '');
  return {
    ...{ code: text('code'), title: text('title') || text('trigger'), severity: text('severity') },
    ...{
      jobs: Number(row['jobs']),
      share: Number(row['job_percent']) / 100,
      applications: Number(row['applications']),
    },
  };
}

async function causesOf(
  source: ReportSource,
  filter: JobFilter,
  signal?: AbortSignal,
): Promise<Pick<FleetReport, 'causes' | 'examined'>> {
  const examined = { reads: 0, writes: 0 };
  const counts = new Map<string, { reads: number; writes: number }>();
  for (const direction of ['read', 'write'] as const) {
    const request = { filter, direction, leastBandwidth: 0, mostBandwidth: SLOW, mostJobs: MOST_CAUSES };
    const way = direction === 'read' ? 'reads' : 'writes';
    const jobs = await source.causes(request, signal);
    examined[way] = jobs.length;
    for (const { causes } of jobs)
      for (const kind of new Set(causes.verdicts.map((verdict) => verdict.kind))) {
        const count = counts.get(kind) ?? { reads: 0, writes: 0 };
        count[way]++;
        counts.set(kind, count);
      }
  }
  const found = [...counts].map(([kind, count]) => ({ kind, ...count }));
  found.sort((a, b) => b.reads + b.writes - a.reads - a.writes || (a.kind < b.kind ? -1 : 1));
  return { causes: found, examined };
}

function slowestOf(kinds: readonly KindHistory[], since: number): SlowKind[] {
  const slow = kinds.flatMap(({ application, processes, input, runs: all }) => {
    const runs = all.filter(({ start, bandwidth }) => start >= since && bandwidth !== null);
    if (runs.length < LEAST_RUNS) return [];
    const bandwidth = quantile(
      runs.flatMap((run) => run.bandwidth ?? []),
      0.5,
    )!;
    const ioShare =
      quantile(
        runs.flatMap((run) => run.ioShare ?? []),
        0.5,
      ) ?? null;
    return [{ application, processes, input, runs: runs.length, bandwidth, ioShare }];
  });
  return slow.sort((a, b) => a.bandwidth - b.bandwidth).slice(0, MOST_ROWS);
}
