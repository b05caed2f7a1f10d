import type { AccountedJob, AccountedStep, Accounting } from './accounting.ts';
import { isUnfinished, isWaiting } from './values.ts';

/** Jobs and steps of several tables, each once. */
interface MergedAccounting {
  readonly jobs: readonly AccountedJob[];
  readonly steps: readonly AccountedStep[];
}

/**
 * Puts together what several tables say of the same jobs (`sacct` the times, our collector the dependency). Of each column the
 * table counts that saw the job furthest on its way; what it does not know the others tell. Tables that do not name the cluster
 * speak of the one that another names.
 */
export function mergeAccountings(tables: readonly Accounting[]): MergedAccounting {
  const jobs = merged(
    tables.flatMap((table) => table.jobs),
    (job) => `${job.job_id} ${job.array_job_id === job.job_id && job.array_task_id === null}`,
  );
  const steps = merged(
    tables.flatMap((table) => table.steps),
    (step) => `${step.job_id}.${step.step}`,
  );
  return { jobs, steps };
}

function merged<Entry extends AccountedJob | AccountedStep>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Entry[] {
  const clusters = new Map<string, Set<string | null>>();
  for (const entry of entries) {
    const key = keyOf(entry);
    clusters.set(key, (clusters.get(key) ?? new Set()).add(entry.cluster));
  }
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const named = [...clusters.get(key)!].filter((cluster) => cluster !== null);
    const cluster = entry.cluster ?? (named.length === 1 ? named[0]! : '');
    groups.set(`${cluster} ${key}`, [...(groups.get(`${cluster} ${key}`) ?? []), entry]);
  }
  return [...groups.values()].map((group) => filled(group.sort((a, b) => progressOf(b) - progressOf(a))));
}

function progressOf({ state }: { readonly state: string | null }): number {
  if (state === null) return 0;
  return isWaiting(state) ? 1 : isUnfinished(state) ? 2 : 3;
}

/** The first one, with what only the others know. */
function filled<Entry extends object>(group: readonly Entry[]): Entry {
  const known = group.map((entry) =>
    Object.fromEntries(Object.entries(entry).filter(([, value]: [string, unknown]) => value !== null)),
  );
  return Object.assign({}, group[0], ...known.reverse()) as Entry;
}
