import type { RecordedReplay, RecordedStep } from '../from-recording/recorded-replay.ts';
import { align } from './align.ts';
import { coalesce } from './coalesce.ts';
import { openOnce } from './open-once.ts';

/** What is changed in a replay to see what it would gain. */
export interface Advice {
  /** Bytes of the largest request that transfers are joined to. */
  readonly coalesce?: number | undefined;
  /** Bytes; requests begin and end at multiples. */
  readonly align?: number | undefined;
  /** Files that are closed and opened again stay open. */
  readonly openOnce?: boolean | undefined;
  /** What makes data safe is left out: of the time it takes, not of what it is good for. */
  readonly dropSync?: boolean | undefined;
}

/** The same replay with advice followed: files hold the same in the end, and all reads see the same. */
export function advised(replay: RecordedReplay, { openOnce: once, dropSync, ...sizes }: Advice): RecordedReplay {
  const opened = once === true ? openOnce(replay) : replay;
  const change = (steps: readonly RecordedStep[]): readonly RecordedStep[] => {
    let changed = dropSync === true ? steps.filter(({ operation }) => operation.operation !== 'sync') : steps;
    if (sizes.coalesce !== undefined) changed = coalesce(changed, sizes.coalesce);
    if (sizes.align !== undefined) changed = align(changed, sizes.align);
    return changed;
  };
  return { ...opened, tasks: opened.tasks.map((task) => ({ ...task, steps: change(task.steps) })) };
}
