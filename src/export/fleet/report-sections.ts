import { groupBy } from '../../base/grouping.ts';
import { counted, formatBytes, formatCount, formatRate, formatShare } from '../../base/quantities.ts';
import type { BarChart } from '../../drawing/charts/bar-chart.ts';
import type { KindHistory } from '../../fleet/history/history.ts';
import type { Coverage, FleetReport, Usage, UsageGroup } from '../../fleet/report/fleet-report.ts';
import { changeSentence, dayText, kindText } from './history-words.ts';

/** A part of the report that both HTML and Markdown show: every cell is text of its own, none is markup. */
export interface ReportSection {
  readonly title: string;
  readonly about?: string;
  /** Sentences. */
  readonly lines?: readonly string[];
  readonly charts?: readonly BarChart[];
  readonly table?: {
    readonly columns: readonly { readonly title: string; readonly isNumber?: boolean }[];
    readonly rows: readonly (readonly string[])[];
  };
}

/** Charts of kinds that changed, beyond which sentences have to do. */
const MOST_PICTURES = 6;
/** Days beyond which the table is one of months. */
const MOST_DAYS = 31;
const MOST_COLUMNS = 1000;
const DAY_MS = 86_400_000;
const UNKNOWN = '–';
const NUMBER = { isNumber: true } as const;

export function reportTitle({ since, until }: FleetReport): string {
  return until === null ? `I/O since ${dayText(since)}` : `I/O from ${dayText(since)} to before ${dayText(until)}`;
}

/** Figures of the whole time, each with what it is. */
export function reportFigures({ total, changed }: FleetReport): (readonly [name: string, value: string])[] {
  const { jobs, applications, users, coreHours, processHours, bytesRead, bytesWritten } = total;
  return [
    ['recorded jobs', formatCount(jobs)],
    ['applications', formatCount(applications)],
    ['users', formatCount(users)],
    ['core hours', hours(coreHours)],
    ['process hours', hours(processHours)],
    ['read', bytes(bytesRead)],
    ['written', bytes(bytesWritten)],
    ['kinds that changed', formatCount(changed.length)],
  ];
}

export function reportSections(report: FleetReport): ReportSection[] {
  return [
    changesSection(report),
    trafficSection(report),
    coverageSection(report.coverage),
    ...report.groups.map(({ by, rows }) => usageSection(by, rows)),
    findingsSection(report),
    causesSection(report),
    slowestSection(report),
  ];
}

function changesSection({ changed, compared }: FleetReport): ReportSection {
  const title = 'Kinds of jobs that changed';
  if (changed.length === 0) return { title, lines: [nothingChanged(compared)] };
  const lines = changed.flatMap((kind) =>
    kind.measures.flatMap(({ measure, changes }) =>
      changes.map((change) => `${kindText(kind)}: ${changeSentence(measure, change)}`),
    ),
  );
  return { title, lines, charts: changed.flatMap(bandwidthChart).slice(0, MOST_PICTURES) };
}

/** What was looked at goes with "nothing found": of kinds with few runs nobody can tell. */
function nothingChanged(compared: number): string {
  return compared === 0
    ? 'No kind of jobs (application, processes, bytes read) has enough runs to tell a change.'
    : `In ${counted(compared, 'kind')} of jobs (application, processes, bytes read) no change of that time was found that is more than chance.`;
}

/** The runs of a kind in their order, as columns that change their colour where the bandwidth changed. */
function bandwidthChart(kind: KindHistory): BarChart[] {
  const changes = kind.measures.find(({ measure }) => measure === 'bandwidth')?.changes ?? [];
  if (changes.length === 0) return [];
  const runs = kind.runs.filter(({ bandwidth }) => bandwidth !== null);
  const side = (start: number): number => changes.filter(({ since }) => start >= since).length % 2;
  const valuesOf = (wanted: number): number[] =>
    runs.map(({ start, bandwidth }) => (side(start) === wanted ? bandwidth! : 0));
  return [
    {
      ...{ title: `Bandwidth of ${kindText(kind)}`, note: 'a column for each run' },
      ...{ of: '', labels: runs.map(({ start }) => dayText(start)), unit: 'rate' },
      ...{ isStacked: true, isHorizontal: false },
      series: [
        { name: 'Before', values: valuesOf(0) },
        { name: 'Since', values: valuesOf(1) },
      ],
    },
  ];
}

