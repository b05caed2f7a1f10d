import type { CounterLog, CounterTable } from '../../../trace/counters.ts';
import type { Trace } from '../../../trace/trace.ts';
import { processName } from '../../metrics/process-noun.ts';
import type { Insight } from '../insight.ts';
import { joined, listed, naming, say, slot, type Sentence } from '../message.ts';

/** Findings on shared files whose records name the slowest and the fastest process. */
const NAMING: ReadonlySet<string> = new Set(['posix-data-imbalance', 'posix-time-imbalance', 'slow-process']);
/** Files of which the two are named. */
const MOST_FILES = 3;

/** Adds to findings on balance which processes Darshan found slowest and fastest on the files that matter most. */
export function withExtremeRanks(insight: Insight, trace: Trace, counters: CounterLog): Insight {
  const table = counters.modules.find(({ module }) => module === 'POSIX');
  if (!NAMING.has(insight.trigger) || table === undefined) return insight;
  const wanted = new Map<number, Sentence>(insight.files.slice(0, MOST_FILES).map(({ file }) => [file, []]));
  for (let record = 0; record < table.length; record++) {
    const file = table.file(record);
    if (table.rank(record) === -1 && wanted.has(file)) wanted.set(file, extremes(table, record, trace, counters));
  }
  const named = [...wanted].filter(([, text]) => text.length > 0);
  const sentences = named.map(([file, text]) => say` On ${naming('path', trace.files.at(file).path)} ${text}.`);
  return { ...insight, message: joined(insight.message, listed(sentences, '')) };
}

function extremes(table: CounterTable, record: number, trace: Trace, { hosts }: CounterLog): Sentence {
  const one = (which: 'SLOWEST' | 'FASTEST'): Sentence => {
    const rank = table.get(record, `POSIX_${which}_RANK`);
    const moved = table.get(record, `POSIX_${which}_RANK_BYTES`);
    const bytes = moved >= 0 ? say`${slot('bytesOfRank', moved)} in ` : [];
    const time = slot('timeOfRank', table.get(record, `POSIX_F_${which}_RANK_TIME`) * 1e9);
    const known = trace.streams.find((stream) => stream.rank === rank);
    const name = processName(known ?? { pid: rank, processId: rank, part: 0, rank, host: hosts?.get(rank) ?? '' });
    return say`${naming('process', name)} (${bytes}${time})`;
  };
  if (!(table.get(record, 'POSIX_SLOWEST_RANK') >= 0)) return [];
  return say`the slowest is ${one('SLOWEST')}, the fastest ${one('FASTEST')}`;
}
