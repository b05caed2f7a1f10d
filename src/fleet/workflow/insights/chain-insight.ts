import type { KnownWorkflow } from '../build-workflow.ts';
import type { WorkflowInsight } from '../workflow-document.ts';
import { listed, seconds } from './words.ts';

/** Jobs beside the chain that the message names. */
const MOST_OTHERS = 5;
/** Jobs of the chain that the title names. */
const MOST_SHOWN = 10;

/** Which jobs the length of the whole hangs on. */
export function chainInsight(workflow: KnownWorkflow): WorkflowInsight[] {
  const { jobs, criticalChain, start, end } = workflow;
  if (jobs.length < 2 || criticalChain.length === 0 || start === null || end === null) return [];
  const running = criticalChain.reduce((sum, job) => sum + (jobs[job]!.elapsed ?? 0), 0);
  const onChain = new Set(criticalChain);
  const others = jobs.flatMap((_, index) => (onChain.has(index) ? [] : [index]));
  const named = others.slice(0, MOST_OTHERS).map((job) => `${jobs[job]!.id}${spareWords(workflow, job)}`);
  if (others.length > MOST_OTHERS) named.push(`${others.length - MOST_OTHERS} more`);
  const beside = others.length === 0 ? '' : ` Not on it: ${listed(named)}.`;
  const longest = [...criticalChain].sort((a, b) => (jobs[b]!.elapsed ?? 0) - (jobs[a]!.elapsed ?? 0))[0]!;
  return [
    {
      kind: 'critical-chain',
      severity: 'info',
      title: `Critical chain: ${chainWords(workflow)}`,
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

/** How much longer a job could take before another has to wait for it. */
function spareWords({ jobs, dependencies, end }: KnownWorkflow, job: number): string {
  const ended = jobs[job]!.end;
  if (ended === null || end === null) return '';
  let until = end;
  for (const edge of dependencies) {
    if (edge.from !== job) continue;
    const { start } = jobs[edge.to]!;
    if (start !== null && start < until) until = start;
  }
  return until - ended < 1 ? '' : ` (${seconds(until - ended)} to spare)`;
}

/** The jobs of a chain, of a long one those at both ends. */
function chainWords({ jobs, criticalChain }: KnownWorkflow): string {
  const ids = criticalChain.map((job) => jobs[job]!.id);
  const shown = ids.length <= MOST_SHOWN ? ids : [...ids.slice(0, MOST_SHOWN - 1), '…', ids.at(-1)!];
  return shown.join(' → ');
}
