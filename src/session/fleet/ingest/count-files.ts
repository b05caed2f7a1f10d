import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { STORE_FILE } from '../../../fleet/store/manifest.ts';

/**
 * How many files there are in files and folders: an upper bound of the sources, known long before they are. Names are
 * listed, and nothing is asked of the files.
 */
export async function countFiles(given: readonly string[], signal?: AbortSignal): Promise<number> {
  let count = 0;
  const folders = given.map((name) => path.resolve(name));
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (signal?.aborted === true) break;
    const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] | undefined => undefined);
    if (entries === undefined) count++;
    else if (!entries.some(({ name }) => name === STORE_FILE)) {
      for (const entry of entries) {
        if (entry.isDirectory()) folders.push(path.join(folder, entry.name));
        else count++;
      }
    }
  }
  return count;
}
