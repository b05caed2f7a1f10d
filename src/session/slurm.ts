import { stripeTargets } from './fleet/slurm/stripe-targets.ts';
import { SlurmBatchSystem } from './fleet/slurm/slurm-batch-system.ts';
import { IngestArray } from './fleet/batch/ingest-array.ts';
import type { LocalStore } from './fleet/local-store.ts';

export { collectJob } from './fleet/slurm/collect-job.ts';
export { collectSubmission } from './fleet/slurm/collect-submit.ts';
export { readShard } from './fleet/batch/run-files.ts';
export type { ArrayOptions, RunState } from './fleet/batch/ingest-array.ts';

/**
 * Ingestion into a store by job arrays of this machine's Slurm.
 * @param iolens program and words that run the command line on the nodes.
 */
export function slurmArray(store: LocalStore, iolens: readonly string[]): IngestArray {
  return new IngestArray(store, new SlurmBatchSystem(), iolens, stripeTargets);
}
