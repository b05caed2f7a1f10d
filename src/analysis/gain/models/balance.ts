import { READS, WRITES } from '../call-kinds.ts';
import type { Insight } from '../../triggers/insight.ts';
import { OTHER_RUN } from '../cost.ts';
import { estimate, type Estimate } from '../estimate.ts';
import { groupsOf, type GainModel } from './model.ts';

/** The slowest process would take what all take on average, if all shared alike and nothing else held it up. */
export const balance: GainModel = ({ cells, laneTimes }) => {
  const times = laneTimes(cells.flatMap((cell) => groupsOf(cell, [...READS, ...WRITES])));
  const slowest = times.reduce((most, time) => Math.max(most, time), 0);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  return {
    why: 'an even division saves at most what the slowest takes beyond the average of all, and nothing where something else holds it up',
    ...(times.length > 1 && { mostNs: slowest - mean }),
  };
};

/** By counters: where one process holds the others up the run waits as long as it takes longer, whatever all take together. */
export function timeHeldUp({ evidence }: Pick<Insight, 'evidence'>): Estimate | undefined {
  const ns = evidence['timeDifferenceNs'] ?? evidence['slowestNs']! - evidence['meanNs']!;
  return ns > 0 ? estimate(ns, OTHER_RUN * ns) : undefined;
}

/** Where the storage served all alike, the slowest would take what all take on average. */
export const heldUp: GainModel = ({ insight: { evidence } }) => {
  const { slowestNs = NaN, meanNs = NaN } = evidence;
  return {
    why: 'the recording does not show what holds the slowest process up, nor whether it would in another run',
    ...(slowestNs > meanNs && { mostNs: slowestNs - meanNs }),
  };
};

/** What one does for all, all could do. */
export const sharedOut: GainModel = ({ insight, cells, laneTimes }) => {
  const { processes = 1 } = insight.evidence;
  const slowest = laneTimes(cells.flatMap((cell) => cell.groups)).reduce((most, time) => Math.max(most, time), 0);
  return {
    why: 'a recording of one does not show how much faster the storage serves several at once',
    ...(slowest > 0 && processes > 1 && { mostNs: slowest * (1 - 1 / processes) }),
  };
};

/** Nobody waits for another as long as each has a file of its own. */
export const filesOfTheirOwn: GainModel = () => ({
  why: 'nobody waits for another here: one file saves work after the run, and load on the servers',
  mostNs: 0,
});
