import type { Trace } from '../../trace/trace.ts';

/** What a recording itself says of the batch system's job that it was made in; null where it says nothing, or several things. */
export interface RecordedBatch {
  readonly job: string | null;
  readonly step: string | null;
  /** The task of the step, where the recording is of one only. */
  readonly task: number | null;
  readonly user: string | null;
  readonly account: string | null;
  /** By the batch system's names, else by the hosts'. */
  readonly nodes: readonly string[];
}

/** Slurm's numbers of what is no step of `srun` (batch script, extern, interactive) begin here. */
const NO_STEP = 0xffff_0000;

export function recordedBatch({ parts, streams, counters }: Trace): RecordedBatch {
  const batches = parts.flatMap(({ batch }) => batch ?? []);
  const step = only(batches.map((batch) => batch.step));
  const nodes = batches.map(({ node }) => node).filter((node) => node !== '');
  const hosts = [...streams.map(({ host }) => host), ...(counters?.hosts?.values() ?? [])];
  const ranks = new Set(streams.flatMap(({ rank }) => rank ?? []));
  return {
    job: only([counters?.job.jobId ?? '', ...batches.map(({ job }) => job)]),
    step: step === null || Number(step) >= NO_STEP ? null : step,
    task: ranks.size === 1 ? [...ranks][0]! : null,
    user: only(batches.map(({ user }) => user)),
    account: only(batches.map(({ account }) => account)),
    nodes: [...new Set(nodes.length > 0 ? nodes : hosts)].filter((name) => name !== ''),
  };
}

/** What all say that say something: a launcher beside the tasks of a step has no step itself. */
function only(values: readonly string[]): string | null {
  const named = new Set(values.filter((value) => value !== ''));
  return named.size === 1 ? [...named][0]! : null;
}
