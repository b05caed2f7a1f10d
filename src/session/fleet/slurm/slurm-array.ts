import { IngestArray } from '../batch/ingest-array.ts';
import type { LocalStore } from '../local-store.ts';
import { SlurmBatchSystem } from './slurm-batch-system.ts';
import { stripeTargets } from './stripe-targets.ts';

/**
 * Ingestion into a store by job arrays of this machine's Slurm.
 * @param iolens program and words that run the command line on the nodes.
 */
export function slurmArray(store: LocalStore, iolens: readonly string[]): IngestArray {
  return new IngestArray(store, new SlurmBatchSystem(), iolens, stripeTargets);
}
