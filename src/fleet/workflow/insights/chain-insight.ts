import type { KnownWorkflow } from '../build-workflow.ts';
import type { WorkflowInsight } from '../workflow-document.ts';
import { seconds } from './words.ts';

/** Jobs beside the chain that the message names. */
const MOST_OTHERS = 5;

/** Which jobs the length of the whole hangs on. */
export function chainInsight({ jobs, criticalChain, start, end }: KnownWorkflow): WorkflowInsight[] {
  if (jobs.length < 2 || criticalChain.length === 0 || start === null || end === null) return [];
  const running = criticalChain.reduce((sum, job) => sum + (jobs[job]!.elapsed ?? 0), 0);
  const others = jobs.filter((_, index) => !criticalChain.includes(index)).length;
  const beside =
    others === 0
      ? ''
      : others <= MOST_OTHERS
        ? ` Not on it: ${jobs.flatMap(({ id }, index) => (criticalChain.includes(index) ? [] : [id])).join(', ')}.`
        : ` ${others} jobs are not on it.`;
  const longest = [...criticalChain].sort((a, b) => (jobs[b]!.elapsed ?? 0) - (jobs[a]!.elapsed ?? 0))[0]!;
  return [
    {
      kind: 'critical-chain',
      severity: 'info',
      title: `Critical chain: ${criticalChain.map((job) => jobs[job]!.id).join(' → ')}`,
      message:
        `The workflow takes ${seconds(end - start)}; the jobs of this chain run for ${seconds(running)} of it one after ` +
        `the other.${beside}`,
      recommendation:
        `Make the jobs of the chain shorter, job ${jobs[longest]!.id} (${seconds(jobs[longest]!.elapsed ?? 0)}) first: ` +
        'what other jobs save shortens nothing.',
      jobs: criticalChain,
      seconds: null,
    },
  ];
}
