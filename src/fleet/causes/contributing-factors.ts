import type { CauseFile, CauseJob, ContributingFactors } from './causes.ts';

type Times = readonly { readonly file: number; readonly seconds: number }[];

/**
 * The five factors of IOMiner, section II.D.
 * @param times what each file weighs; in the paper its exclusive time.
 */
export function contributingFactors(job: CauseJob, times: Times): ContributingFactors {
  const weighted = (valueOf: (file: CauseFile) => number | null) => weightedMean(job, times, valueOf);
  return {
    smallPercent: weighted(smallPercent),
    nonConsecutivePercent: weighted(nonConsecutivePercent),
    collective: job.files.some(({ collective }) => collective > 0) ? 1 : 0,
    ostCount: ostCount(job),
    processesPerOst: weighted(contention),
  };
}

/** Requests of `FILE` streams say neither their size nor their place: they count for neither percentage. */
export function smallPercent({ requests, small, sized }: CauseFile): number | null {
  const known = sized ?? requests;
  return known > 0 ? 100 * Math.min(1, small / known) : null;
}

export function nonConsecutivePercent({ requests, consecutive, placed }: CauseFile): number | null {
  const known = placed ?? requests;
  return known > 0 ? 100 * (1 - Math.min(1, consecutive / known)) : null;
}

/** Processes that compete for a target of the file ("Proc/OST"). */
export function contention({ processes, stripeCount }: CauseFile): number | null {
  return stripeCount === null || stripeCount <= 0 ? null : processes / stripeCount;
}

/** Equation 2. Files of which nothing is known are left out. */
function weightedMean({ files }: CauseJob, times: Times, valueOf: (file: CauseFile) => number | null): number | null {
  let sum = 0;
  let weights = 0;
  for (const { file, seconds } of times) {
    const value = valueOf(files[file]!);
    if (value === null) continue;
    sum += value * seconds;
    weights += seconds;
  }
  return weights > 0 ? sum / weights : null;
}

function ostCount({ osts, files }: CauseJob): number | null {
  if (osts) return osts.length === 0 ? null : new Set(osts).size;
  const used = new Set<number>();
  for (const file of files) for (const ost of file.osts) used.add(ost);
  return used.size === 0 ? null : used.size;
}
