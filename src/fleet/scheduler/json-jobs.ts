import { AccountingBuilder, type Accounting } from './accounting.ts';
import { objectsUnder } from './json-objects.ts';
import { jobAt } from './json-values.ts';

/** Adds what one job says of itself. */
type AddJob = (builder: AccountingBuilder, job: unknown, id: string) => void;

/** Reads the jobs of what one of Slurm's commands printed as JSON; what is damaged, or has no number, is left out. */
export function readJsonJobs(format: string, name: string, bytes: Uint8Array, addJob: AddJob): Accounting {
  const builder = new AccountingBuilder(format, name);
  for (const found of objectsUnder(bytes, 'jobs')) {
    if ('cut' in found) {
      builder.lost('the text ends, or is damaged, within a job; that job is left out');
      continue;
    }
    const id = jobAt(found.value, 'job_id');
    if (id === null) builder.lost('a job without number is left out');
    else addJob(builder, found.value, id);
  }
  return builder.finish();
}
