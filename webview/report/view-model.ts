import { formatBytes, formatCount, formatRate, formatShare } from '../../src/base/quantities.ts';
import type { ViewFinding, ViewReport } from '../../src/features/report/protocol.ts';
import { formatSeconds } from '../kit/amounts.ts';
import type { BarChart } from '../kit/charts.ts';

/** What of the job is shown, in words and as series of numbers: everything that needs no page to be made. */

type Job = ViewReport['job'];
export type Module = Job['modules'][number];
export type Ranks = Job['ranks'][number];

/** Bytes in a second; Darshan's own estimates are in MiB/s. */
export function formatBandwidth(mebibytesPerSecond: number): string {
  return mebibytesPerSecond > 0 ? formatRate(mebibytesPerSecond * 2 ** 20) : '–';
}

/** Interfaces below which no other one counts the same bytes again: MPI-IO and HDF5 stand above them. */
const LOWEST = ['POSIX', 'STDIO', 'DFS'];

/** Bytes that reached the operating system (or DAOS), each once. */
export function bytesMoved({ modules }: Job): { read: number; written: number } {
  const lowest = modules.filter(({ module }) => LOWEST.includes(module));
  // A log of MPI-IO alone says nothing of what lies below.
  const counted = lowest.length > 0 ? lowest : modules.slice(0, 1);
  return {
    read: counted.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    written: counted.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  };
}

export interface Headline {
  readonly label: string;
  readonly value: string;
  /** Said below the value; '' for nothing. */
  readonly note: string;
}

/** The few numbers that stand at the top. */
export function headlines(report: ViewReport): Headline[] {
  const { job } = report;
  const { read, written } = bytesMoved(job);
  const { processes, hosts, runSeconds } = job.job;
  const cost = ioShare(job);
  return [
    {
      label: 'Processes',
      value: formatCount(processes),
      note: hosts > 0 ? `on ${hosts === 1 ? '1 host' : `${formatCount(hosts)} hosts`}` : '',
    },
    {
      label: 'Run time',
      value: runSeconds === null ? '–' : formatSeconds(runSeconds),
      note: job.job.wasKilled ? 'the program was killed' : '',
    },
    {
      label: 'In I/O calls',
      value: cost === null ? '–' : formatShare(cost),
      note: cost === null ? 'not known' : 'of the run time, on average',
    },
    { label: 'Read', value: formatBytes(read), note: '' },
    { label: 'Written', value: formatBytes(written), note: '' },
    { label: 'Files', value: formatCount(job.usedFiles.files), note: '' },
  ];
}

/**
 * Share of the run time that processes spend in I/O calls on average; null when unknown. Interfaces call each other (MPI-IO
 * calls POSIX): their times are not added up, but the costliest is taken. Only STDIO stands beside them.
 */
function ioShare({ modules }: Job): number | null {
  const shares = modules.flatMap(({ module, time }) => {
    const share = time?.shareOfRun;
    if (share === undefined || share === null) return [];
    return [{ module, sum: share.read + share.write + share.metadata + share.wait }];
  });
  if (shares.length === 0) return null;
  const nested = shares.filter(({ module }) => module !== 'STDIO').reduce((most, { sum }) => Math.max(most, sum), 0);
  return Math.min(1, nested + (shares.find(({ module }) => module === 'STDIO')?.sum ?? 0));
}

/** Upper ends of Darshan's bins of access sizes. */
const SIZE_LABELS = [
  '≤ 100 B',
  '≤ 1 KiB',
  '≤ 10 KiB',
  '≤ 100 KiB',
  '≤ 1 MiB',
  '≤ 4 MiB',
  '≤ 10 MiB',
  '≤ 100 MiB',
  '≤ 1 GiB',
  '> 1 GiB',
];

/** The same as Darshan writes them; K is 1024. */
const SHORT_SIZE_LABELS = ['100', '1K', '10K', '100K', '1M', '4M', '10M', '100M', '1G', '> 1G'];

const hasValue = ({ series }: BarChart): boolean => series.some(({ values }) => values.some((value) => value !== 0));

export function accessSizeChart({ module, accessSizes }: Module): BarChart | null {
  if (accessSizes === null) return null;
  const chart: BarChart = {
    title: `Access sizes, ${module}`,
    of: 'Size',
    labels: SIZE_LABELS,
    note: 'up to so many bytes',
    shortLabels: SHORT_SIZE_LABELS,
    series: [
      { name: 'Reads', values: accessSizes.read },
      { name: 'Writes', values: accessSizes.write },
    ],
    isStacked: false,
    isHorizontal: false,
    unit: 'count',
  };
  return hasValue(chart) ? chart : null;
}

export function operationChart({ module, operations }: Module): BarChart | null {
  const made = operations.filter(({ count }) => count > 0);
  if (made.length === 0) return null;
  return {
    title: `Operations, ${module}`,
    of: 'Operation',
    labels: made.map(({ operation }) => operation),
    series: [{ name: 'Calls', values: made.map(({ count }) => count) }],
    isStacked: false,
    isHorizontal: false,
    unit: 'count',
  };
}

