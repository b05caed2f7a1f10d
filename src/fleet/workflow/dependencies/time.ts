import { freedAt } from '../insights/critical-chain.ts';
import type { JobDraft } from '../jobs/job-draft.ts';
import type { WorkflowDependency } from '../workflow-document.ts';
import { JobGraph } from './job-graph.ts';

/** Seconds after which a job still follows another: schedulers look once in half a minute for what can start. */
const AT_ONCE = 30;
/** Of jobs that end at the same second, the tasks of an array say, the last ones stand for all. */
const MOST_TOGETHER = 8;

/**
 * Dependencies inferred from times (Tschüter, section 4.4.3, the dotted arrows): a job began as soon as another had ended,
 * and no declared dependency or data says why. Of several that ended at the same second each counts, of many the last ones.
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
  const ended = jobs
    .flatMap(({ end }, job) => (end === null ? [] : [{ job, end }]))
    .sort((a, b) => a.end - b.end || a.job - b.job);
  const found: WorkflowDependency[] = [];
  jobs.forEach(({ start, elapsed, state }, to) => {
    // A job that was cancelled before it ran began nothing.
    if (start === null || (elapsed === 0 && state === 'CANCELLED')) return;
    let at = endedUntil(ended, start);
    while (at > 0 && ended[at - 1]!.job >= to) at--;
    const last = at === 0 ? -Infinity : ended[at - 1]!.end;
    // What is known to have ended just before says why already, whatever else ended then.
    if (start - last > AT_ONCE || start - (knownBefore.get(to) ?? -Infinity) <= AT_ONCE) return;
    const together = ended.slice(Math.max(0, at - MOST_TOGETHER), at).filter(({ end }) => end > last - 1);
    for (const { job: from } of together.sort((a, b) => a.job - b.job)) {
      if (from >= to || graph.leads(from, to)) continue;
      graph.add(from, to);
      found.push({ kind: 'time', from, to, fromStep: null, toStep: null, files: [], type: '' });
    }
  });
  return found;
}

/** How many jobs had ended at a moment. */
function endedUntil(ended: readonly { readonly end: number }[], moment: number): number {
  let [low, high] = [0, ended.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ended[middle]!.end <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
