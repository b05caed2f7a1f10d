import { counted, formatBytes, formatDuration, formatShare } from '../../base/quantities.ts';
import type {
  RuntimeShare,
  WorkflowDependency,
  WorkflowDocument,
  WorkflowJob,
  WorkflowStep,
} from '../../fleet/workflow/workflow-document.ts';
import { printable } from '../report/report-text.ts';

/** Rows of a table that a terminal is filled with; `--json` has them all. */
const MOST_ROWS = 60;
const MOST_FILES = 20;
const MOST_OF_CHAIN = 20;

/** A workflow for people. */
export function workflowText(workflow: WorkflowDocument): string {
  return [
    summary(workflow),
    table(
      'Jobs',
      JOB_HEAD,
      workflow.jobs.slice(0, MOST_ROWS).map((job, index) => jobCells(workflow, job, index)),
      workflow.jobs.length,
    ),
    table(
      'Steps',
      STEP_HEAD,
      workflow.jobs.flatMap(({ steps }) => steps.map(stepCells)),
    ),
    table('Files between jobs', FILE_HEAD, sharedFiles(workflow)),
    findings(workflow),
    notes(workflow.notes),
  ].join('');
}

function summary({ folder, jobs, files, start, end, share, criticalChain }: WorkflowDocument): string {
  const steps = jobs.reduce((sum, job) => sum + job.steps.length, 0);
  const when = start === null ? '' : `, from ${instant(start)}`;
  const long = start === null || end === null ? '' : `, ${seconds(end - start)}`;
  const lines = [
    printable(folder),
    `  ${counted(jobs.length, 'job')}, ${counted(steps, 'step')}, ${counted(files.length, 'file')}${when}${long}`,
  ];
  if (share !== null) {
    const [computation, communication, io] = shares(share);
    lines.push(`  computation ${computation}, communication ${communication}, I/O ${io} of the recorded time`);
  }
  if (criticalChain.length > 1) {
    const ids = criticalChain.map((job) => printable(jobs[job]!.id));
    // The ends of a chain of thousands tell where to look.
    const shown =
      ids.length <= MOST_OF_CHAIN ? ids : [...ids.slice(0, MOST_OF_CHAIN / 2), '…', ...ids.slice(-MOST_OF_CHAIN / 2)];
    lines.push(`  critical chain${ids.length === shown.length ? '' : ` of ${ids.length} jobs`}: ${shown.join(' → ')}`);
  }
  return `${lines.join('\n')}\n`;
}

const JOB_HEAD = ['start', 'run time', 'queued', 'comp.', 'comm.', 'I/O', 'state', 'job', 'name', 'after'];

function jobCells({ jobs, dependencies, start: first }: WorkflowDocument, job: WorkflowJob, index: number): string[] {
  const into = dependencies.filter(({ to }) => to === index);
  return [
    job.start === null || first === null ? '–' : `+${seconds(job.start - first)}`,
    orDash(job.elapsed),
    orDash(job.queued),
    ...shares(job.share),
    job.state || '–',
    job.id,
    job.name,
    into.map((edge) => dependencyWords(jobs, edge)).join(', '),
  ];
}

/** `42 (afterok)`, `43 (data)`, `44 (time)`. */
function dependencyWords(jobs: readonly WorkflowJob[], { kind, type, from }: WorkflowDependency): string {
  return `${jobs[from]!.id} (${kind === 'declared' ? type : kind})`;
}

const STEP_HEAD = ['run time', 'tasks', 'comp.', 'comm.', 'I/O', 'state', 'step', 'name', 'recorded by'];

function stepCells(step: WorkflowStep): string[] {
  return [
    orDash(step.elapsed),
    step.tasks === null ? '–' : String(step.tasks),
    ...shares(step.share),
    step.state || '–',
    step.id,
    step.name,
    step.recordingFormat ?? 'nothing',
  ];
}

const FILE_HEAD = ['written', 'read', 'by', 'then by', 'file'];

/** Files that one job wrote and another read. */
function sharedFiles({ jobs, files, dependencies }: WorkflowDocument): string[][] {
  const rows = dependencies.flatMap(({ kind, from, to, files: shared }) =>
    kind !== 'data'
      ? []
      : shared.map((file) => [
          bytes(jobs[from]!, file, 'bytesWritten'),
          bytes(jobs[to]!, file, 'bytesRead'),
          jobs[from]!.id,
          jobs[to]!.id,
          files[file]!.path,
        ]),
  );
  return rows.slice(0, MOST_FILES);
}

function bytes({ steps }: WorkflowJob, file: number, what: 'bytesRead' | 'bytesWritten'): string {
  const amounts = steps.flatMap((step) => step.files.flatMap((use) => (use.file === file ? [use[what]] : [])));
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? '–' : formatBytes(known.reduce((sum, amount) => sum + amount, 0));
}

function findings({ insights }: WorkflowDocument): string {
  if (insights.length === 0) return '';
  const words = { high: 'HIGH', warn: 'WARN', info: 'INFO' };
  const texts = insights.map(
    ({ severity, title, message, recommendation }) =>
      `  ${words[severity]}  ${printable(title)}\n        ${printable(message)}\n        → ${printable(recommendation)}\n`,
  );
  return `\nFindings\n${texts.join('')}`;
}

function notes(all: readonly string[]): string {
  return all.length === 0 ? '' : `\nNotes\n${all.map((note) => `  ${printable(note)}\n`).join('')}`;
}

/** Shares of computation, communication and I/O. */
function shares(share: RuntimeShare | null): [string, string, string] {
  if (share === null) return ['–', '–', '–'];
  const whole = share.computation + share.communication + share.io;
  return [share.computation, share.communication, share.io].map((part) => formatShare(part / whole)) as [
    string,
    string,
    string,
  ];
}

/** Clocks of two machines may say that a job ended before it began. */
function orDash(value: number | null): string {
  return value === null || value < 0 ? '–' : seconds(value);
}

function seconds(value: number): string {
  return value === 0 ? '0 s' : formatDuration(value * 1e9);
}

/** `2026-11-20 09:00:00 UTC`. */
function instant(value: number): string {
  return `${new Date(value * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Numbers to the right, names, which stand last, to the left. */
function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  all = rows.length,
): string {
  if (rows.length === 0) return '';
  const cells = rows.slice(0, MOST_ROWS).map((row) => row.map((cell) => printable(cell)));
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]!.length)));
  const names = !head.includes('state') ? 2 : head.indexOf('state');
  const line = (row: readonly string[]): string => {
    const padded = row.map((cell, column) =>
      column < names ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
    );
    return `  ${padded.join('  ').trimEnd()}\n`;
  };
  const more = all > MOST_ROWS ? `  and ${all - MOST_ROWS} more: see --json\n` : '';
  return `\n${title}\n${line(head)}${cells.map(line).join('')}${more}`;
}