/** PyDarshan's "I/O cost": what an average process spends in each interface, as a share of the run. */
export function costChart({ modules }: Job): BarChart | null {
  const timed = modules.flatMap(({ module, time }) => (time === null ? [] : [{ module, time }]));
  if (timed.length === 0) return null;
  const isShare = timed.every(({ time }) => time.shareOfRun !== null);
  const values = (share: 'read' | 'write' | 'metadata' | 'wait'): number[] =>
    timed.map(({ time }) => (isShare ? time.shareOfRun![share] : time[`${share}Seconds`]));
  const chart: BarChart = {
    title: isShare ? 'I/O cost: share of the run time' : 'I/O time of all processes',
    of: 'Interface',
    labels: timed.map(({ module }) => module),
    series: [
      { name: 'Read', values: values('read') },
      { name: 'Write', values: values('write') },
      { name: 'Metadata', values: values('metadata') },
      // Only PnetCDF counts it.
      ...(values('wait').some((value) => value > 0) ? [{ name: 'Wait', values: values('wait') }] : []),
    ],
    isStacked: true,
    isHorizontal: true,
    unit: isShare ? 'share' : 'seconds',
  };
  return hasValue(chart) ? chart : null;
}

/** Labels of a chart that cannot hold any number of them. */
const MOST_FILE_SYSTEMS = 10;

export function fileSystemChart({ fileSystems }: Job): BarChart | null {
  const shown = fileSystems.slice(0, MOST_FILE_SYSTEMS);
  const chart: BarChart = {
    title: 'Data access by file system',
    of: 'File system',
    labels: shown.map(({ name, fileSystem }) =>
      fileSystem === '' || fileSystem === 'UNKNOWN' ? name : `${name} (${fileSystem})`,
    ),
    series: [
      { name: 'Read', values: shown.map(({ bytesRead }) => bytesRead) },
      { name: 'Written', values: shown.map(({ bytesWritten }) => bytesWritten) },
    ],
    isStacked: true,
    isHorizontal: true,
    unit: 'bytes',
  };
  return hasValue(chart) ? chart : null;
}

/** `rank 3`, or `ranks 0–9` where a bar stands for several. */
function rankLabels({ bytesRead, ranksPerRow }: Ranks, processes: number): string[] {
  return bytesRead.map((_, row) => rankLabel(row, ranksPerRow, processes));
}

export function rankLabel(row: number, ranksPerRow: number, processes: number): string {
  const first = row * ranksPerRow;
  const last = Math.min(Math.max(processes, first + 1), first + ranksPerRow) - 1;
  return first === last ? String(first) : `${first}–${last}`;
}

/** Said of a chart by ranks where a bar is the sum of several. */
function rankNote({ ranksPerRow }: Ranks): { note?: string } {
  return ranksPerRow > 1 ? { note: `each bar is the sum of ${ranksPerRow} ranks` } : {};
}

export function rankBytesChart(ranks: Ranks, processes: number): BarChart {
  return {
    title: `Bytes by rank, ${ranks.module}`,
    ...rankNote(ranks),
    of: 'Rank',
    labels: rankLabels(ranks, processes),
    series: [
      { name: 'Read', values: ranks.bytesRead },
      { name: 'Written', values: ranks.bytesWritten },
    ],
    isStacked: true,
    isHorizontal: false,
    unit: 'bytes',
  };
}

export function rankTimeChart(ranks: Ranks, processes: number): BarChart | null {
  const chart: BarChart = {
    title: `Time by rank, ${ranks.module}`,
    ...rankNote(ranks),
    of: 'Rank',
    labels: rankLabels(ranks, processes),
    series: [
      { name: 'Read', values: ranks.readSeconds },
      { name: 'Write', values: ranks.writeSeconds },
      { name: 'Metadata', values: ranks.metadataSeconds },
    ].filter(({ values }) => values.length > 0),
    isStacked: true,
    isHorizontal: false,
    unit: 'seconds',
  };
  return hasValue(chart) ? chart : null;
}

/** Where the numbers by rank come from, and what they miss. */
export function rankSource({ source }: Ranks): string {
  switch (source) {
    case 'segments':
      return 'From every access that was recorded (DXT).';
    case 'heatmap':
      return 'From bytes over time (heatmap); times are not known.';
    case 'records':
      return 'From records of files that one process used; what was done to shared files is not in them.';
  }
}

const SEVERITIES = ['high', 'warn', 'info', 'ok'] as const;

/** How many findings there are of each severity, worst first; summaries are none. */
export function severityCounts(findings: readonly ViewFinding[]): (readonly [severity: string, count: number])[] {
  return SEVERITIES.map(
    (severity) =>
      [severity, findings.filter((finding) => !finding.isSummary && finding.severity === severity).length] as const,
  ).filter(([, count]) => count > 0);
}

/** `POSIX_SIZE_READ_0_100` as `SIZE_READ_0_100`: the module stands above the table. */
export function counterName(counter: string, module: string): string {
  const prefix = `${module.replaceAll('-', '')}_`;
  return counter.startsWith(prefix) ? counter.slice(prefix.length) : counter;
}

/** A counter's number: floating-point counters are seconds or times of day and keep their digits. */
export function formatCounter(value: number | null): string {
  if (value === null) return '–';
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
