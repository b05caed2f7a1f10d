import { counted, formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../../base/quantities.ts';
import type { JobModuleSummary, JobSummary } from './job-document.ts';

/** The essentials of a job as name and value: what Drishti's report begins with. Values come from the log as they are. */
export function jobFacts(document: JobSummary): [name: string, value: string][] {
  const { job, usedFiles } = document;
  const throughModules = usedFiles.byModule.map(({ module, files }) => `${formatCount(files)} ${module}`).join(', ');
  const hints = job.hints.map(([name, value]) => (value === '' ? name : `${name}=${value}`)).join(' ');
  const facts: [string, string][] = [
    ['job', job.jobId],
    ['executable', job.command || 'unknown'],
    ['started', job.startTime === null ? 'unknown' : instant(job.startTime)],
    [
      'run time',
      job.runSeconds === null ? `unknown${job.wasKilled ? ': the program was killed' : ''}` : seconds(job.runSeconds),
    ],
    [
      'processes',
      (job.processes === 0 ? 'unknown' : counted(job.processes, 'process', 'processes')) +
        (job.hosts > 0 ? ` on ${counted(job.hosts, 'host')}` : ''),
    ],
    ['files', formatCount(usedFiles.files) + (throughModules === '' ? '' : ` (${throughModules})`)],
    ['hints', hints || 'none'],
    ['log', `${job.libraryVersion === '' ? '' : `Darshan ${job.libraryVersion}, `}format ${job.logVersion}`],
  ];
  const incomplete = document.regions.filter((region) => region.incomplete).map(({ name }) => name);
  if (incomplete.length > 0) facts.push(['incomplete', `${incomplete.join(', ')}: the recorder had no room for all`]);
  const skipped = document.regions.filter((region) => !region.known).map(({ name }) => name);
  if (skipped.length > 0) facts.push(['not read', skipped.join(', ')]);
  return facts;
}

/** Seconds since 1970 as a date; '' of those that no calendar has. */
export function instant(time: number): string {
  const date = new Date(time * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** A duration of seconds. */
function seconds(value: number): string {
  return formatDuration(value * 1e9);
}

/** A bandwidth of MiB/s. */
function bandwidth(mebibytesPerSecond: number): string {
  return formatRate(mebibytesPerSecond * 2 ** 20);
}

export const MODULE_HEAD = [
  'module',
  'files',
  'read',
  'written',
  'time read',
  'write',
  'metadata',
  'of the run',
  'bandwidth',
];

/** A line of numbers for each module that moves bytes or takes time. */
export function moduleRows(document: JobSummary): string[][] {
  return document.modules.filter(({ time, categories }) => time !== null || categories !== null).map(moduleRow);
}

function moduleRow(module: JobModuleSummary): string[] {
  const { time, categories, performance } = module;
  const run = time?.shareOfRun;
  return [
    module.module,
    categories === null ? '' : formatCount(categories.total.files),
    formatBytes(module.bytesRead),
    formatBytes(module.bytesWritten),
    time === null ? '' : seconds(time.readSeconds),
    time === null ? '' : seconds(time.writeSeconds),
    time === null ? '' : seconds(time.metadataSeconds),
    run === null || run === undefined ? '' : formatShare(run.read + run.write + run.metadata + run.wait),
    performance === null || performance.mebibytesPerSecond === 0 ? '' : bandwidth(performance.mebibytesPerSecond),
  ];
}

/** The essentials of a job for a terminal. */
export function jobLines(document: JobSummary): string[] {
  // A line end in a name of the log must not begin a line of the report.
  const facts = jobFacts(document).map(([name, value]) => `${name.padEnd(10)} ${value.replace(/[\r\n]+/g, ' ')}`);
  const rows = moduleRows(document);
  if (rows.length === 0) return facts;
  const all = [MODULE_HEAD, ...rows];
  const widths = MODULE_HEAD.map((_, i) => all.reduce((width, row) => Math.max(width, row[i]!.length), 0));
  const table = all.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  );
  return [...facts, '', ...table];
}
