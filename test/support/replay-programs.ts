import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import type { ReplayNode, ReplayProgram, ReplayTask } from '../../src/replay/program.ts';
import { runProgram, type ReplayOptions, type ReplayReport } from '../../src/session/replay/run-program.ts';

/** Where the built script of the tasks is. */
export const dist = path.resolve(import.meta.dirname, '../../dist');

/** A program whose tasks all do the same. */
export function programOf(body: readonly ReplayNode[], more: Partial<ReplayProgram> = {}): ReplayProgram {
  return tasksOf([{ ranks: 'all', body }], more);
}

export function tasksOf(tasks: readonly ReplayTask[], more: Partial<ReplayProgram> = {}): ReplayProgram {
  return { tasks, pools: [], datatypes: [], inputs: [], ...more };
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder of its own for one test. */
export function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, 'iolens-replay-'));
  folders.push(folder);
  return folder;
}

/** Runs a program with the built engine. */
export async function run(
  program: ReplayProgram,
  size: number,
  options: Partial<ReplayOptions> = {},
): Promise<ReplayReport & { readonly directory: string }> {
  const directory = options.directory ?? newFolder();
  const report = await runProgram(program, { size, resources: { folder: dist }, variables: {}, ...options, directory });
  return { ...report, directory };
}
