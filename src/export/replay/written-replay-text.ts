import { counted, formatCount } from '../../base/quantities.ts';

/** How much a replay does that was written for another program. */
interface ReplayAmounts {
  readonly tasks: number;
  readonly operations: number;
  readonly inputs: number;
  readonly synchronisations: { readonly kept: number; readonly found: number };
}

/** `iolens replay --format fio|dios|dot` */
export function writtenReplayText(
  folder: string,
  files: readonly string[],
  { tasks, operations, inputs, synchronisations: { kept, found } }: ReplayAmounts,
): string {
  return [
    `${folder}: ${files.join(', ')}`,
    `${counted(tasks, 'task')}, ${counted(operations, 'operation')}, ${counted(inputs, 'input file')}`,
    `${counted(kept, 'synchronisation')} between tasks (${formatCount(found)} before redundant ones were left out)`,
    '',
  ].join('\n');
}
