import { freedAt } from '../insights/critical-chain.ts';
import type { JobDraft } from '../jobs/job-draft.ts';
import type { WorkflowDependency } from '../workflow-document.ts';
import { JobGraph } from './job-graph.ts';

/** Seconds after which a job still follows another: schedulers look once in half a minute for what can start. */
const AT_ONCE = 30;

/**
 * Dependencies inferred from times (Tschüter, section 4.4.3, the dotted arrows): a job began as soon as another had ended,
 * and no declared dependency or data says why. Of several that ended at the same second each counts.
 *
 * @param known declared dependencies and those of data.
 */
export function timeDependencies(
  jobs: readonly JobDraft[],
  known: readonly WorkflowDependency[],
): WorkflowDependency[] {
  const graph = new JobGraph(jobs.length, known);
  const knownBefore = new Map<number, number>();
  for (const edge of known) {
    const { to } = edge;
    const freed = freedAt(jobs, edge);
    if (freed !== null) knownBefore.set(to, Math.max(knownBefore.get(to) ?? -Infinity, freed));
  }
  const found: WorkflowDependency[] = [];
  jobs.forEach(({ start, elapsed, state }, to) => {
    // A job that was cancelled before it ran began nothing.
    if (start === null || (elapsed === 0 && state === 'CANCELLED')) return;
    const before = jobs.slice(0, to).flatMap(({ end }) => (end !== null && end <= start ? [end] : []));
    const last = before.reduce((latest, end) => Math.max(latest, end), -Infinity);
    // What is known to have ended just before says why already, whatever else ended then.
    if (start - last > AT_ONCE || start - (knownBefore.get(to) ?? -Infinity) <= AT_ONCE) return;
    jobs.slice(0, to).forEach(({ end }, from) => {
      if (end === null || end > start || end <= last - 1 || graph.leads(from, to)) return;
      graph.add(from, to);
      found.push({ kind: 'time', from, to, fromStep: null, toStep: null, files: [], type: '' });
    });
  });
  return found;
}
