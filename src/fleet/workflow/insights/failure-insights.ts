import type { KnownWorkflow } from '../build-workflow.ts';
import type { WorkflowDependency, WorkflowInsight, WorkflowJob } from '../workflow-document.ts';
import { jobNames, listed, seconds } from './words.ts';

/** Failures that are told one by one. */
const MOST_FAILURES = 20;

/** States in which a job or step came to no good end. */
const FAILED = new Set([
  'FAILED',
  'TIMEOUT',
  'OUT_OF_MEMORY',
  'NODE_FAIL',
  'BOOT_FAIL',
  'DEADLINE',
  'CANCELLED',
  'PREEMPTED',
  'REVOKED',
]);
const STATE_WORDS: Readonly<Record<string, string>> = {
  FAILED: 'failed',
  TIMEOUT: 'ran out of time',
  OUT_OF_MEMORY: 'ran out of memory',
  NODE_FAIL: 'lost a node',
  BOOT_FAIL: 'lost a node',
  DEADLINE: 'missed its deadline',
  CANCELLED: 'was cancelled',
  PREEMPTED: 'was preempted',
};

/** Jobs that failed, with those that will never start because of it, and failed steps of jobs that call themselves well. */
export function failureInsights(workflow: KnownWorkflow): WorkflowInsight[] {
  const waiting = workflow.dependencies
    .filter(({ kind, type, to }) => {
      const needsSuccess = kind === 'declared' && (type === 'afterok' || type === 'aftercorr');
      return needsSuccess && workflow.jobs[to]!.start === null;
    })
    .sort((a, b) => a.to - b.to);
  const found = workflow.jobs.flatMap((job, index): WorkflowInsight[] => {
    const steps = job.steps.filter(
      ({ id, state, exitCode }) => id !== job.id && (FAILED.has(state) || (exitCode ?? 0) !== 0),
    );
    const hasFailed = FAILED.has(job.state);
    if (!hasFailed && steps.length === 0) return [];
    const never = hasFailed ? neverStarting(waiting, index) : [];
    const what = hasFailed ? (STATE_WORDS[job.state] ?? 'failed') : 'has failed steps';
    return [
      {
        kind: 'failed-job',
        severity: hasFailed ? 'high' : 'warn',
        title: `Job ${job.id} ${what}${exitWords(job)}`,
        message: messageOf(
          workflow,
          job,
          steps.map(({ id, name }) => (name === '' ? id : `${id} (${name})`)),
          never,
        ),
        recommendation: hasFailed
          ? 'Look at its output first: jobs behind it may have worked with incomplete data, or wait for nothing.'
          : 'Check that the script notices when a step fails (set -e), before later jobs use what it left.',
        jobs: [index, ...never],
        seconds: job.elapsed,
      },
    ];
  });
  if (found.length <= MOST_FAILURES) return found;
  const others = found.splice(MOST_FAILURES);
  return [...found, summaryOf(others)];
}

/** Of the tasks of an array, say: one finding for all that are not told one by one. */
function summaryOf(others: readonly WorkflowInsight[]): WorkflowInsight {
  return {
    kind: 'failed-job',
    severity: others.some(({ severity }) => severity === 'high') ? 'high' : 'warn',
    title: `${others.length} more jobs failed, or have failed steps`,
    message: 'They are marked in the table of jobs.',
    recommendation: 'Look at one of them first: what fails so often fails for one reason.',
    jobs: [...new Set(others.flatMap(({ jobs }) => jobs))].sort((a, b) => a - b),
    seconds: others.reduce((sum, { seconds: lost }) => sum + (lost ?? 0), 0),
  };
}

function exitWords({ exitCode }: WorkflowJob): string {
  return (exitCode ?? 0) === 0 ? '' : ` (exit status ${exitCode})`;
}

function messageOf(
  { jobs }: KnownWorkflow,
  job: WorkflowJob,
  steps: readonly string[],
  never: readonly number[],
): string {
  const parts: string[] = [];
  if (steps.length > 0) parts.push(`Of its steps ${listed(steps.slice(0, 5))} failed.`);
  parts.push(job.elapsed === null || job.elapsed === 0 ? 'It never ran.' : `It had run for ${seconds(job.elapsed)}.`);
  if (never.length > 0) parts.push(`Because of it ${jobNames(jobs, never)} cannot start.`);
  return parts.join(' ');
}

/**
 * Jobs that wait for the success of this one, and those behind them.
 * @param waiting dependencies of jobs that have not started, by these.
 */
function neverStarting(waiting: readonly WorkflowDependency[], failed: number): number[] {
  const stuck = new Set([failed]);
  for (const { from, to } of waiting) if (stuck.has(from)) stuck.add(to);
  stuck.delete(failed);
  return [...stuck];
}
