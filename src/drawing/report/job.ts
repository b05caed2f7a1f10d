import { formatBytes, formatCount, formatRate } from '../../base/quantities.ts';
import type { JobDocument } from '../../export/report/job-document.ts';

/** What is drawn of a job; its files come page by page. */
export type Job = Omit<JobDocument, 'files'>;
export type JobModule = Job['modules'][number];
export type JobRanks = Job['ranks'][number];
export type JobHeatmap = Job['heatmaps'][number];
export type JobFile = JobDocument['files']['rows'][number];

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

/**
 * Share of the run time that processes spend in I/O calls on average; null when unknown. Interfaces call each other (MPI-IO
 * calls POSIX): their times are not added up, but the costliest is taken. Only STDIO stands beside them.
 */
export function ioShare({ modules }: Job): number | null {
  const shares = modules.flatMap((module) => {
    const sum = shareOfRun(module);
    return sum === null ? [] : [{ module: module.module, sum }];
  });
  if (shares.length === 0) return null;
  const nested = shares.filter(({ module }) => module !== 'STDIO').reduce((most, { sum }) => Math.max(most, sum), 0);
  return Math.min(1, nested + (shares.find(({ module }) => module === 'STDIO')?.sum ?? 0));
}

/** Share of the run that an average process spends in an interface; null when unknown. */
export function shareOfRun({ time }: JobModule): number | null {
  const run = time?.shareOfRun;
  return run === undefined || run === null ? null : run.read + run.write + run.metadata + run.wait;
}

/** `3`, or `0–9` where a row stands for several. */
export function rankLabel(row: number, ranksPerRow: number, processes: number): string {
  const first = row * ranksPerRow;
  const last = Math.min(Math.max(processes, first + 1), first + ranksPerRow) - 1;
  return first === last ? String(first) : `${first}–${last}`;
}

/** Where the numbers by rank come from, and what they miss. */
export function rankSource({ source }: JobRanks): string {
  switch (source) {
    case 'segments':
      return 'From every access that was recorded (DXT).';
    case 'heatmap':
      return 'From bytes over time (heatmap); times are not known.';
    case 'records':
      return 'From records of files that one process used; what was done to shared files is not in them.';
  }
}

/** `POSIX_SIZE_READ_0_100` as `SIZE_READ_0_100`: the module stands above the table. */
export function counterName(counter: string, module: string): string {
  const prefix = `${module.replaceAll('-', '')}_`;
  return counter.startsWith(prefix) ? counter.slice(prefix.length) : counter;
}

/** A counter's number: floating-point counters are seconds or times of day and keep their digits. */
export function formatCounter(value: number | null): string {
  if (value === null) return '–';
  return value.toLocaleString('en-US', { maximumFractionDigits: Number.isInteger(value) ? 0 : 6 });
}

/** `4 KiB (4,096 B)`: sizes are compared to the byte. */
export function sizeText(bytes: number): string {
  return bytes < 1024 ? formatBytes(bytes) : `${formatBytes(bytes)} (${formatCount(bytes)} B)`;
}
