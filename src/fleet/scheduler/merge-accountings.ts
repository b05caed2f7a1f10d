import { getOrCreate, groupBy } from '../../base/grouping.ts';
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
  const clusters = new ClusterNames(tables);
  const jobs = merged(
    tables.flatMap((table) => table.jobs),
    clusters,
    (job) => job.array_job_id === job.job_id && job.array_task_id === null,
  );
  const steps = merged(
    tables.flatMap((table) => table.steps),
    clusters,
    ({ step }) => step,
  );
  return { jobs, steps };
}

/** The cluster of a job where only one is named for its number: by its own row, its steps, or another table. */
class ClusterNames {
  private readonly named = new Map<string | null, Set<string>>();

  constructor(tables: readonly Accounting[]) {
    for (const { cluster, job_id: number } of tables.flatMap(({ jobs, steps }) => [...jobs, ...steps]))
      if (cluster !== null) getOrCreate(this.named, number, () => new Set()).add(cluster);
  }

  of({ cluster, job_id: number }: AccountedJob | AccountedStep): string | null {
    const named = [...(this.named.get(number) ?? [])];
    return cluster ?? (named.length === 1 ? named[0]! : null);
  }
}

/** @param within tells entries of one job apart. */
function merged<Entry extends AccountedJob | AccountedStep>(
  entries: readonly Entry[],
  clusters: ClusterNames,
  within: (entry: Entry) => string | boolean | null,
): Entry[] {
  const known = entries.map((entry) => ({ ...entry, cluster: clusters.of(entry) }));
  const groups = groupBy(known, (entry) => `${entry.cluster} ${entry.job_id} ${within(entry)}`);
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
