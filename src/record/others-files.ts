/** Native code is loaded only from files and folders of the user's, root's or the installer's. */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const WRITABLE_BY_ALL = 0o002;
/** In such a folder everybody may make files, and only their owners may rename or remove them. */
const STICKY = 0o1000;

/**
 * Why another user may have made or changed what lies at these paths (files, and the folders that they lie in), in words;
 * '' where they belong to this user, to root or to whoever installed this program, and not everybody may write to them. Paths that are not there are passed over. Windows
 * has no such owners.
 */
export function othersMayWrite(...paths: readonly string[]): string {
  const user = process.getuid?.();
  if (user === undefined) return '';
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    if (found.uid !== user && found.uid !== 0 && found.uid !== installer()) return `${path} belongs to another user`;
    const isKept = found.isDirectory() && (found.mode & STICKY) !== 0;
    if ((found.mode & WRITABLE_BY_ALL) !== 0 && !isKept) return `everybody may write to ${path}`;
  }
  return '';
}

/** Software of a cluster belongs to its staff: who could change this program need not change its libraries. */
function installer(): number | undefined {
  return statSync(fileURLToPath(import.meta.url), { throwIfNoEntry: false })?.uid;
}
