import type { Accounting } from '../../scheduler/accounting.ts';

/**
 * Tables without the column `JobIDRaw` know the tasks of an array as `30_1` only. Where another table tells the number of its
 * own it is put there, so that both are seen to speak of one job.
 */
export function withOwnNumbers(tables: readonly Accounting[]): Accounting[] {
  const numbers = new Map<string, string>();
  for (const { jobs } of tables) {
    for (const { job_id: number, array_job_id: array, array_task_id: task } of jobs)
      if (number !== null && array !== null && task !== null) {
        const name = `${array}_${task}`;
        if (number !== name) numbers.set(name, number);
      }
  }
  if (numbers.size === 0) return [...tables];
  const own = <Entry extends { readonly job_id: string | null }>(entry: Entry): Entry => {
    const number = entry.job_id === null ? undefined : numbers.get(entry.job_id);
    return number === undefined ? entry : { ...entry, job_id: number };
  };
  return tables.map((table) => ({ ...table, jobs: table.jobs.map(own), steps: table.steps.map(own) }));
}
