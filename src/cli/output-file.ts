import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from './arguments.ts';

/**
 * Refuses to write over what is read: `-o` with the recording's own name would destroy it.
 *
 * @param output as the user gave it; undefined or `-` for standard output.
 * @param recordings files and folders that are read.
 * @throws UsageError when the output is one of them, or an existing file in one of the folders.
 */
export function checkOutput(output: string | undefined, recordings: readonly string[]): void {
  if (output === undefined || output === '-') return;
  const target = identityOf(output);
  if (target === undefined) return;
  for (const recording of recordings) {
    const source = identityOf(recording);
    if (source === undefined) continue;
    const lies = source.isFolder && path.dirname(target.place) === source.place;
    if (lies || target.id === source.id)
      throw new UsageError(`-o ${output}: this is ${lies ? 'a file of ' : ''}the recording itself; write elsewhere`);
  }
}

/** Undefined for what is not there. */
function identityOf(name: string): { place: string; id: string; isFolder: boolean } | undefined {
  try {
    // Numbers of files may be larger than what a double holds.
    const status = statSync(name, { bigint: true });
    return { place: realpathSync(name), id: `${status.dev}:${status.ino}`, isFolder: status.isDirectory() };
  } catch {
    return undefined;
  }
}
