import type { ReplayOperation, ReplayProgram } from '../../src/replay/program.ts';
import { TaskProgram } from '../../src/replay/run/task-program.ts';

/** All operations of each task, loops and expressions worked out. */
export function expanded(program: ReplayProgram): ReplayOperation[][] {
  return program.tasks.map((_, rank) => {
    const names = { size: program.tasks.length, rank, series: [], variables: {} };
    return [...new TaskProgram(program, names).operations()].map((operation) => ({ ...operation }));
  });
}
