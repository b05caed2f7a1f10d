import { NONE } from '../../../trace/events.ts';
import { countOf, naming, say, slot } from '../message.ts';
import type { Amount, Recommendation } from '../insight.ts';
import * as languages from '../language-snippets.ts';
import * as parallel from '../parallel-snippets.ts';
import { openOnce } from '../reopening-snippets.ts';
import * as snippets from '../snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import type { ModuleView, RecordView } from './module-view.ts';
import { known } from './posix-counters.ts';

const META_TIME = 'POSIX_F_META_TIME';

interface Longest {
  /** NONE: only shared files take time, and their records do not tell processes apart. */
  readonly rank: number;
  readonly seconds: number;
  /** Processes beyond the bound. */
  readonly processes: number;
}

/**
 * Time of metadata calls by process. A shared record holds the sum over all processes: each of them is given the mean, which
 * the slowest one spends at least.
 */
function longestTime(posix: ModuleView, { processes }: CounterView, bound: number): Longest {
  const own = new Map<number, number>();
  let shared = 0;
  posix.forEach((record) => {
    const seconds = known(record.get(META_TIME));
    if (record.rank === -1) shared += seconds / processes;
    else own.set(record.rank, (own.get(record.rank) ?? 0) + seconds);
  });
  let longest: Longest = { rank: NONE, seconds: shared, processes: 0 };
  let beyond = shared > bound ? processes - own.size : 0;
  for (const [rank, seconds] of own) {
    if (seconds + shared > longest.seconds) longest = { ...longest, rank, seconds: seconds + shared };
    if (seconds + shared > bound) beyond++;
  }
  return { ...longest, processes: Math.max(0, beyond) };
}

const metadataTime: CounterTrigger = {
  kind: 'counters',
  code: 'P17',
  name: 'posix-metadata-time',
  title: 'Long time in metadata calls',
  severity: 'high',
  module: 'POSIX',
  examine: (view, { metadata_time_rank }) => {
    const posix = view.module('POSIX');
    if (posix === undefined) return undefined;
    const { rank, seconds, processes } = longestTime(posix, view, metadata_time_rank);
    if (seconds <= metadata_time_rank) return undefined;
    const opens = posix.sum(['POSIX_OPENS', 'POSIX_STATS', 'POSIX_SEEKS', 'POSIX_FSYNCS', 'POSIX_FDSYNCS']);
    const files = posix.files((record) => metadata(record));
    const who = rank === NONE ? 'a process' : naming('process', `rank ${rank}`);
    return {
      message: say`${countOf('processes', processes, 'process spends', 'processes spend')} more than ${slot('bound', metadata_time_rank * 1e9, `${metadata_time_rank} s`)} in opens, closes, seeks, stats and synchronisations, ${who} at least ${slot('timeOfProcess', seconds * 1e9)}; in all ${countOf('calls', opens, 'call')} on ${countOf('files', files.count, 'file')}.`,
      evidence: {
        processes,
        seconds,
        count: opens,
        timeNs: posix.sum(META_TIME) * 1e9,
        files: files.count,
      },
      files: files.files,
      amount: files.amount,
      recommendations: advice(view),
    };
  },
};

function metadata(record: RecordView): Amount {
  const calls = ['POSIX_OPENS', 'POSIX_STATS', 'POSIX_SEEKS', 'POSIX_FSYNCS', 'POSIX_FDSYNCS'];
  const events = calls.reduce((sum, call) => sum + known(record.get(call)), 0);
  return { events, bytes: 0, timeNs: known(record.get(META_TIME)) * 1e9 };
}

function advice(view: CounterView): Recommendation[] {
  const general: Recommendation = {
    audience: 'code',
    text: 'Open each file once, put many small files into one, and let one process ask for what all need.',
    snippet: snippets.oneFileForMany(),
    alternatives: [openOnce(view.module('POSIX')!.sum('POSIX_OPENS'), false), snippets.fewerMetadataCalls()],
  };
  if (!view.usesHdf5) return [general];
  return [
    general,
    {
      audience: 'code',
      text: 'Let HDF5 do its metadata operations collectively.',
      snippet: parallel.hdf5CollectiveMetadata(),
      alternatives: languages.hdf5CollectiveMetadataIn(),
    },
    { audience: 'code', text: "Give HDF5's metadata a larger cache.", snippet: languages.hdf5MetadataCache() },
  ];
}

/** P17. */
export const METADATA_TIMES: readonly CounterTrigger[] = [metadataTime];
