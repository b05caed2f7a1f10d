import { ExpressionError } from '../expressions/expression-error.ts';
import type { ReplayNode, ReplayProgram } from '../program.ts';
import { isSeries } from './task-program.ts';

/**
 * The tasks that meet at each barrier of a program, and which barrier an operation means; the first is that of all tasks.
 * @throws ExpressionError when a barrier names a task that there is not.
 */
export function barriersOf(program: ReplayProgram, size: number): Map<string, number[]> {
  const barriers = new Map([[barrierKey(undefined), Array.from({ length: size }, (_, rank) => rank)]]);
  const visit = (nodes: readonly ReplayNode[]): void => {
    for (const node of nodes) {
      if (isSeries(node)) visit(node.body);
      if (node.operation !== 'barrier' || node.tasks === undefined) continue;
      const stranger = node.tasks.find((task) => !(Number.isSafeInteger(task) && task >= 0 && task < size));
      if (stranger !== undefined) throw new ExpressionError(`a barrier waits for task ${stranger} of ${size} tasks`);
      barriers.set(barrierKey(node.tasks), [...new Set(node.tasks)]);
    }
  };
  for (const task of program.tasks) visit(task.body);
  return barriers;
}

export function barrierKey(tasks: readonly number[] | undefined): string {
  return tasks === undefined ? 'all' : [...new Set(tasks)].sort((a, b) => a - b).join(',');
}
