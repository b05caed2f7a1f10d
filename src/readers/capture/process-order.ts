import { processKey, type ProcessFile } from './process-reader.ts';

/**
 * Parents in front of their children, and of a process's programs the earlier one in front of the later: what is inherited
 * must be known when a file is read. Files say when they were begun, which may be long after the process; so the pids
 * decide, and times where these say nothing.
 */
export function parentsFirst<Source extends ProcessFile>(sources: readonly Source[]): Source[] {
  const sorted = [...sources].sort(byTime);
  /** The last file of each process, and of each file the one before it of the same process. */
  const last = new Map<string, Source>();
  const predecessors = new Map<Source, Source | undefined>();
  for (const source of sorted) {
    const key = processKey(source.process.host, source.process.pid);
    predecessors.set(source, last.get(key));
    last.set(key, source);
  }
  const waitsFor = (source: Source): Source[] => {
    const parent = last.get(processKey(source.process.host, source.process.parentPid));
    return [predecessors.get(source), parent].filter((file) => file !== undefined);
  };
  const placed = new Set<Source>();
  const order: Source[] = [];
  for (const source of sorted) place(source, waitsFor, placed, order);
  return order;
}

/** Places a file behind those that it waits for; they may wait for others in their turn. */
function place<Source extends ProcessFile>(
  source: Source,
  waitsFor: (source: Source) => Source[],
  placed: Set<Source>,
  order: Source[],
): void {
  const waiting: { readonly source: Source; readonly before: Source[] }[] = [];
  const enter = (next: Source): void => {
    // Marked before it is placed: numbers that were given twice can make a circle.
    placed.add(next);
    waiting.push({ source: next, before: waitsFor(next) });
  };
  if (!placed.has(source)) enter(source);
  for (let top = waiting.at(-1); top !== undefined; top = waiting.at(-1)) {
    const next = top.before.pop();
    if (next === undefined) {
      order.push(top.source);
      waiting.pop();
    } else if (!placed.has(next)) enter(next);
  }
}

function byTime({ process: a, file: fileA }: ProcessFile, { process: b, file: fileB }: ProcessFile): number {
  return (
    compare(a.wallClock, b.wallClock) || compare(a.monotonicClock, b.monotonicClock) || compare(fileA.name, fileB.name)
  );
}

function compare(a: bigint | string, b: bigint | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