function trafficSection({ days }: FleetReport): ReportSection {
  const all = everyDay(days);
  const chart: BarChart = {
    ...{ title: 'Traffic by day', of: '', labels: all.map(({ day }) => day), unit: 'bytes' },
    ...{ isStacked: true, isHorizontal: false },
    series: [
      { name: 'Read', values: all.map(({ bytesRead }) => bytesRead ?? 0) },
      { name: 'Written', values: all.map(({ bytesWritten }) => bytesWritten ?? 0) },
    ],
  };
  const isLong = days.length > MOST_DAYS;
  const rows = isLong
    ? [...groupBy(days, ({ day }) => day.slice(0, 7))].map(([month, own]) => summed(month, own))
    : days;
  return {
    title: 'Jobs and traffic over time',
    charts: days.length === 0 ? [] : [chart],
    table: {
      columns: [{ title: isLong ? 'month (UTC)' : 'day (UTC)' }, ...numbers('jobs', 'read', 'written')],
      rows: rows.map(({ day, jobs, bytesRead, bytesWritten }) => [
        ...[day, formatCount(jobs), bytes(bytesRead), bytes(bytesWritten)],
      ]),
    },
  };
}

type Day = FleetReport['days'][number];

/** Days without jobs, too, so that the axis is one of time. */
function everyDay(days: readonly Day[]): readonly Day[] {
  const [first, last] = [days[0], days.at(-1)].map((day) => (day === undefined ? 0 : Date.parse(day.day) / DAY_MS));
  const count = last! - first! + 1;
  // A clock that was wrong makes a job of 1970.
  if (!(count <= MOST_COLUMNS)) return days;
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, i) => {
    const day = new Date((first! + i) * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, jobs: 0, bytesRead: 0, bytesWritten: 0 };
  });
}

function summed(day: string, days: readonly Day[]): Day {
  const sum = (of: (one: Day) => number | null): number | null =>
    days.reduce<number | null>((total, one) => (of(one) === null ? total : (total ?? 0) + of(one)!), null);
  return {
    ...{ day, jobs: sum(({ jobs }) => jobs) ?? 0 },
    ...{ bytesRead: sum(({ bytesRead }) => bytesRead), bytesWritten: sum(({ bytesWritten }) => bytesWritten) },
  };
}

function coverageSection(coverage: readonly Coverage[]): ReportSection {
  const text = (what: string, value: number | null): string =>
    what === 'bytes' ? bytes(value) : what === 'jobs' ? count(value) : hours(value);
  return {
    title: 'What the logs cover',
    about:
      'Of the jobs that the batch system knows, those with a recording; of the bytes that the storage targets moved while they were sampled, those in recordings.',
    table: {
      columns: [{ title: '' }, ...numbers('all', 'with logs', 'share')],
      rows: coverage.map(({ what, all, withLogs, share }) => [
        ...[what, text(what, all), text(what, withLogs), share === null ? UNKNOWN : formatShare(share)],
      ]),
    },
  };
}

const GROUP_TITLES: Readonly<Record<UsageGroup, string>> = {
  application: 'Applications',
  user: 'Users',
  account: 'Accounts (projects)',
  queue: 'Queues',
  node: 'Nodes',
};

