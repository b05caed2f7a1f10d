/** What the command line needs of the batch system. */
export { collectJob } from './fleet/slurm/collect-job.ts';
export { collectSubmission } from './fleet/slurm/collect-submit.ts';
