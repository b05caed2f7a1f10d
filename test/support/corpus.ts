import { existsSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;

/** Recordings that may lie in the project, and those that may only lie beside it. */
const roots = [path.join(here, '../data'), path.resolve(here, '../../../shared/data')];

/**
 * A folder or file of the test recordings.
 * @returns its absolute path, or undefined when it is not on this machine: the test then says so and is skipped.
 */
export function corpus(name: string): string | undefined {
  return roots.map((root) => path.join(root, name)).find((candidate) => existsSync(candidate));
}

/** What to tell when `corpus` finds nothing. */
export function absent(name: string): string {
  return `the recordings ${name} are not on this machine`;
}
