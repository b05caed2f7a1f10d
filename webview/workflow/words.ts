import { GROUP_NAMES, shareParts } from '../../src/drawing/workflow/share-parts.ts';
import { formatBytes, formatShare } from '../../src/base/quantities.ts';
import type {
  AccessMode,
  RuntimeShare,
  WorkflowDependency,
  WorkflowDocument,
  WorkflowJob,
  WorkflowStep,
} from '../../src/features/workflow/protocol.ts';
import { formatDate, formatSeconds } from '../../src/drawing/charts/amounts.ts';

/** What stands for something that nobody knows. */
const UNKNOWN = '–';

export function secondsText(seconds: number | null): string {
  return seconds === null ? UNKNOWN : formatSeconds(seconds);
}

export function dateText(seconds: number | null): string {
  return seconds === null ? UNKNOWN : formatDate(seconds);
}

export function bytesText(bytes: number | null): string {
  return bytes === null ? UNKNOWN : formatBytes(bytes);
}

export function countText(count: number | null): string {
  return count === null ? UNKNOWN : count.toLocaleString('en-US');
}

/** The state of a batch system that is no success, and no state of something that still runs or waits. */
export function isFailed(state: string): boolean {
  return state !== '' && !/^(COMPLETED|COMPLETING|RUNNING|PENDING|CONFIGURING|SUSPENDED|UNKNOWN)\b/i.test(state);
}

export const MODE_NAMES: Readonly<Record<AccessMode, string>> = {
  read: 'read only',
  'read-write': 'read and written',
  write: 'written only',
};

/** `52 % computation, 47 % communication, 1 % I/O` */
export function shareText(share: RuntimeShare | null): string {
  const parts = shareParts(share).filter(({ part }) => part > 0);
  if (parts.length === 0) return 'nothing recorded';
  return parts
    .map(
      ({ group, part }) => `${formatShare(part)} ${group === 'io' ? GROUP_NAMES.io : GROUP_NAMES[group].toLowerCase()}`,
    )
    .join(', ');
}

function fileName(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** Why one job comes after another, in words. */
export function dependencyText(dependency: WorkflowDependency, { files }: Pick<WorkflowDocument, 'files'>): string {
  switch (dependency.kind) {
    case 'declared':
      return `declared${dependency.type === '' ? '' : ` (${dependency.type})`}`;
    case 'data': {
      const names = dependency.files.slice(0, 3).map((file) => fileName(files[file]?.path ?? ''));
      const more = dependency.files.length > 3 ? ` and ${dependency.files.length - 3} more files` : '';
      return `data${names.length === 0 ? '' : `: ${names.join(', ')}${more}`}`;
    }
    case 'time':
      return 'time: it began when the other had ended';
  }
}

/** What a screen reader says of a job, and what is shown where the pointer rests. */
export function jobText(job: WorkflowJob, at: number, document: WorkflowDocument): string {
  const name = (other: number): string => document.jobs[other]!.id;
  const list = (jobs: readonly number[]): string => [...new Set(jobs)].map(name).join(', ');
  const sound = document.dependencies.filter(({ from, to }) => document.jobs[from] && document.jobs[to] && from !== to);
  const before = sound.filter(({ to }) => to === at).map(({ from }) => from);
  const after = sound.filter(({ from }) => from === at).map(({ to }) => to);
  return [
    `Job ${job.id}${job.name === '' ? '' : ` ${job.name}`}`,
    job.state,
    secondsText(job.elapsed),
    job.steps.length === 1 ? '1 step' : `${job.steps.length} steps`,
    shareText(job.share),
    before.length === 0 ? '' : `after ${list(before)}`,
    after.length === 0 ? '' : `before ${list(after)}`,
    document.criticalChain.includes(at) ? 'on the critical chain' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

export function stepText(step: WorkflowStep): string {
  const files = step.files.length === 0 ? '' : step.files.length === 1 ? '1 file' : `${step.files.length} files`;
  const recorded = step.recording.length > 0 ? 'double-click opens the recording' : '';
  return [`Step ${step.id}`, step.name, step.state, secondsText(step.elapsed), shareText(step.share), files, recorded]
    .filter((part) => part !== '')
    .join(', ');
}
