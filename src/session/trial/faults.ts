import path from 'node:path';
import { comparedEnd, comparedFault, type FaultResult } from '../../analysis/trials/fault-outcome.ts';
import type { Outcome } from '../../analysis/trials/outcome.ts';
import { medianOf } from '../../analysis/trials/paired-saving.ts';
import { formatDuration } from '../../base/quantities.ts';
import { OwnMounts } from './own-mounts.ts';
import type { Variant } from './stage.ts';

/** Runs of a program, as a trial makes them. */
interface FaultedRuns {
  readonly folder: string;
  /** Where a copy lies. */
  root(variant: Variant): string;
  /** Ends the program by SIGTERM after some milliseconds. */
  ended(variant: Variant, afterMs: number): Promise<Outcome>;
  /** Runs it in another copy, which stands in the folder's place among the mounts. */
  among(mounts: OwnMounts, root: string): Promise<Outcome>;
}

/** What the runs without a fault showed, of each variant. */
interface SoundRuns {
  readonly outcomes: Readonly<Record<Variant, readonly Outcome[]>>;
  /** Nanoseconds. */
  readonly times: Readonly<Record<Variant, readonly number[]>>;
  readonly isOwnPlace: boolean;
}

/** Half a run is shorter than what a program needs to begin. */
const SHORTEST_RUN = 50e6;
const TRIES = 3;
/** A file system in memory that holds the copy and so many bytes more. */
const SMALL_DISK = [
  'mount -t tmpfs iolens "$2"',
  'cp -a "$1"/. "$2"/',
  'size=$(( $(stat -f -c "(%b-%f)*%S" "$2") + $3 ))',
  'mount -o remount,size=$size "$2"',
  'cd "$2"',
].join(' && ');

/** What happens to both when something goes wrong. `notes`: what could not be tried, and why. */
export async function tryFaults(
  runs: FaultedRuns,
  sound: SoundRuns,
): Promise<{ results: FaultResult[]; notes: string[] }> {
  const results: FaultResult[] = [];
  const notes: string[] = [];
  const full = await diskFull(runs, sound);
  if (typeof full === 'string') notes.push(full);
  else results.push(full);
  const ended = await endedHalfway(runs, sound);
  if (typeof ended === 'string') notes.push(ended);
  else results.push(ended);
  return { results, notes };
}

/** The disk has room for half of what a run writes. */
async function diskFull(runs: FaultedRuns, { outcomes, isOwnPlace }: SoundRuns): Promise<FaultResult | string> {
  const [first] = outcomes.original;
  const written = first?.grown ?? 0;
  if (written === 0) return 'a full disk was not tried: no file grows';
  if (!isOwnPlace) return 'a full disk was not tried: mounts are not allowed here';
  const outcome = async (variant: Variant): Promise<Outcome | undefined> => {
    const half = String(Math.ceil(written / 2));
    const mounts = await OwnMounts.open(SMALL_DISK, runs.root(variant), runs.folder, half);
    if (mounts === undefined) return undefined;
    try {
      return await runs.among(mounts, path.join(mounts.root, runs.folder));
    } finally {
      await mounts.close();
    }
  };
  const [before, after] = [await outcome('original'), await outcome('changed')];
  if (before === undefined || after === undefined) return 'a full disk was not tried: no file system could be made';
  // Room comes in pages.
  if (before.grown >= written) return 'a full disk tells nothing: so little is written that it had room';
  const says = new Set(outcomes.original.map(({ output }) => output.hash));
  return comparedFault('disk full', before, after, says.size === 1);
}

async function endedHalfway(runs: FaultedRuns, { outcomes, times }: SoundRuns): Promise<FaultResult | string> {
  const name = 'SIGTERM halfway';
  const shortest = Math.min(medianOf(times.original), medianOf(times.changed));
  if (shortest < SHORTEST_RUN) return `${name} was not tried: a run takes ${formatDuration(shortest)}`;
  const share = async (variant: Variant): Promise<number> => {
    const whole = Math.max(1, outcomes[variant][0]!.grown);
    const shares: number[] = [];
    for (let i = 0; i < TRIES; i++) {
      const outcome = await runs.ended(variant, medianOf(times[variant]) / 2e6);
      shares.push(Math.min(1, outcome.grown / whole));
    }
    return medianOf(shares);
  };
  const before = await share('original');
  if (before === 0) return `${name} tells nothing: half a run has written nothing yet`;
  return comparedEnd(name, { before, after: await share('changed') });
}
