import type { KnownWorkflow } from '../build-workflow.ts';
import { JobGraph } from '../dependencies/job-graph.ts';
import type { WorkflowInsight, WorkflowJob } from '../workflow-document.ts';
import { shortestRun } from './schedule.ts';
import { seconds, severityOf } from './words.ts';

/** Declared for the sake of data: the others are about failures, starts, or jobs that exclude each other. */
const FOR_DATA = ['afterok', 'afterany', 'aftercorr'];

/** Where what was declared and how data flow differ. */
export function declarationInsights(workflow: KnownWorkflow): WorkflowInsight[] {
  return [...undeclared(workflow), ...needless(workflow)];
}

/** The scheduler does not know that one needs the other's data: that they came in time was luck, or another tool's care. */
function undeclared({ jobs, dependencies, files, drafts }: KnownWorkflow): WorkflowInsight[] {
  // Jobs that no batch system ran have nobody to be declared to.
  const graph = new JobGraph(
    jobs.length,
    dependencies.filter(({ kind }) => kind === 'declared'),
  );
  return dependencies.flatMap(({ kind, from, to, files: shared }): WorkflowInsight[] => {
    if (kind !== 'data' || jobs[to]!.submit === null || graph.leads(from, to)) return [];
    const [writer, reader] = [jobs[from]!, jobs[to]!];
    const others = shared.length - 1;
    return [
      {
        kind: 'undeclared-dependency',
        severity: 'warn',
        title: `Job ${reader.id} reads what job ${writer.id} writes, and the scheduler does not know`,
        message:
          `${files[shared[0]!]!.path}${others > 0 ? ` and ${others} more` : ''}: written by job ${writer.id}, then read by ` +
          `job ${reader.id}. No declared dependency leads from one to the other: had job ${reader.id} started earlier it ` +
          'would have read old or incomplete data.',
        recommendation: `Submit job ${reader.id} with --dependency=afterok:${drafts[from]!.number}.`,
        jobs: [from, to],
        seconds: null,
      },
    ];
  });
}

/** Declared, and no data flow: the later job could have begun earlier. Only where all that both did was recorded. */
function needless({ jobs, dependencies, flows, start, end }: KnownWorkflow): WorkflowInsight[] {
  const data = new JobGraph(
    jobs.length,
    flows.map(({ writer, reader }) => ({ from: writer.job, to: reader.job })),
  );
  const whole = start === null || end === null ? null : end - start;
  const all = shortestRun(jobs, dependencies);
  return dependencies.flatMap((edge): WorkflowInsight[] => {
    const { kind, type, from, to } = edge;
    const [before, after] = [jobs[from]!, jobs[to]!];
    if (kind !== 'declared' || !FOR_DATA.includes(type) || !isRecorded(before) || !isRecorded(after)) return [];
    if (data.leads(from, to)) return [];
    const saved =
      all -
      shortestRun(
        jobs,
        dependencies.filter((each) => each !== edge),
      );
    return [
      {
        kind: 'needless-dependency',
        severity: severityOf(saved, whole),
        title: `Job ${after.id} waits for job ${before.id}, and gets no data from it`,
        message:
          `${type}:${before.id} was declared, and no file that job ${before.id} wrote is read by job ${after.id}, not even ` +
          `through other jobs. Without it the workflow could end up to ${seconds(saved)} earlier.`,
        recommendation:
          'Take the dependency out, unless the order matters for another reason: results that stay in a database or in ' +
          'memory, a limit on licences, a check that must succeed first.',
        jobs: [from, to],
        seconds: saved,
      },
    ];
  });
}

function isRecorded({ steps }: WorkflowJob): boolean {
  return steps.length > 0 && steps.every(({ recordingFormat }) => recordingFormat !== null);
}
