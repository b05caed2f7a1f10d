import { OPEN_MODE } from '../../trace/events.ts';
import type { RecordedReplay, RecordedStep, RecordedTask } from '../from-recording/recorded-replay.ts';
import type { ReplayOperation } from '../program.ts';

/** Modes that make another file of it, or place writes elsewhere: such an opening stays. */
const CHANGES = OPEN_MODE.truncate | OPEN_MODE.exclusive | OPEN_MODE.append;

/**
 * Keeps a file open where a task closes it and opens it again the same way: in the place of both it goes back to the
 * beginning. Files that any task removes, renames or empties meanwhile are left as they are.
 */
export function openOnce(replay: RecordedReplay): RecordedReplay {
  const changed = changedPaths(replay.tasks);
  return { ...replay, tasks: replay.tasks.map((task) => ({ ...task, steps: keptOpen(task.steps, changed) })) };
}

function changedPaths(tasks: readonly RecordedTask[]): ReadonlySet<string> {
  const changed = new Set<string>();
  const made = new Set<string>();
  for (const { steps } of tasks)
    for (const { operation } of steps) {
      if (operation.operation === 'unlink' || operation.operation === 'rename') changed.add(operation.path);
      if (operation.operation === 'rename') changed.add(operation.to);
      if (operation.operation !== 'open' || (operation.mode & (OPEN_MODE.truncate | OPEN_MODE.exclusive)) === 0)
        continue;
      if (made.has(operation.path)) changed.add(operation.path);
      made.add(operation.path);
    }
  return changed;
}

/** A file that the task has open, or would have open if it had not closed it. */
interface Kept {
  readonly slot: number;
  readonly access: number;
  isClosed: boolean;
  /** The step that closed it. */
  closed: number;
}

function keptOpen(steps: readonly RecordedStep[], changed: ReadonlySet<string>): RecordedStep[] {
  const left = new Set<number>();
  const replaced = new Map<number, RecordedStep>();
  const kept = new Map<string, Kept>();
  /** By recorded number: the number that is unique within the task, and the path. */
  const open = new Map<number, { readonly slot: number; readonly path: string }>();
  let unique = 0;
  const slots = steps.map(({ operation, startNs }, at) => {
    if (!('slot' in operation)) return -1;
    if (operation.operation === 'fopen' || operation.operation === 'mpi_fopen') {
      open.set(operation.slot, { slot: unique, path: operation.path });
      kept.delete(operation.path);
      return unique++;
    }
    if (operation.operation !== 'open') {
      const opened = open.get(operation.slot);
      if (!operation.operation.endsWith('close') || opened === undefined) return opened?.slot ?? operation.slot;
      open.delete(operation.slot);
      const known = kept.get(opened.path);
      if (known?.slot === opened.slot) Object.assign(known, { isClosed: true, closed: at });
      return opened.slot;
    }
    const { path, mode } = operation;
    const access = mode & OPEN_MODE.access;
    const known = kept.get(path);
    if (known?.isClosed === true && known.access === access && (mode & CHANGES) === 0 && !changed.has(path)) {
      known.isClosed = false;
      left.add(known.closed);
      replaced.set(at, { operation: { operation: 'seek', slot: 0, offset: 0, whence: 0 }, startNs, place: NaN });
      open.set(operation.slot, { slot: known.slot, path });
      return known.slot;
    }
    const slot = unique++;
    open.set(operation.slot, { slot, path });
    if ((mode & OPEN_MODE.append) === 0) kept.set(path, { slot, access, isClosed: false, closed: -1 });
    return slot;
  });
  const result: RecordedStep[] = [];
  steps.forEach((step, at) => {
    if (left.has(at)) return;
    const { operation, ...rest } = replaced.get(at) ?? step;
    result.push({ operation: 'slot' in operation ? { ...operation, slot: slots[at]! } : operation, ...rest });
  });
  return lowestSlots(result);
}

/** Numbers open files as descriptors are: the lowest that is free. */
function lowestSlots(steps: readonly RecordedStep[]): RecordedStep[] {
  const used: boolean[] = [];
  const slotOf = new Map<number, number>();
  return steps.map((step) => {
    const { operation } = step;
    if (!('slot' in operation)) return step;
    const opens =
      operation.operation === 'open' || operation.operation === 'fopen' || operation.operation === 'mpi_fopen';
    if (opens || !slotOf.has(operation.slot)) {
      const free = used.indexOf(false);
      const slot = free < 0 ? used.length : free;
      used[slot] = true;
      slotOf.set(operation.slot, slot);
    }
    const slot = slotOf.get(operation.slot)!;
    if (operation.operation.endsWith('close')) used[slot] = false;
    return { ...step, operation: { ...operation, slot } satisfies ReplayOperation };
  });
}
