import { formatShare } from '../../../base/quantities.ts';
import type { KnownWorkflow } from '../build-workflow.ts';
import type { WorkflowInsight, WorkflowStep } from '../workflow-document.ts';
import { seconds, severityOf, stepName } from './words.ts';

/** Share of the time of all steps from which one dominates. */
const DOMINATES = 0.25;
/** Share of its own time from which a step is bound by I/O or communication. */
const BOUND = 0.3;
/** Share of the time of all steps below which nobody needs to know. */
const WORTHWHILE = 0.02;
const MOST_BOUND = 8;

interface PlacedStep {
  readonly job: number;
  readonly step: number;
  readonly elapsed: number;
  readonly found: WorkflowStep;
}

/** Steps that cost most, and what they cost it for. */
export function stepInsights(workflow: KnownWorkflow): WorkflowInsight[] {
  const steps = workflow.jobs.flatMap((each, job) =>
    each.steps.map((found, step): PlacedStep => ({ job, step, found, elapsed: found.elapsed ?? 0 })),
  );
  const all = steps.reduce((sum, { elapsed }) => sum + elapsed, 0);
  if (all <= 0) return [];
  return [
    ...dominating(workflow, steps, all),
    ...bound(workflow, steps, all, 'io'),
    ...bound(workflow, steps, all, 'communication'),
  ];
}

function dominating(
  { jobs, criticalChain, start, end }: KnownWorkflow,
  steps: PlacedStep[],
  all: number,
): WorkflowInsight[] {
  const [largest] = [...steps].sort((a, b) => b.elapsed - a.elapsed);
  if (steps.length < 2 || largest === undefined || largest.elapsed < DOMINATES * all) return [];
  const { job, step, elapsed } = largest;
  const ofJobs = jobs.reduce((sum, each) => sum + (each.elapsed ?? 0), 0);
  const ofJob = (jobs[job]!.elapsed ?? elapsed) / ofJobs;
  const saved = criticalChain.includes(job) ? elapsed : null;
  const name = stepName(jobs[job]!, step);
  return [
    {
      kind: 'dominating-step',
      severity: severityOf(saved, start === null || end === null ? null : end - start),
      title: `${name.charAt(0).toUpperCase()}${name.slice(1)} takes ${formatShare(elapsed / all)} of the run time of all steps`,
      message:
        `It runs for ${seconds(elapsed)}. Job ${jobs[job]!.id} accounts for ${formatShare(ofJob)} of the run time of all ` +
        `jobs${saved === null ? ', and is not on the critical chain' : ''}.`,
      recommendation: 'Look at its recording first: what it saves is worth more than what all others could.',
      jobs: [job],
      seconds: saved,
    },
  ];
}

const WORDS = {
  io: {
    kind: 'io-bound-step',
    what: 'I/O',
    advice: 'Open its recording: the findings name the lines that cost this time, and what to write instead.',
  },
  communication: {
    kind: 'communication-bound-step',
    what: 'communication',
    advice:
      'Open its recording: look for processes that wait for others (load imbalance), and for collective calls that are ' +
      'made too often.',
  },
} as const;

function bound(
  { jobs, start, end }: KnownWorkflow,
  steps: readonly PlacedStep[],
  all: number,
  group: 'io' | 'communication',
): WorkflowInsight[] {
  const { kind, what, advice } = WORDS[group];
  const found = steps.flatMap(({ job, step, elapsed, found: { share } }) => {
    if (share === null || elapsed < WORTHWHILE * all) return [];
    const part = share[group] / (share.computation + share.communication + share.io);
    return part < BOUND ? [] : [{ job, step, part, elapsed, cost: part * elapsed }];
  });
  found.sort((a, b) => b.cost - a.cost);
  return found.slice(0, MOST_BOUND).map(({ job, step, part, elapsed, cost }): WorkflowInsight => {
    const name = stepName(jobs[job]!, step);
    return {
      kind,
      severity: severityOf(cost, start === null || end === null ? null : end - start),
      title: `${name.charAt(0).toUpperCase()}${name.slice(1)} spends ${formatShare(part)} of its time in ${what}`,
      message: `That is ${seconds(cost)} of the ${seconds(elapsed)} that it runs.`,
      recommendation: advice,
      jobs: [job],
      seconds: cost,
    };
  });
}
