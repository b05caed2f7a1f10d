import type { ReplayOperation, ReplayProgram } from '../../../src/replay/program.ts';
import { TaskProgram } from '../../../src/replay/run/task-program.ts';

/** All operations of each of SIZE tasks, loops and expressions worked out. */
export function expanded(program: ReplayProgram, size: number): ReplayOperation[][] {
  return Array.from({ length: size }, (_, rank) => {
    const names = { size, rank, series: [], variables: {} };
    return [...new TaskProgram(program, names).operations()].map((operation) => ({ ...operation }));
  });
}
