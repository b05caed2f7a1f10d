import path from 'node:path';
import {
  comparedDisturbance,
  comparedEnd,
  comparedFault,
  type DisturbedRuns,
  type FaultResult,
} from '../../analysis/trials/fault-outcome.ts';
import type { Outcome } from '../../analysis/trials/outcome.ts';
import { medianOf } from '../../analysis/trials/paired-saving.ts';
import { messageOf } from '../../base/error-message.ts';
import { formatDuration } from '../../base/quantities.ts';
import type { Disturbance, FaultLibrary } from './fault-library.ts';
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
  /** What disturbs calls. @throws Error in words for the user. */
  library(): Promise<FaultLibrary>;
  /** Runs it with calls disturbed. */
  disturbed(variant: Variant, library: FaultLibrary, disturbance: Disturbance, seed: number): Promise<Outcome>;
}

/** What the runs without a fault showed. */
export interface SoundRuns {
  readonly outcomes: readonly Outcome[];
  /** Nanoseconds. */
  readonly times: readonly number[];
}

export interface FaultTrial {
  /** Of each change, in their order. */
  readonly results: ReadonlyMap<Variant, readonly FaultResult[]>;
  /** What could not be tried, and why. */
  readonly notes: readonly string[];
}

/** Half a run is shorter than what a program needs to begin. */
const SHORTEST_RUN = 50e6;
const TRIES = 3;
const DISTURBANCES: readonly (readonly [Disturbance, string])[] = [
  ['interrupted', 'interrupted calls (EINTR)'],
  ['short', 'short reads and writes'],
];
/** A file system in memory that holds the copy and so many bytes more. */
const SMALL_DISK = [
  'mount -t tmpfs iolens "$2"',
  'cp -a "$1"/. "$2"/',
  'size=$(( $(stat -f -c "(%b-%f)*%S" "$2") + $3 ))',
  'mount -o remount,size=$size "$2"',
  'cd "$2"',
].join(' && ');

/** What happens to a program before and after each change when something goes wrong. */
export async function tryFaults(
  runs: FaultedRuns,
  sound: ReadonlyMap<Variant, SoundRuns>,
  isOwnPlace: boolean,
): Promise<FaultTrial> {
  const results = new Map<Variant, FaultResult[]>();
  const notes: string[] = [];
  const original = sound.get('original')!;
  const take = (variant: Variant, result: FaultResult | string): void => {
    if (typeof result === 'string') notes.push(result);
    else results.set(variant, [...(results.get(variant) ?? []), result]);
  };
  const faults = [
    await diskFull(runs, original, isOwnPlace),
    await endedHalfway(runs, sound),
    ...(await disturbances(runs, original)),
  ];
  for (const fault of faults) {
    if (typeof fault === 'string') notes.push(fault);
    else for (const [variant, after] of sound) if (variant !== 'original') take(variant, await fault(variant, after));
  }
  return { results, notes: [...new Set(notes)] };
}

/** What a fault does to a program after a change, beside what it did before; in words why that is not known. */
type Fault = (variant: Variant, sound: SoundRuns) => Promise<FaultResult | string>;

/** The disk has room for half of what a run writes. */
async function diskFull(runs: FaultedRuns, original: SoundRuns, isOwnPlace: boolean): Promise<Fault | string> {
  const written = original.outcomes[0]?.grown ?? 0;
  if (written === 0) return 'a full disk was not tried: no file grows';
  if (!isOwnPlace) return 'a full disk was not tried: mounts are not allowed here';
  const none = 'a full disk was not tried: no file system could be made';
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
  const before = await outcome('original');
  if (before === undefined) return none;
  // Room comes in pages.
  if (before.grown >= written) return 'a full disk tells nothing: so little is written that it had room';
  const says = new Set(original.outcomes.map(({ output }) => output.hash));
  return async (variant) => {
    const after = await outcome(variant);
    return after === undefined ? none : comparedFault('disk full', before, after, says.size === 1);
  };
}

async function endedHalfway(runs: FaultedRuns, sound: ReadonlyMap<Variant, SoundRuns>): Promise<Fault | string> {
  const name = 'SIGTERM halfway';
  const share = async (variant: Variant, { outcomes, times }: SoundRuns): Promise<number> => {
    const whole = Math.max(1, outcomes[0]!.grown);
    const shares: number[] = [];
    for (let i = 0; i < TRIES; i++) {
      const outcome = await runs.ended(variant, medianOf(times) / 2e6);
      shares.push(Math.min(1, outcome.grown / whole));
    }
    return medianOf(shares);
  };
  const tooShort = ({ times }: SoundRuns): string | undefined =>
    medianOf(times) < SHORTEST_RUN
      ? `${name} was not tried: a run takes ${formatDuration(medianOf(times))}`
      : undefined;
  const original = sound.get('original')!;
  const short = tooShort(original);
  if (short !== undefined) return short;
  const before = await share('original', original);
  if (before === 0) return `${name} tells nothing: half a run has written nothing yet`;
  return async (variant, after) => tooShort(after) ?? comparedEnd(name, { before, after: await share(variant, after) });
}

/** Calls are interrupted, and move less than was asked for, with several seeds. */
async function disturbances(runs: FaultedRuns, original: SoundRuns): Promise<(Fault | string)[]> {
  let library: FaultLibrary;
  try {
    library = await runs.library();
  } catch (error) {
    return [`${DISTURBANCES.map(([, name]) => name).join(' and ')} were not tried: ${messageOf(error)}`];
  }
  const disturbed = async (
    variant: Variant,
    disturbance: Disturbance,
    { outcomes }: SoundRuns,
  ): Promise<DisturbedRuns> => {
    const found: { outcome: Outcome; calls: number }[] = [];
    for (let seed = 1; seed <= TRIES; seed++) {
      const outcome = await runs.disturbed(variant, library, disturbance, seed);
      found.push({ outcome, calls: library.disturbed() });
    }
    return { sound: outcomes, runs: found };
  };
  const faults: (Fault | string)[] = [];
  for (const [disturbance, name] of DISTURBANCES) {
    const before = await disturbed('original', disturbance, original);
    faults.push(async (variant, sound) => {
      const after = await disturbed(variant, disturbance, sound);
      const isHit = [...before.runs, ...after.runs].some(({ calls }) => calls > 0);
      if (!isHit) return `${name} tell nothing: no call on a file is made through the C library`;
      return comparedDisturbance(name, before, after);
    });
  }
  return faults;
}