function usageSection(by: UsageGroup, rows: readonly Usage[]): ReportSection {
  const known = rows.filter(({ name }) => name !== null);
  if (known.length === 0)
    return { title: GROUP_TITLES[by], lines: ['No recording and no table of the batch system says it.'] };
  const chart: BarChart = {
    ...{ title: `Bytes by ${by}`, of: by, labels: rows.map(({ name }) => name ?? 'unknown'), unit: 'bytes' },
    ...{ isStacked: true, isHorizontal: true },
    series: [
      { name: 'Read', values: rows.map(({ bytesRead }) => bytesRead ?? 0) },
      { name: 'Written', values: rows.map(({ bytesWritten }) => bytesWritten ?? 0) },
    ],
  };
  return {
    title: GROUP_TITLES[by],
    charts: [chart],
    table: {
      columns: [{ title: by }, ...numbers('jobs', 'core hours', 'process hours', 'read', 'written')],
      rows: rows.map((row) => [
        ...[row.name ?? 'unknown', formatCount(row.jobs), hours(row.coreHours), hours(row.processHours)],
        ...[bytes(row.bytesRead), bytes(row.bytesWritten)],
      ]),
    },
  };
}

function findingsSection({ findings, total }: FleetReport): ReportSection {
  const title = 'Most frequent findings';
  if (findings.length === 0)
    return { title, lines: [`No finding is known of ${counted(total.jobs, 'recorded job')}.`] };
  return {
    title,
    charts: [
      {
        ...{ title: 'Jobs with a finding', of: 'finding', labels: findings.map(({ title: of }) => of), unit: 'count' },
        ...{
          isStacked: false,
          isHorizontal: true,
          series: [{ name: 'Jobs', values: findings.map(({ jobs }) => jobs) }],
        },
      },
    ],
    table: {
      columns: [
        { title: 'finding' },
        { title: 'code' },
        { title: 'severity' },
        ...numbers('jobs', 'share', 'applications'),
      ],
      rows: findings.map(({ title: of, code, severity, jobs, share, applications }) => [
        ...[of, code, severity, formatCount(jobs), formatShare(share), formatCount(applications)],
      ]),
    },
  };
}

function causesSection({ causes, examined }: FleetReport): ReportSection {
  return {
    title: 'Why slow jobs are slow',
    about:
      'Verdicts on the hundred jobs of the lowest bandwidth over their critical path, below 1 GB/s, in each direction.',
    ...(causes.length === 0
      ? { lines: [noCauses(examined)] }
      : {
          table: {
            columns: [{ title: 'verdict' }, ...numbers('reads of jobs', 'writes of jobs')],
            rows: causes.map(({ kind, reads, writes }) => [kind, formatCount(reads), formatCount(writes)]),
          },
        }),
  };
}

function noCauses({ reads, writes }: FleetReport['examined']): string {
  return reads + writes === 0
    ? 'No job with a critical path is that slow: recordings without times of their requests (no DXT) have none.'
    : `None was found in the reads of ${counted(reads, 'job')} and the writes of ${counted(writes, 'job')}.`;
}

function slowestSection({ slowest }: FleetReport): ReportSection {
  return {
    title: 'Slowest kinds of jobs',
    about: 'Medians of the runs; bandwidth over the I/O time of the slowest process.',
    ...(slowest.length === 0
      ? { lines: ['No kind has enough runs.'] }
      : {
          table: {
            columns: [{ title: 'kind' }, ...numbers('runs', 'bandwidth', 'I/O share')],
            rows: slowest.map((kind) => [
              ...[kindText(kind), formatCount(kind.runs), formatRate(kind.bandwidth)],
              kind.ioShare === null ? UNKNOWN : formatShare(kind.ioShare),
            ]),
          },
        }),
  };
}

/** `1 recorded job` and so on, for who reads no page. */
export function reportDone({ total, changed }: FleetReport, file: string): string {
  return `${file}: ${counted(total.jobs, 'recorded job')}, ${counted(changed.length, 'kind')} of jobs changed.`;
}

function numbers(...titles: readonly string[]): { title: string; isNumber: true }[] {
  return titles.map((title) => ({ title, ...NUMBER }));
}

function count(value: number | null): string {
  return value === null ? UNKNOWN : formatCount(value);
}

function hours(value: number | null): string {
  return value === null ? UNKNOWN : value < 10 ? String(Number(value.toPrecision(2))) : formatCount(value);
}

function bytes(value: number | null): string {
  return value === null ? UNKNOWN : formatBytes(value);
}
