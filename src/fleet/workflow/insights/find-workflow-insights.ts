import type { KnownWorkflow } from '../build-workflow.ts';
import type { WorkflowInsight } from '../workflow-document.ts';
import { chainInsight } from './chain-insight.ts';
import { declarationInsights } from './declaration-insights.ts';
import { failureInsights } from './failure-insights.ts';
import { parallelismInsights } from './parallelism-insights.ts';
import { stepInsights } from './step-insights.ts';
import { waitingInsight } from './waiting-insight.ts';

const SEVERITIES: readonly WorkflowInsight['severity'][] = ['high', 'warn', 'info'];

/** What a workflow loses and where, the gravest first, then what could save most. */
export function findWorkflowInsights(workflow: KnownWorkflow): WorkflowInsight[] {
  const found = [
    ...failureInsights(workflow),
    ...parallelismInsights(workflow),
    ...declarationInsights(workflow),
    ...waitingInsight(workflow),
    ...stepInsights(workflow),
    ...chainInsight(workflow),
  ];
  const rank = ({ severity }: WorkflowInsight): number => SEVERITIES.indexOf(severity);
  return found.sort((a, b) => rank(a) - rank(b) || (b.seconds ?? 0) - (a.seconds ?? 0));
}
