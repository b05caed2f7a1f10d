import { addToGroup } from '../../base/grouping.ts';
/** What a plan has to know of a source. */
export interface PlannedSource {
  readonly bytes: number;
  /** The storage target that it begins on; null when nobody tells. */
  readonly target: number | null;
}

/** Opening and taking in a log costs about as much as reading this. */
const BYTES_OF_A_LOG = 128 * 1024;
/** Starting a task costs about a second: it is given work for a multiple of that. */
const BYTES_OF_A_TASK = 512 * 2 ** 20;
const LOGS_OF_A_TASK = 2000;

/** Tasks for these sources, unless the user says how many: some thousand small logs, or half a gigabyte, to each. */
export function tasksFor(sources: readonly PlannedSource[]): number {
  const bytes = sources.reduce((total, source) => total + source.bytes, 0);
  return Math.max(1, Math.ceil(bytes / BYTES_OF_A_TASK), Math.ceil(sources.length / LOGS_OF_A_TASK));
}

/**
 * Divides sources among tasks so that all have about as much to do: the largest first, each to the task that has least. Where
 * storage targets are known a task reads from as few of them as possible, and tasks that follow each other read from different
 * ones, so that those that run at once do not all wait for one server.
 * @returns indices of sources by task, none empty.
 */
export function planShards(sources: readonly PlannedSource[], tasks: number): number[][] {
  const groups = [...groupsByTarget(sources).values()].map((members) => ({ members, cost: costOf(sources, members) }));
  const total = groups.reduce((sum, group) => sum + group.cost, 0);
  const shards =
    groups.length > tasks
      ? packed(groups, tasks).map((chosen) => chosen.flatMap((index) => groups[index]!.members))
      : interleaved(groups.map(({ members, cost }) => divided(sources, members, Math.round((tasks * cost) / total))));
  return shards.filter((shard) => shard.length > 0);
}

function groupsByTarget(sources: readonly PlannedSource[]): Map<number | null, number[]> {
  const groups = new Map<number | null, number[]>();
  sources.forEach(({ target }, index) => {
    addToGroup(groups, target, index);
  });
  return groups;
}

function costOf(sources: readonly PlannedSource[], members: readonly number[]): number {
  return members.reduce((sum, index) => sum + sources[index]!.bytes + BYTES_OF_A_LOG, 0);
}

function divided(sources: readonly PlannedSource[], members: readonly number[], bins: number): number[][] {
  const items = members.map((index) => ({ cost: sources[index]!.bytes + BYTES_OF_A_LOG }));
  return packed(items, Math.max(1, bins)).map((chosen) => chosen.map((item) => members[item]!));
}

/** The first of each, then the second of each, … */
function interleaved(lists: readonly (readonly number[][])[]): number[][] {
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0);
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** Largest first, each into the bin that has least: at most 4/3 of the best possible (Graham 1969). */
function packed(items: readonly { readonly cost: number }[], bins: number): number[][] {
  const order = items.map((_, index) => index).sort((a, b) => items[b]!.cost - items[a]!.cost || a - b);
  const heap: Bin[] = Array.from({ length: bins }, (_, number) => ({ number, cost: 0, items: [] }));
  for (const index of order) {
    const least = heap[0]!;
    least.items.push(index);
    least.cost += items[index]!.cost;
    sink(heap);
  }
  return heap.sort((a, b) => a.number - b.number).map((bin) => bin.items);
}

interface Bin {
  readonly number: number;
  cost: number;
  readonly items: number[];
}

/** Restores the order of a binary heap whose first bin has grown. */
function sink(heap: Bin[]): void {
  for (let at = 0; ;) {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    let least = at;
    if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
    if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
    if (least === at) return;
    [heap[at], heap[least]] = [heap[least]!, heap[at]!];
    at = least;
  }
}

function isBefore(a: Bin, b: Bin): boolean {
  return a.cost < b.cost || (a.cost === b.cost && a.number < b.number);
}
