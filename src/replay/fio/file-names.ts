import type { RecordedReplay, RecordedStep } from '../from-recording/recorded-replay.ts';

/** A step with its task, in the order of times. */
interface PlacedStep {
  readonly rank: number;
  readonly at: number;
  readonly timeNs: number;
}

/** What fio has to know of the files beforehand, because it cannot rename, and because it reads no byte that is not there. */
export interface FioFiles {
  /** By task and step that opens: the name that the file has for fio, the one that it had first. */
  readonly nameOf: (rank: number, at: number) => string | undefined;
  /** Bytes that have to be there before the replay, by name; real ones. */
  readonly inputs: ReadonlyMap<string, number>;
  /** Bytes that one task reads and another writes: they have to be there, but may be a hole. */
  readonly holes: ReadonlyMap<string, number>;
  readonly names: ReadonlySet<string>;
}

/** Follows the names of files through all tasks in the order of their recorded times. */
export function fioFiles({ tasks, inputs }: RecordedReplay): FioFiles {
  const current = new Map<string, string>();
  const opened = tasks.map(() => new Map<number, string>());
  const slots = tasks.map(() => new Map<number, string>());
  const used = new Map(inputs.map(({ path, bytes }) => [path, bytes]));
  const readTo = new Map<string, Map<number, number>>();
  const writers = new Map<string, Set<number>>();
  const names = new Set(used.keys());
  for (const { rank, at } of inOrder(tasks.map(({ steps }) => steps))) {
    const { operation, place } = tasks[rank]!.steps[at]!;
    if (operation.operation === 'rename') {
      current.set(operation.to, current.get(operation.path) ?? operation.path);
      current.delete(operation.path);
    } else if (operation.operation === 'open' || operation.operation === 'fopen') {
      const name = current.get(operation.path) ?? operation.path;
      current.set(operation.path, name);
      names.add(name);
      opened[rank]!.set(at, name);
      slots[rank]!.set(operation.slot, name);
    } else if (
      'bytes' in operation &&
      'slot' in operation &&
      typeof operation.bytes === 'number' &&
      operation.bytes > 0
    ) {
      const name = slots[rank]!.get(operation.slot);
      if (name === undefined || Number.isNaN(place)) continue;
      if (operation.operation.includes('write')) {
        const of = writers.get(name) ?? new Set();
        writers.set(name, of.add(rank));
      } else {
        const ends = readTo.get(name) ?? new Map<number, number>();
        ends.set(rank, Math.max(ends.get(rank) ?? 0, place + operation.bytes));
        readTo.set(name, ends);
      }
    }
  }
  const holes = new Map<string, number>();
  for (const [name, ends] of readTo)
    for (const [rank, end] of ends) {
      const others = [...(writers.get(name) ?? [])].some((writer) => writer !== rank);
      if (others && end > (used.get(name) ?? 0)) holes.set(name, Math.max(holes.get(name) ?? 0, end));
    }
  return { nameOf: (rank, at) => opened[rank]!.get(at), inputs: used, holes, names };
}

/** The steps of all tasks by time; those of a task in their order, whatever their times. */
function* inOrder(tasks: readonly (readonly RecordedStep[])[]): Generator<PlacedStep, void, undefined> {
  const all: PlacedStep[] = [];
  tasks.forEach((steps, rank) => {
    let latest = 0;
    steps.forEach(({ startNs }, at) => {
      if (startNs > latest) latest = startNs;
      all.push({ rank, at, timeNs: latest });
    });
  });
  all.sort((a, b) => a.timeNs - b.timeNs || a.rank - b.rank || a.at - b.at);
  yield* all;
}
