import type { BarChart } from '../charts/bar-chart.ts';
import { SIZE_BIN_NAMES } from '../charts/size-bins.ts';
import { rankLabel, type Job, type JobModule, type JobRanks } from './job.ts';

/** What of a job is drawn as a chart, as series of numbers. */

/** The same as Darshan writes them; K is 1024. */
const SHORT_SIZE_LABELS = ['100', '1K', '10K', '100K', '1M', '4M', '10M', '100M', '1G', '> 1G'];

const hasValue = ({ series }: BarChart): boolean => series.some(({ values }) => values.some((value) => value !== 0));

export function accessSizeChart({ module, accessSizes }: JobModule): BarChart | null {
  if (accessSizes === null) return null;
  const chart: BarChart = {
    title: `Access sizes, ${module}`,
    of: 'Size',
    labels: SIZE_BIN_NAMES,
    note: 'up to this many bytes',
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

export function operationChart({ module, operations }: JobModule): BarChart | null {
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
function rankLabels({ bytesRead, ranksPerRow }: JobRanks, processes: number): string[] {
  return bytesRead.map((_, row) => rankLabel(row, ranksPerRow, processes));
}

/** Said of a chart by ranks where a bar is the sum of several. */
function rankNote({ ranksPerRow }: JobRanks): { note?: string } {
  return ranksPerRow > 1 ? { note: `each bar is the sum of ${ranksPerRow} ranks` } : {};
}

export function rankBytesChart(ranks: JobRanks, processes: number): BarChart {
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

export function rankTimeChart(ranks: JobRanks, processes: number): BarChart | null {
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
