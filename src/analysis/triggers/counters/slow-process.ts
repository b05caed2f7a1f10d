import type { Amount, Recommendation } from '../insight.ts';
import { countOf, say, slot } from '../message.ts';
import { MORE_AGGREGATORS } from './balance.ts';
import type { CounterFinding, CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import type { ModuleView, RecordView } from './module-view.ts';
import { areMovedForAll } from './mpi-io-counters.ts';
import { everything } from './posix-counters.ts';

/** So many processes tell what is usual. */
const FEWEST = 4;
/** A process is slow that takes so many times the mean, for hardly more bytes than that. */
const SLOW = 2;
const AS_MANY_BYTES = 1.1;

const LOOK_AT_STORAGE: Recommendation = {
  audience: 'job',
  text: 'Look where these files lie (on Lustre: lfs getstripe): a storage target that is slow, nearly full or busy with other jobs makes the whole program wait. Tell those who run the file system, and keep new files off it.',
};

const EVEN_PARTS: Recommendation = {
  audience: 'code',
  text: 'Divide the data evenly over the processes.',
};

/** Files that one process uses: Darshan keeps a record for each process, too, where not all of them share a file. */
function usedByOne(posix: ModuleView): (record: RecordView) => boolean {
  const users = new Uint8Array(posix.fileGroups.length);
  posix.forEach(({ group }) => {
    users[group] = Math.min(2, users[group]! + 1);
  });
  return ({ group }) => users[group] === 1;
}

/** What each process spends, and moves, in files of its own. */
function spentBy(
  posix: ModuleView,
  isOwn: (record: RecordView) => boolean,
): { times: Map<number, number>; bytes: Map<number, number> } {
  const [times, bytes] = [new Map<number, number>(), new Map<number, number>()];
  posix.forEach((record) => {
    if (!isOwn(record)) return;
    const amount = everything(record);
    times.set(record.rank, (times.get(record.rank) ?? 0) + amount.timeNs);
    bytes.set(record.rank, (bytes.get(record.rank) ?? 0) + amount.bytes);
  }, 'individual');
  return { times, bytes };
}

const mean = (values: Iterable<number>): number => {
  const all = [...values];
  return all.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length);
};

type Bounds = Readonly<Record<'site_share' | 'imbalance_stragglers', number>>;

function slowInOwnFiles(view: CounterView, posix: ModuleView, { site_share }: Bounds): CounterFinding | undefined {
  const isOwn = usedByOne(posix);
  const { times, bytes } = spentBy(posix, isOwn);
  if (times.size < FEWEST) return undefined;
  const meanNs = mean(times.values());
  const meanBytes = mean(bytes.values());
  const slow = new Set(
    [...times].flatMap(([rank, time]) =>
      time > SLOW * meanNs && bytes.get(rank)! <= AS_MANY_BYTES * meanBytes ? [rank] : [],
    ),
  );
  const slowestNs = [...slow].reduce((most, rank) => Math.max(most, times.get(rank)!), 0);
  if (slow.size === 0 || !(slowestNs - meanNs >= site_share * view.runTimeNs)) return undefined;
  const files = posix.files(
    (record) => (slow.has(record.rank) && isOwn(record) ? everything(record) : undefined),
    'individual',
  );
  return {
    message: say`${countOf('processes', slow.size, 'process', 'processes')} of ${slot('processesWithFiles', times.size)} ${slow.size === 1 ? 'takes' : 'take'} more than twice as long for files of ${slow.size === 1 ? 'its' : 'their'} own as all do on average, and ${slow.size === 1 ? 'moves' : 'move'} hardly more bytes, if any: up to ${slot('timeOfRank', slowestNs)}, where the mean is ${slot('meanTimeOfRank', meanNs)}.`,
    evidence: { count: slow.size, processes: times.size, slowestNs, meanNs },
    files: files.files,
    recommendations: [LOOK_AT_STORAGE],
  };
}

/** Of a record of all processes: what the slowest takes, where P19 does not name it by its share of what all take. */
function slowestOfAll(record: RecordView, { imbalance_stragglers }: Bounds): number {
  const slowest = record.get('POSIX_F_SLOWEST_RANK_TIME') * 1e9;
  const fastest = record.get('POSIX_F_FASTEST_RANK_TIME') * 1e9;
  return (slowest - fastest) / everything(record).timeNs > imbalance_stragglers ? NaN : slowest;
}

function slowInSharedFiles(view: CounterView, posix: ModuleView, bounds: Bounds): CounterFinding | undefined {
  const isForAll = areMovedForAll(view);
  let slowest = { timeNs: 0, meanNs: 0, isCollective: false };
  const files = posix.files((record): Amount | undefined => {
    const all = everything(record);
    const meanNs = all.timeNs / view.processes;
    const timeNs = slowestOfAll(record, bounds);
    if (!(timeNs > SLOW * meanNs && timeNs - meanNs >= bounds.site_share * view.runTimeNs)) return undefined;
    if (timeNs > slowest.timeNs) slowest = { timeNs, meanNs, isCollective: isForAll(record) };
    return all;
  }, 'shared');
  if (files.count === 0) return undefined;
  const { timeNs, meanNs, isCollective } = slowest;
  return {
    message: say`On ${countOf('files', files.count, 'shared file')} one process takes up to ${slot('timeOfRank', timeNs)}, where the mean of all ${slot('processes', view.processes)} is ${slot('meanTimeOfRank', meanNs)}.${isCollective ? ' By collective calls some processes make the requests of all, who wait for the slowest of these.' : ''}`,
    evidence: { count: 1, processes: view.processes, slowestNs: timeNs, meanNs },
    files: files.files,
    recommendations: [isCollective ? MORE_AGGREGATORS : EVEN_PARTS, LOOK_AT_STORAGE],
  };
}

/**
 * Processes that take much longer than the others: where they move as many bytes, not their work holds the run up but where
 * their files lie. Drishti divides by what all processes spend, of which one of thousands is never much (P18, P19), and asks
 * of shared files only.
 */
export const SLOW_PROCESS: CounterTrigger = {
  kind: 'counters',
  code: 'L44',
  name: 'slow-process',
  title: 'A process takes far longer for its files than the others',
  severity: 'high',
  module: 'POSIX',
  examine: (view, bounds) => {
    const posix = view.module('POSIX');
    if (posix === undefined) return undefined;
    return slowInOwnFiles(view, posix, bounds) ?? slowInSharedFiles(view, posix, bounds);
  },
};
