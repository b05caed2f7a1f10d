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

/** What each rank has of something: bytes, or nanoseconds. */
type ByRank = ReadonlyMap<number, number>;

/** Ranks that are named by themselves with what they have. */
const MOST_OUTLIERS = 3;

/**
 * Who has how much, those that stand out first: `rank 3: 2.5 MiB; ranks 0-2: 64 KiB each`. A rank stands out when it differs
 * from the median by more than a share of the largest.
 */
export function describeByRank(byRank: ByRank, apart: number, format: (amount: number) => string): string {
  const entries = [...byRank].sort((a, b) => a[1] - b[1]);
  const median = entries[Math.floor((entries.length - 1) / 2)]?.[1] ?? 0;
  const largest = entries.at(-1)?.[1] ?? 0;
  const standsOut = ([, amount]: readonly [number, number]): boolean => Math.abs(amount - median) > apart * largest;
  const outliers = entries.filter(standsOut).sort((a, b) => Math.abs(b[1] - median) - Math.abs(a[1] - median));
  const others = entries.filter((entry) => !standsOut(entry));
  const parts = outliers.slice(0, MOST_OUTLIERS).map(([rank, amount]) => `rank ${rank}: ${format(amount)}`);
  const further = outliers.slice(MOST_OUTLIERS);
  if (further.length > 0) parts.push(`${formatRanks(further.map(([rank]) => rank))}: ${span(further, format)}`);
  if (others.length > 0) parts.push(`${nameOthers(others, outliers.length > 0)}: ${span(others, format)}`);
  return parts.join('; ');
}

/** The ordinary ones are named where that is short. */
function nameOthers(others: readonly (readonly [number, number])[], stoodOut: boolean): string {
  const named = formatRanks(others.map(([rank]) => rank));
  return stoodOut && named.includes(' and ') ? `the other ${formatCount(others.length)} ranks` : named;
}

/** `64 KiB`, `1 MiB to 2 MiB`. */
function span(entries: readonly (readonly [number, number])[], format: (amount: number) => string): string {
  const amounts = entries.map(([, amount]) => amount).sort((a, b) => a - b);
  const [least, most] = [format(amounts[0]!), format(amounts.at(-1)!)];
  const each = entries.length > 1 ? ' each' : '';
  return least === most ? `${least}${each}` : `${least} to ${most}`;
}
