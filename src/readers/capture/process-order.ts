import { processKey, type ProcessFile } from './process-reader.ts';

/**
 * Parents in front of their children, and of a process's programs the earlier one in front of the later: what is inherited
 * must be known when a file is read. Files say when they were begun, which may be long after the process; so the pids
 * decide, and times where these say nothing.
 */
export function parentsFirst(sources: readonly ProcessFile[]): ProcessFile[] {
  const sorted = [...sources].sort(byTime);
  /** The last file of each process, and of each file the one before it of the same process. */
  const last = new Map<string, ProcessFile>();
  const predecessors = new Map<ProcessFile, ProcessFile | undefined>();
  for (const source of sorted) {
    const key = processKey(source.process.host, source.process.pid);
    predecessors.set(source, last.get(key));
    last.set(key, source);
  }
  const waitsFor = (source: ProcessFile): ProcessFile[] => {
    const parent = last.get(processKey(source.process.host, source.process.parentPid));
    return [predecessors.get(source), parent].filter((file) => file !== undefined);
  };
  const placed = new Set<ProcessFile>();
  const order: ProcessFile[] = [];
  for (const source of sorted) place(source, waitsFor, placed, order);
  return order;
}

/** Places a file behind those that it waits for; they may wait for others in their turn. */
function place(
  source: ProcessFile,
  waitsFor: (source: ProcessFile) => ProcessFile[],
  placed: Set<ProcessFile>,
  order: ProcessFile[],
): void {
  const waiting: { readonly source: ProcessFile; readonly before: ProcessFile[] }[] = [];
  const enter = (next: ProcessFile): void => {
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
