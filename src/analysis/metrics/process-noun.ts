import type { Stream, Trace } from '../../trace/trace.ts';
import { formatCount } from '../../base/quantities.ts';

/** How processes are called: by their number in the job where the recording knows it, else by that of the system. */
export interface ProcessNoun {
  readonly one: string;
  readonly many: string;
}

const RANKS: ProcessNoun = { one: 'rank', many: 'ranks' };
const PROCESSES: ProcessNoun = { one: 'process', many: 'processes' };

export function processNoun(trace: Pick<Trace, 'streams'>): ProcessNoun {
  return hasRanks(trace) ? RANKS : PROCESSES;
}

/** The recording knows the rank of every stream. */
export function hasRanks({ streams }: Pick<Trace, 'streams'>): boolean {
  return streams.length > 0 && streams.every(({ rank }) => rank !== undefined);
}

/**
 * How many processes the program had, whose threads are streams too: those that a log of counters names, else the
 * recorded ranks, else the system's processes; null when nobody knows.
 */
export function processCount({
  streams,
  parts,
  counters,
}: Pick<Trace, 'streams' | 'parts' | 'counters'>): number | null {
  if (counters !== undefined && counters.job.processes > 0) return counters.job.processes;
  const ranks = new Set(streams.flatMap(({ rank }) => rank ?? []));
  if (ranks.size > 0) return ranks.size;
  const processes = new Set(streams.map(({ host, processId, part }) => `${host} ${processId} ${parts[part]!.run}`));
  return processes.size === 0 ? null : processes.size;
}

/** `rank 3 (nid00012)`, `process 4711`. */
export function processName({ rank, pid, host }: Stream): string {
  const at = host === '' ? '' : ` (${host})`;
  return rank === undefined ? `process ${pid}` : `rank ${rank}${at}`;
}

/** Groups that are named before the rest is counted: ten thousand ranks stay a line. */
const MOST_GROUPS = 6;

/** `rank 3`, `ranks 0-3, 7`, `ranks 0, 2, 4, 6, 8, 10 and 506 more`. */
export function formatRanks(ranks: Iterable<number>): string {
  const sorted = [...new Set(ranks)].sort((a, b) => a - b);
  if (sorted.length === 1) return `rank ${sorted[0]!}`;
  const groups = groupsOf(sorted);
  const named = groups.slice(0, MOST_GROUPS);
  const left = sorted.length - named.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const list = named.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
  return `ranks ${list}${left > 0 ? ` and ${formatCount(left)} more` : ''}`;
}

/** Runs of numbers without a gap. */
function groupsOf(sorted: readonly number[]): [first: number, last: number][] {
  const groups: [number, number][] = [];
  for (const rank of sorted) {
    const last = groups.at(-1);
    if (last?.[1] === rank - 1) last[1] = rank;
    else groups.push([rank, rank]);
  }
  return groups;
}
