import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and those above it, unless another process does so at the same moment. Node's own way never ends where
 * the system says ENOENT for a new name (/proc).
 * @throws what `mkdir` says.
 */
export function makeFolders(folder: string): void {
  const absolute = path.resolve(folder);
  if (isFolder(absolute)) return;
  const parent = path.dirname(absolute);
  if (parent !== absolute) makeFolders(parent);
  try {
    mkdirSync(absolute);
  } catch (error) {
    if (!isFolder(absolute)) throw error;
  }
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
