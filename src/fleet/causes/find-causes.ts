import type { CauseJob, Causes, Direction } from './causes.ts';
import { contributingFactors } from './contributing-factors.ts';
import { criticalPath, type CriticalPath } from './critical-path.ts';
import { findVerdicts } from './verdicts.ts';

/**
 * Why a job reads (or writes) slowly: the critical path through the intervals of its files, the bandwidth over the time
 * in which at least one was active, the five contributing factors, and what they amount to (IOMiner, section II.D).
 * O(n log n) in the number of files.
 */
export function findCauses(job: CauseJob, direction: Direction): Causes {
  const found = findFactors(job, direction);
  return { ...found, verdicts: findVerdicts(job, found, (other) => findFactors(other, direction)) };
}

function findFactors(job: CauseJob, direction: Direction): Omit<Causes, 'verdicts'> {
  const starts = Float64Array.from(job.files, ({ start }) => start);
  const ends = Float64Array.from(job.files, ({ end }) => end);
  const path = criticalPath(starts, ends);
  const critical = criticalFiles(path);
  const activeSeconds = critical.reduce((sum, { exclusiveSeconds }) => sum + exclusiveSeconds, 0);
  const bytes = job.files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    direction,
    bytes,
    activeSeconds,
    spanSeconds: spanOf(starts, ends),
    bandwidth: activeSeconds > 0 ? bytes / activeSeconds : null,
    stretches: path.files.map((file, i) => ({ file, from: path.froms[i]!, to: path.tos[i]! })),
    critical,
    factors: contributingFactors(
      job,
      critical.map(({ file, exclusiveSeconds: seconds }) => ({ file, seconds })),
    ),
  };
}

/** A file follows at most once in the path, so its stretch is all of its exclusive time. */
function criticalFiles({ files, froms, tos }: CriticalPath): Causes['critical'] {
  return files
    .map((file, i) => ({ file, exclusiveSeconds: tos[i]! - froms[i]! }))
    .sort((a, b) => b.exclusiveSeconds - a.exclusiveSeconds || a.file - b.file);
}

function spanOf(starts: Float64Array, ends: Float64Array): number {
  let first = Infinity;
  let last = -Infinity;
  for (let i = 0; i < starts.length; i++) {
    if (!(ends[i]! >= starts[i]!)) continue;
    first = Math.min(first, starts[i]!);
    last = Math.max(last, ends[i]!);
  }
  return last > first ? last - first : 0;
}
