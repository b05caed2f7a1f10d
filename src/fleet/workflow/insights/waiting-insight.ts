import type { KnownWorkflow } from '../build-workflow.ts';
import type { WorkflowInsight } from '../workflow-document.ts';
import { freedAt } from './critical-chain.ts';
import { listed, seconds, severityOf } from './words.ts';

/** Share of the whole below which waiting is not worth a finding. */
const WORTHWHILE = 0.05;
const MOST_JOBS = 4;

/** How long the jobs of the critical chain waited although nothing but the queue kept them. */
export function waitingInsight({
  jobs,
  drafts,
  dependencies,
  criticalChain,
  start,
  end,
}: KnownWorkflow): WorkflowInsight[] {
  if (start === null || end === null) return [];
  const freed = new Map<number, number>();
  for (const edge of dependencies) {
    const at = freedAt(jobs, edge);
    if (at !== null && at > (freed.get(edge.to) ?? -Infinity)) freed.set(edge.to, at);
  }
  const waits = criticalChain.flatMap((job) => {
    const { submit, start: begun } = jobs[job]!;
    if (submit === null || begun === null) return [];
    const wait = begun - Math.max(submit, drafts[job]!.eligible ?? -Infinity, freed.get(job) ?? -Infinity);
    return wait > 0 ? [{ job, wait }] : [];
  });
  const total = waits.reduce((sum, { wait }) => sum + wait, 0);
  const whole = end - criticalChain.reduce((first, job) => Math.min(first, jobs[job]!.submit ?? first), start);
  if (total < WORTHWHILE * whole) return [];
  waits.sort((a, b) => b.wait - a.wait);
  const named = waits.slice(0, MOST_JOBS).map(({ job, wait }) => `job ${jobs[job]!.id} for ${seconds(wait)}`);
  if (waits.length > MOST_JOBS) named.push(`${waits.length - MOST_JOBS} more`);
  return [
    {
      kind: 'waiting-in-queue',
      severity: severityOf(total, whole),
      title: `The critical chain waits in the queue for ${seconds(total)}`,
      message: `Jobs that could have started waited for nodes: ${listed(named)}, of ${seconds(whole)} in all.`,
      recommendation:
        'Ask for less time or fewer nodes so that the scheduler can fit them in, run short jobs as steps of one ' +
        'allocation, or reserve nodes for the workflow.',
      jobs: waits.map(({ job }) => job),
      seconds: total,
    },
  ];
}
